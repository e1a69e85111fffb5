/** The scenarios of `paywindow trigger`. */
import type { OrderStatus } from '../contract/checkout.ts'
import type { Fault } from '../sandbox/faults.ts'
import type { WebhookFault } from '../sandbox/webhook-types.ts'
import type { ControlledOrder } from './sandbox-controls.ts'
import { halfOf, missingOf, moreThan, type Steps } from './scenario-steps.ts'

/**
 * Stages of an order. `waiting`: without a deposit. `expired`: without a deposit, after the quote.
 * All others are workflows of the sandbox.
 */
export const stages = [
  'waiting',
  'expired',
  'detected',
  'top_up',
  'excess',
  'other_asset',
  'late',
  'confirmed',
  'confirmed_excess',
  'canceled',
] as const

/** A stage of an order. */
export type Stage = (typeof stages)[number]

/** An order with its stage. */
export interface StagedOrder extends ControlledOrder {
  readonly stage: Stage
}

interface Words {
  /** What happens, after a subject: the payer, the service or the order. */
  readonly does: string
  /** What the server tells the merchant's code. */
  readonly merchant: string
  /** What the widget tells the payer, in English. */
  readonly payer: string
}

/** Something that happens to an order. */
export interface OrderScenario extends Words {
  /** The order's status at the end. */
  readonly ends: OrderStatus
  /** The stages in which it can happen. */
  readonly on: readonly Stage[]
  /** The stages of a second order of the cart, if it needs a second order. */
  readonly besides?: readonly Stage[]
  /** The fault of the next webhook. */
  readonly webhook?: WebhookFault
  play(order: StagedOrder, steps: Steps, other?: StagedOrder): Promise<unknown>
}

/** A scenario with its name. */
export interface NamedScenario extends OrderScenario {
  readonly name: string
}

/** Something that happens to the next creation of an order. */
export interface CreationScenario extends Words {
  readonly fault: Fault
}

const called = {
  pending: 'onStatusChange is called with status pending (phase seen).',
  confirmed: 'onStatusChange is called with status confirmed (phase paid).',
  canceled: 'onStatusChange is called with status canceled (phase ended).',
  not: 'onStatusChange is not called.',
} as const

const says = {
  seen: '“We see your payment. Confirming…”',
  differs: '“We see your payment. Confirming…”, and below “Sent another amount or coin, or late?”:',
  paid: '“Paid, thank you”',
  paidOver: '“Paid, thank you”, and below “Sent too much?”: “Too much: you may get back what is over.”',
  ended: '“This payment was canceled”',
} as const

async function pay(order: ControlledOrder, { send, act }: Steps): Promise<ControlledOrder> {
  return act(await send(order, order.amount), 'confirm')
}

async function payLate(order: ControlledOrder, { send, endQuote }: Steps): Promise<ControlledOrder> {
  await endQuote(order)
  return send(order, order.amount)
}

/** Cancels a paid order; pays an unpaid order first. */
async function reverse(order: StagedOrder, steps: Steps): Promise<ControlledOrder> {
  return steps.act(order.stage === 'waiting' ? await pay(order, steps) : order, 'cancel')
}

/** What a payer does, rightly and wrongly, by the scenario's name. */
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
    payer: `${says.differs} “Too little: you may be asked for the rest, or get your money back.”`,
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
    payer: `${says.differs} “Arrived late: you may be asked for more, or get your money back.”`,
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

