/** Keeps the checkouts of a cart at its price, which is the one that was asked for last. */
import type { Price } from '../../contract/checkout.ts'
import { equalDecimals } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { CartEntry, CartRecord } from '../records/types.ts'

/**
 * The cart at a price that was asked for after `before` had been read.
 *
 * @throws PaywindowError `service_unavailable` where another price came in between: the browser asks again.
 */
export function repriced(before: CartRecord, current: CartRecord, price: Price, nowMs: number): CartRecord {
  if (!wasRepriced(before, current, price)) return endOtherPrices(current, price, nowMs)
  throw new PaywindowError('service_unavailable', 'The price of this cart has just changed: ask again', {
    retryAfterMs: 1_000,
  })
}

/** Ends the checkouts whose price is not the cart's any more. Returns its argument when there is none. */
export function endOtherPrices(cart: CartRecord, price: Price, nowMs: number): CartRecord {
  const stale = (entry: CartEntry) => entry.endedAtMs === null && !samePrice(entry.price, price)
  if (!cart.entries.some(stale)) return cart
  return { ...cart, entries: cart.entries.map((entry) => (stale(entry) ? { ...entry, endedAtMs: nowMs } : entry)) }
}

/**
 * Whether another request has learnt of another price since `before` was read. Then this price may be the older one, however late it comes: `offer`
 * or the store may have taken long.
 */
function wasRepriced(before: CartRecord, current: CartRecord, price: Price): boolean {
  const at = (cart: CartRecord, isThis: boolean) =>
    cart.entries.filter((entry) => entry.endedAtMs === null && samePrice(entry.price, price) === isThis)
  const isNew = ({ id }: CartEntry) => !before.entries.some((entry) => entry.id === id)
  return at(current, false).some(isNew) || (at(before, true).length > 0 && at(current, true).length === 0)
}

function samePrice(left: Price, right: Price): boolean {
  return left.asset.toUpperCase() === right.asset.toUpperCase() && equalDecimals(left.amount, right.amount)
}
