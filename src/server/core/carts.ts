/**
 * Keeps one payable checkout for each cart and method, at the latest price. All functions are pure:
 * they return the changed record of the cart, which the caller writes by compare-and-set.
 */
import type { CartState, Price } from '../../contract/checkout.ts'
import { toAtomic } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { sameMethod } from '../offers.ts'
import { hasPassed } from '../time/work.ts'
import { payerPhase } from './agreement.ts'
import { policy } from './policy.ts'
import type { CartEntry, CartRecord, CheckoutRecord, Meanings, WholeCart } from './types.ts'

/** Whether a checkout of the cart is paid, or a deposit was seen that did not end in a refund. */
export function cartState({ checkouts }: WholeCart, { phaseOf }: Meanings): CartState {
  const seen = checkouts.map((checkout) => payerPhase(checkout, phaseOf))
  return seen.includes('paid') ? 'paid' : seen.includes('seen') ? 'seen' : 'open'
}

/**
 * The unpaid quotes of a cart that run or ended lately, oldest first: a payment may be on its way.
 * Stores return records in no order, and ids sort by age.
 */
export function unpaidQuotes(
  { checkouts }: Pick<WholeCart, 'checkouts'>,
  { phaseOf }: Meanings,
  nowMs: number,
): readonly CheckoutRecord[] {
  return checkouts
    .filter(({ status }) => phaseOf[status] === 'waiting')
    .filter(({ instructions }) => instructions && nowMs - instructions.expiresAtMs < policy.poll.earlierForMs)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** Whether a checkout of the cart was renewed, or ended for another reason than its time. */
export function hasEnded({ entries }: CartRecord, id: string): boolean {
  return entries.some((entry) => entry.id === id && entry.endedAtMs !== null)
}

/**
 * Whether this checkout still needs an order: its entry has not ended, and no other got a deposit.
 */
export function needsOrder(whole: WholeCart, id: string, meanings: Meanings): boolean {
  const isCurrent = whole.cart.entries.some((entry) => entry.id === id) && !hasEnded(whole.cart, id)
  return isCurrent && cartState(whole, meanings) === 'open'
}

/** The checkout of this method that has not ended. Its quote may have. */
export function currentEntry(cart: CartRecord, method: string): CartEntry | undefined {
  return cart.entries.findLast((entry) => sameMethod(entry.method, method) && entry.endedAtMs === null)
}

/** The checkout of the method that the payer chose last, else the latest that has not ended. */
export function chosenEntry(cart: CartRecord): CartEntry | undefined {
  return (
    (cart.chosen === null ? undefined : currentEntry(cart, cart.chosen)) ??
    cart.entries.findLast(({ endedAtMs }) => endedAtMs === null)
  )
}

/** Chooses the method of `entry`, and adds `entry` unless the method has a current checkout. */
export function openEntry(cart: CartRecord, entry: CartEntry): CartRecord {
  const isKnown = currentEntry(cart, entry.method) !== undefined
  if (isKnown && cart.chosen === entry.method) return cart
  return { ...cart, chosen: entry.method, entries: isKnown ? cart.entries : [...cart.entries, entry] }
}

/**
 * Renews a checkout by its only successor: the current checkout of the method if that is a
 * different checkout, else `entry`. Replaces a successor that has ended, such as by a new price.
 */
export function renewEntry(cart: CartRecord, id: string, entry: CartEntry): CartRecord {
  const old = cart.entries.find((candidate) => candidate.id === id)
  const current = currentEntry(cart, entry.method)
  const successor = current && current.id !== id ? current : entry
  if (!old || old.successor === successor.id) return cart
  const renewed = { ...old, endedAtMs: old.endedAtMs ?? entry.createdAtMs, successor: successor.id }
  const entries = cart.entries.with(cart.entries.indexOf(old), renewed)
  return { ...cart, chosen: entry.method, entries: successor === entry ? [...entries, entry] : entries }
}

/** Ends a checkout that nobody may use, so that its method gets a new one. */
export function endEntry(cart: CartRecord, id: string, nowMs: number): CartRecord {
  const ended = (entry: CartEntry) => (entry.id === id ? { ...entry, endedAtMs: entry.endedAtMs ?? nowMs } : entry)
  return { ...cart, entries: cart.entries.map(ended) }
}

/** The number of checkouts that the cart got within `windowMs`. */
export function createdWithin(cart: CartRecord, nowMs: number, windowMs: number): number {
  return cart.entries.filter(({ createdAtMs }) => !hasPassed(windowMs, createdAtMs, nowMs)).length
}

/** Prices are the same if they differ by at most one part in this many: 1 %. */
const sameWithinPart = 100n
/** Digits after the point that a price may have. */
const decimals = 18

/**
 * Ends the checkouts with other prices.
 *
 * @param before - The cart as it was before `offer` was asked for `price`.
 * @throws PaywindowError `service_unavailable` where another request has changed the price since:
 *   the browser asks again.
 */
export function repriced(before: CartRecord, current: CartRecord, price: Price, nowMs: number): CartRecord {
  if (!wasRepriced(before, current, price)) return endOtherPrices(current, price, nowMs)
  throw new PaywindowError('service_unavailable', 'The price of this cart has just changed: ask again', {
    retryAfterMs: 1_000,
  })
}

/** Ends the checkouts with another price than this. Returns its argument when there is none. */
export function endOtherPrices(cart: CartRecord, price: Price, nowMs: number): CartRecord {
  const stale = (entry: CartEntry) => entry.endedAtMs === null && !samePrice(entry.price, price)
  if (!cart.entries.some(stale)) return cart
  return { ...cart, entries: cart.entries.map((entry) => (stale(entry) ? { ...entry, endedAtMs: nowMs } : entry)) }
}

/**
 * Whether another request has brought another price since `before` was read. Then `price` may be
 * the older of the two, because this request's `offer` may have taken longer.
 */
function wasRepriced(before: CartRecord, current: CartRecord, price: Price): boolean {
  const isCurrent = ({ endedAtMs }: CartEntry) => endedAtMs === null
  const isOfPrice = (entry: CartEntry) => samePrice(entry.price, price)
  const isNew = ({ id }: CartEntry) => !before.entries.some((entry) => entry.id === id)
  const hasPrice = (cart: CartRecord) => cart.entries.some((entry) => isCurrent(entry) && isOfPrice(entry))
  const hasNewPrice = current.entries.some((entry) => isCurrent(entry) && !isOfPrice(entry) && isNew(entry))
  return hasNewPrice || (hasPrice(before) && !hasPrice(current))
}

/**
 * Whether the quote for one price serves for the other. A shop that converts currencies names a
 * slightly different price with each call, and would otherwise create an order with each.
 */
export function samePrice(left: Price, right: Price): boolean {
  const [a, b] = [toAtomic(left.amount, decimals), toAtomic(right.amount, decimals)]
  const apart = a > b ? a - b : b - a
  return left.asset.toUpperCase() === right.asset.toUpperCase() && apart * sameWithinPart <= (a < b ? a : b)
}
