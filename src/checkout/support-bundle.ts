/**
 * What a payer sends to support: everything that identifies the payment, and nothing that opens it.
 * Always English and one field a line, because it is read by the merchant's staff and by programs.
 */
import type { Checkout } from '../contract/checkout.ts'
import type { ViewKind } from './view.ts'

/** @param checkedAt - When the status was last known, ISO 8601. */
export function supportBundle(checkout: Checkout, view: ViewKind, checkedAt: string): string {
  const lines: readonly (readonly [string, string | null])[] = [
    ['Merchant', checkout.merchant.name],
    // What the merchant calls it for people. Whoever knows a signed reference opens the checkout.
    ['Reference', checkout.orderNumber ?? checkout.description ?? checkout.id],
    ['Payment', checkout.id],
    ['Price', `${checkout.price.amount} ${checkout.price.asset}`],
    ['Amount to send', `${checkout.amount} ${checkout.asset.symbol}`],
    ['Network', checkout.network],
    ['Address', checkout.address],
    ['Tag', checkout.tag],
    ['Created', checkout.createdAt],
    ['Price locked until', checkout.expiresAt],
    ['Status', `${checkout.status} (shown as ${view}, cart ${checkout.cart})`],
    ...checkout.history.map(({ status, at }): readonly [string, string] => ['-', `${at} ${status}`]),
    ['Last checked', checkedAt],
    ['Test', checkout.test ? 'yes, no real money' : null],
  ]
  return lines.flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`)).join('\n')
}