/** What the service does to an order, by the scenario's name. */
export const serviceScenarios: Readonly<Record<string, OrderScenario>> = {
  confirm: {
    does: 'confirms a deposit that was seen',
    ends: 'confirmed',
    merchant: called.confirmed,
    payer: says.paid,
    on: ['detected', 'excess'],
    play: (order, { act }) => act(order, 'confirm'),
  },
  'accept-late': {
    does: 'accepts a late deposit after all',
    ends: 'confirmed',
    merchant: called.confirmed,
    payer: says.paid,
    on: ['late', 'expired', 'waiting'],
    play: async (order, steps) =>
      steps.act(order.stage === 'late' ? order : await payLate(order, steps), 'accept-late'),
  },
  refund: {
    does: 'sends a deposit back that is wrong; first sends half of the amount if there is none',
    ends: 'canceled',
    merchant: `${called.canceled} The cart can be paid again.`,
    payer: says.ended,
    on: ['top_up', 'other_asset', 'late', 'excess', 'detected', 'waiting'],
    play: async (order, { send, act }) =>
      act(order.stage === 'waiting' ? await send(order, halfOf(order)) : order, 'refund'),
  },
  canceled: {
    does: 'cancels an order without a deposit',
    ends: 'canceled',
    merchant: called.canceled,
    payer: says.ended,
    on: ['waiting', 'expired'],
    play: (order, { act }) => act(order, 'cancel'),
  },
  reversed: {
    does: 'cancels an order that was paid; first pays it if it is not',
    ends: 'canceled',
    merchant: `${called.canceled} Its previousStatus is confirmed: stop what you have not sent yet.`,
    payer: `${says.ended}. A page that has said “Paid, thank you” goes on saying it.`,
    on: ['confirmed', 'confirmed_excess', 'waiting'],
    play: reverse,
  },
}

/** What goes wrong with webhooks, by the scenario's name. */
export const webhookScenarios: Readonly<Record<string, OrderScenario>> = {
  'webhook-late': {
    does: 'is paid, and its webhook comes ten seconds late',
    ends: 'confirmed',
    merchant: `${called.confirmed} The watcher or a browser's poll finds it before the webhook does.`,
    payer: says.paid,
    on: ['waiting'],
    webhook: { kind: 'late', byMs: 10_000 },
    play: pay,
  },
  'webhook-twice': {
    does: 'is paid, and its webhook comes twice',
    ends: 'confirmed',
    merchant: `${called.confirmed} Once.`,
    payer: says.paid,
    on: ['waiting'],
    webhook: { kind: 'twice' },
    play: pay,
  },
  'webhook-lost': {
    does: 'is paid, and its webhook never comes',
    ends: 'confirmed',
    merchant: `${called.confirmed} The watcher or a browser's poll finds it.`,
    payer: says.paid,
    on: ['waiting'],
    webhook: { kind: 'lost' },
    play: pay,
  },
  'webhook-out-of-order': {
    does: 'is paid and canceled, and order.cancelled comes before order.confirmed',
    ends: 'canceled',
    merchant: `${called.canceled} The webhook that came last says confirmed, and is not believed.`,
    payer: says.ended,
    on: ['waiting'],
    webhook: { kind: 'out-of-order' },
    play: reverse,
  },
  'webhook-forged': {
    does: 'is canceled, and a forged webhook says that it is confirmed',
    ends: 'canceled',
    merchant: `${called.canceled} It is not called with confirmed: a webhook is not believed.`,
    payer: says.ended,
    on: ['waiting', 'expired'],
    webhook: { kind: 'forged', event: 'order.confirmed' },
    play: (order, { act }) => act(order, 'cancel'),
  },
}

/** What goes wrong when an order is created, by the scenario's name. */
export const creationScenarios: Readonly<Record<string, CreationScenario>> = {
  'lost-answer': {
    does: 'makes the next order, and loses the answer',
    merchant:
      'onError is called with code service_unavailable, and the server makes another order a few seconds later.',
    payer: '“Preparing your payment…” for some seconds, then address and amount.',
    fault: { kind: 'reset', workDone: true },
  },
  'slow-answer': {
    does: 'answers the next creation after ten seconds',
    merchant: 'nothing is called: the server waits.',
    payer: '“Preparing your payment…” for ten seconds, then address and amount.',
    fault: { kind: 'latency', afterMs: 10_000 },
  },
  refused: {
    does: 'refuses the next creation with 400',
    merchant: 'onError is called with code service_refused. There is no order.',
    payer:
      '“This payment cannot start”; with several coins, “This way to pay is not available now. Please choose another.”',
    fault: { kind: 'status', status: 400, message: 'The sandbox was told to refuse this' },
  },
}
