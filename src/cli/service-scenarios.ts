/** What the service can do, and what can go wrong with its webhooks. */
import { called, type OrderScenario, pay, payLate, reverse, says } from './scenario.ts'
import { halfOf } from './scenario-steps.ts'

/** By name. */
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

/** By name. */
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
