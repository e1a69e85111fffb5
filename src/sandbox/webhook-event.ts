/** The events of the service's webhook: which changes of an order have one, and how it is written. */
import type { OrderStatus } from '../contract/checkout.ts'
import { timestamp } from './clock.ts'
import { exactNumber, writeJson } from './json.ts'
import type { SandboxSettings } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { accountId } from './writing.ts'

/**
 * The events that the service's documentation names. It names none for a deposit that was seen.
 *
 * @example
 * ```ts
 * const final: readonly WebhookEvent[] = ['order.confirmed', 'order.cancelled']
 * ```
 */
export type WebhookEvent = 'order.created' | 'order.confirmed' | 'order.cancelled'

/** All of them, with the status that an order has then. */
export const statusOfEvent: Readonly<Record<WebhookEvent, OrderStatus>> = {
  'order.created': 'open',
  'order.confirmed': 'confirmed',
  'order.cancelled': 'canceled',
}

/** The event of a change; undefined where there is none. `before` is undefined for a new order. */
export function eventOf(order: SandboxOrder, before: SandboxOrder | undefined): WebhookEvent | undefined {
  if (before === undefined) return 'order.created'
  if (before.status === order.status) return undefined
  switch (order.status) {
    case 'confirmed':
      return 'order.confirmed'
    case 'canceled':
      return 'order.cancelled'
    case 'open':
    case 'pending':
      return undefined
  }
}

/** The JSON text of a webhook. The type of `target_amount` is not shown: it is a number, as in the list. */
export function writeWebhook(id: string, event: WebhookEvent, order: SandboxOrder, settings: SandboxSettings): string {
  return writeJson({
    id,
    event,
    account_id: accountId,
    data: {
      order_id: order.id,
      created_at: order.createdAt,
      updated_at: timestamp(order.changedAtMs, '0'.repeat(settings.finerDigits)),
      description: order.description,
      recipient_email: order.recipientEmail,
      status: order.status === 'canceled' ? settings.canceledSpelling : order.status,
      target_amount: exactNumber(order.targetAmount, settings.targetDecimals),
      target_asset: order.targetAsset,
      valid_until: order.validUntil,
      message: order.message,
    },
  })
}
