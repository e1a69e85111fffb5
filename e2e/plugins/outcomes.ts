/**
 * What can become of a payment, and how a sandbox is brought to it. Each plug-in goes through all,
 * and writes what its platform says into docs/plugins.md.
 */
import type { Chosen, Payments, Told } from './payments.ts'

/** A payment that waits: the order of the shop, and its link. */
export interface Waiting {
  readonly payments: Payments
  readonly order: string
  readonly link: string
}

/** An outcome. `play` resolves when the shop has taken the last event. */
export interface Outcome {
  readonly name: string
  play(waiting: Waiting): Promise<unknown>
}

/** Plays scenarios one after the other, and waits after each until the shop has taken its event. */
function steps(...pairs: readonly (readonly [scenario: string, type: string])[]): Outcome['play'] {
  return async ({ payments, order, link }) => {
    const chosen = await payments.choose(link)
    await playOn(payments, order, chosen, pairs)
  }
}

async function playOn(
  payments: Payments,
  order: string,
  chosen: Chosen,
  pairs: readonly (readonly [scenario: string, type: string])[],
): Promise<Told | undefined> {
  let last: Told | undefined
  for (const [scenario, type] of pairs) {
    payments.trigger(scenario, chosen)
    last = await payments.taken(`payment.${type}`, order, chosen)
  }
  return last
}

/** Everything that `paywindow serve` tells. `late` is last: it moves the sandbox's clock. */
export const outcomes: readonly Outcome[] = [
  { name: 'seen', play: steps(['seen', 'seen']) },
  { name: 'paid', play: steps(['paid', 'paid']) },
  { name: 'short', play: steps(['underpaid', 'short']) },
  { name: 'short, then topped up', play: steps(['underpaid', 'short'], ['top-up', 'paid']) },
  {
    name: 'over',
    play: async ({ payments, order, link }) => {
      const chosen = await payments.choose(link)
      await payments.deposit(chosen, 1.5)
      await payments.taken('payment.over', order, chosen)
    },
  },
  {
    name: 'over, then confirmed',
    play: async ({ payments, order, link }) => {
      const chosen = await payments.choose(link)
      await payments.deposit(chosen, 1.5)
      await payments.taken('payment.over', order, chosen)
      await playOn(payments, order, chosen, [['confirm', 'paid']])
    },
  },
  { name: 'ended', play: steps(['canceled', 'ended']) },
  {
    // An hour must pass before the server tells it, so the test signs it.
    name: 'lapsed',
    play: async ({ payments, order, link }) => {
      const chosen = await payments.choose(link)
      await payments.send(lapsedAfter(order, chosen.orderId))
    },
  },
  { name: 'returned', play: steps(['underpaid', 'short'], ['refund', 'returned']) },
  { name: 'paid, then taken back', play: steps(['paid', 'paid'], ['reversed', 'taken_back']) },
  {
    name: 'paid twice',
    play: async ({ payments, order, link }) => {
      const first = await payments.choose(link)
      const second = await payments.choose(link, 'LTC litecoin')
      await playOn(payments, order, first, [['paid', 'paid']])
      await playOn(payments, order, second, [['paid', 'paid_twice']])
    },
  },
  { name: 'late', play: steps(['late', 'late']) },
  { name: 'late, then accepted', play: steps(['late', 'late'], ['accept-late', 'paid']) },
]

function lapsedAfter(order: string, checkout: string): object {
  const at = new Date().toISOString()
  const price = { asset: 'EUR', amount: '49.90' }
  return {
    type: 'payment.lapsed',
    timestamp: at,
    data: {
      order,
      number: null,
      price,
      received: null,
      phase: 'ended',
      status: 'open',
      checkout,
      at,
      also_paid: [],
      test: true,
    },
  }
}
