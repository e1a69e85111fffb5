/** What a payer can do, rightly and wrongly. */
import { called, type OrderScenario, pay, payLate, type StagedOrder, says } from './scenario.ts'
import { halfOf, missingOf, moreThan, type Steps } from './scenario-steps.ts'

/** By name. */
export const payerScenarios: Readonly<Record<string, OrderScenario>> = {
  seen: {
    does: 'sends the exact amount, which is not confirmed yet',
    ends: 'pending',
    merchant: called.pending,
    payer: says.seen,
    on: ['waiting'],
    play: (order, { send }) => send(order, order.amount),
  },
  paid: {
    does: 'sends the exact amount, and the service confirms it',
    ends: 'confirmed',
    merchant: called.confirmed,
    payer: says.paid,
    on: ['waiting'],
    play: pay,
  },
  underpaid: {
    does: 'sends half of the amount',
    ends: 'pending',
    merchant: `${called.pending} It stays pending until the rest comes (top-up) or the deposit goes back (refund).`,
    payer: `${says.differs} “Too little: you may be asked for the rest, or get it back.”`,
    on: ['waiting'],
    play: (order, { send }) => send(order, halfOf(order)),
  },
  'top-up': {
    does: 'sends what is missing after half of the amount, and the service confirms it',
    ends: 'confirmed',
    merchant: called.confirmed,
    payer: says.paid,
    on: ['top_up', 'waiting'],
    play: async (order, { send, act }) => {
      const short = order.stage === 'waiting' ? await send(order, halfOf(order)) : order
      await act(await send(short, missingOf(short)), 'confirm')
    },
  },
  overpaid: {
    does: 'sends half as much again, and the service confirms it',
    ends: 'confirmed',
    merchant: `${called.confirmed} The price is that of the order: the service sends the rest back by itself.`,
    payer: says.paidOver,
    on: ['waiting'],
    play: async (order, { send, act }) => act(await send(order, moreThan(order)), 'confirm'),
  },
  'wrong-asset': {
    does: 'sends another coin to the address',
    ends: 'pending',
    merchant: `${called.pending} Follow it with refund.`,
    payer: `${says.differs} “Another coin: you may get it back.”`,
    on: ['waiting'],
    play: (order, { send }) => send(order, '1', { asset: order.asset === 'DOGE' ? 'SHIB' : 'DOGE' }),
  },
  'wrong-network': {
    does: 'sends the right coin on another network',
    ends: 'pending',
    merchant: `${called.pending} Follow it with refund.`,
    payer: `${says.differs} “Another coin: you may get it back.”`,
    on: ['waiting'],
    play: (order, { send }) =>
      send(order, order.amount, { network: order.network === 'polygon' ? 'erc-20' : 'polygon' }),
  },
  'no-tag': {
    does: 'sends the exact amount without the tag, where one is needed',
    ends: 'open',
    merchant: `${called.not} The service cannot tell whose deposit it is; only its support can.`,
    payer: 'the address, the amount and the time left, as before.',
    on: ['waiting'],
    play: (order, { sendWithoutTag }) => sendWithoutTag(order),
  },
  expired: {
    does: 'lets the quote run out without a deposit',
    ends: 'open',
    merchant: called.not,
    payer: '“Time is up for this price”, with a button “Get a new price”.',
    on: ['waiting'],
    play: (order, { endQuote }) => endQuote(order),
  },
  late: {
    does: 'lets the quote run out, and sends the exact amount then',
    ends: 'pending',
    merchant: `${called.pending} Follow it with refund or accept-late.`,
    payer: `${says.differs} “Too late: you may be asked to add to it, or get it back.”`,
    on: ['waiting', 'expired'],
    play: payLate,
  },
  'second-deposit': {
    does: 'sends the exact amount again to an order that is paid; first pays it if it is not',
    ends: 'confirmed',
    merchant: `${called.confirmed} It is not called for the second deposit, which the service sends back by itself.`,
    payer: says.paidOver,
    on: ['confirmed', 'waiting'],
    play: async (order, steps) => steps.send(order.stage === 'waiting' ? await pay(order, steps) : order, order.amount),
  },
  twice: {
    does: 'pays two orders of one cart',
    ends: 'confirmed',
    merchant: `${called.confirmed} For both: the later call names the other checkout in alsoPaid, and onError gets paid_twice.`,
    payer: says.paid,
    on: ['waiting', 'expired', 'late'],
    besides: ['waiting', 'expired', 'late', 'confirmed'],
    play: async (order, steps, other) => {
      if (other) await payHoweverLate(other, steps)
      await payHoweverLate(order, steps)
    },
  },
}

async function payHoweverLate(order: StagedOrder, steps: Steps): Promise<void> {
  if (order.stage === 'confirmed') return
  if (order.stage === 'waiting') await pay(order, steps)
  else await steps.act(order.stage === 'late' ? order : await payLate(order, steps), 'accept-late')
}
