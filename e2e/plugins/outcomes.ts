/**
 * What can become of a payment, and how a sandbox is brought to it. Each plug-in goes through all,
 * and writes what its platform says into docs/plugins.md.
 */
import { expect } from 'vitest'
import type { Chosen, Payments, Told } from './payments.ts'

/** A payment that waits: the order of the shop, and its link. */
interface Waiting {
  readonly payments: Payments
  readonly order: string
  readonly link: string
}

/** An outcome. `play` resolves when the shop has taken the last event. */
export interface Outcome {
  readonly name: string
  play(waiting: Waiting): Promise<unknown>
}

/** A scenario of `paywindow trigger`, and the event that the shop is told then. */
type Pair = readonly [scenario: string, type: string]

/** Plays scenarios one after the other, and waits after each until the shop has taken its event. */
function steps(...pairs: readonly Pair[]): Outcome['play'] {
  return async ({ payments, order, link }) => {
    const chosen = await payments.choose(link)
    await playOn(payments, order, chosen, pairs)
  }
}

async function playOn(payments: Payments, order: string, chosen: Chosen, pairs: readonly Pair[]): Promise<Told> {
  let last: Told | undefined
  for (const [scenario, type] of pairs) {
    payments.trigger(scenario, chosen)
    last = await payments.taken(`payment.${type}`, order, chosen)
  }
  if (!last) throw new Error('there is no scenario')
  return last
}

/** Everything that `paywindow serve` tells. `late` is last: it moves the sandbox's clock. */
export const outcomes: readonly Outcome[] = [
  { name: 'seen', play: steps(['seen', 'seen']) },
  { name: 'paid', play: steps(['paid', 'paid']) },
  { name: 'short', play: steps(['underpaid', 'short']) },
  { name: 'short, then topped up', play: steps(['underpaid', 'short'], ['top-up', 'paid']) },
  { name: 'over', play: payOver },
  {
    name: 'over, then confirmed',
    play: async (waiting) => {
      const chosen = await payOver(waiting)
      await playOn(waiting.payments, waiting.order, chosen, [['confirm', 'paid']])
    },
  },
  { name: 'ended', play: steps(['canceled', 'ended']) },
  { name: 'lapsed', play: lapse },
  {
    name: 'lapsed, then paid',
    play: async (waiting) => {
      const chosen = await waiting.payments.choose(waiting.link)
      await lapse(waiting)
      await playOn(waiting.payments, waiting.order, chosen, [['paid', 'paid']])
    },
  },
  { name: 'returned', play: signed(['underpaid', 'short'], 'returned', { phase: 'ended', status: 'canceled' }) },
  {
    name: 'paid, then taken back',
    play: signed(['paid', 'paid'], 'taken_back', { phase: 'ended', status: 'canceled' }),
  },
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
  {
    name: 'lapsed, then late',
    play: async (waiting) => {
      const chosen = await waiting.payments.choose(waiting.link)
      await lapse(waiting)
      await playOn(waiting.payments, waiting.order, chosen, [['late', 'late']])
    },
  },
]

async function payOver({ payments, order, link }: Waiting): Promise<Chosen> {
  const chosen = await payments.choose(link)
  await payments.deposit(chosen, 1.5)
  await payments.taken('payment.over', order, chosen)
  return chosen
}

async function lapse({ payments, order }: Waiting): Promise<void> {
  const at = new Date().toISOString()
  const data = { order, number: null, price: { asset: 'EUR', amount: '49.90' }, received: null, phase: 'waiting' }
  const more = { status: 'open', checkout: 'the last', at, also_paid: [], test: true }
  const event = { type: 'payment.lapsed', timestamp: at, data: { ...data, ...more } }
  expect(await payments.send(event)).toBe(204)
}

/**
 * What the server tells after minutes or an hour at the earliest. The test signs it, of the
 * checkout of the event before.
 */
function signed(before: Pair, type: string, data: object): Outcome['play'] {
  return async ({ payments, order, link }) => {
    const told = await playOn(payments, order, await payments.choose(link), [before])
    const event = {
      ...told.event,
      type: `payment.${type}`,
      data: { ...told.event.data, ...data, at: new Date().toISOString() },
    }
    expect(await payments.send(event)).toBe(204)
  }
}
