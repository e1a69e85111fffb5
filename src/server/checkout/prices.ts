/** Keeps the checkouts of a cart at its price, which is the one that was asked for last. */
import type { Price } from '../../contract/checkout.ts'
import { toAtomic } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { CartEntry, CartRecord } from '../records/types.ts'

/** Prices are near when they are apart by no more than one part of so many: 1 %. */
const nearShare = 100n
/** Digits after the point that a price may have. */
const decimals = 18

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

/**
 * Whether two prices of a cart are the same, or so near that the quote of one serves for the other: a shop that converts its prices names a little
 * more or less with each call, and each call would make an order.
 */
export function samePrice(left: Price, right: Price): boolean {
  const [a, b] = [toAtomic(left.amount, decimals), toAtomic(right.amount, decimals)]
  const apart = a > b ? a - b : b - a
  return left.asset.toUpperCase() === right.asset.toUpperCase() && apart * nearShare <= (a < b ? a : b)
}
