/** A scenario of `paywindow trigger`, and what several of them have in common. */
import type { OrderStatus } from '../contract/checkout.ts'
import type { Fault } from '../sandbox/faults.ts'
import type { WebhookFault } from '../sandbox/webhook-types.ts'
import type { ControlledOrder } from './sandbox-controls.ts'
import type { Steps } from './scenario-steps.ts'

/** How an order can stand: `waiting` for a deposit; `expired`, the same after its quote; or a workflow of the sandbox after a deposit. */
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

/** How an order stands. */
export type Stage = (typeof stages)[number]

/** An order, and how it stands. */
export interface StagedOrder extends ControlledOrder {
  readonly stage: Stage
}

interface Words {
  readonly does: string
  /** What the merchant's server says to the merchant's code. */
  readonly merchant: string
  /** What the widget says to the payer, in English. */
  readonly payer: string
}

/** Something that happens to an order. */
export interface OrderScenario extends Words {
  /** The status that the order has in the end. */
  readonly ends: OrderStatus
  /** The orders that it can happen to. */
  readonly on: readonly Stage[]
  /** It needs a second order of the cart, which can be one of these. */
  readonly besides?: readonly Stage[]
  /** What goes wrong with the next webhook. */
  readonly webhook?: WebhookFault
  play(order: StagedOrder, steps: Steps, other?: StagedOrder): Promise<unknown>
}

/** A scenario, as it was asked for. */
export interface NamedScenario extends OrderScenario {
  readonly name: string
}

/** Something that happens to the next creation of an order. */
export interface CreationScenario extends Words {
  readonly fault: Fault
}

/** What the merchant's code is called with, by status. */
export const called = {
  pending: 'onStatusChange is called with status pending (phase seen).',
  confirmed: 'onStatusChange is called with status confirmed (phase paid).',
  canceled: 'onStatusChange is called with status canceled (phase ended).',
  not: 'onStatusChange is not called.',
} as const

/** What the widget says. */
export const says = {
  seen: '“We see your payment. Confirming…”',
  differs: '“We see your payment. Confirming…”, and below “Sent another amount or coin, or late?”:',
  paid: '“Paid, thank you”',
  paidOver: '“Paid, thank you”, and below “Sent too much?”: “Too much: you may get back what is over.”',
  ended: '“This payment was canceled”',
} as const

/** Pays an order that waits for it. */
export async function pay(order: ControlledOrder, { send, act }: Steps): Promise<ControlledOrder> {
  return act(await send(order, order.amount), 'confirm')
}

/** Pays an order after the end of its quote. */
export async function payLate(order: ControlledOrder, { send, endQuote }: Steps): Promise<ControlledOrder> {
  await endQuote(order)
  return send(order, order.amount)
}

/** Cancels an order that is paid; pays it first if it is not. */
export async function reverse(order: StagedOrder, steps: Steps): Promise<ControlledOrder> {
  return steps.act(order.stage === 'waiting' ? await pay(order, steps) : order, 'cancel')
}
