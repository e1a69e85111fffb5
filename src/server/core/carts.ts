/** Keeps one payable checkout for each cart and method, at the price that was asked for last: pure rules on the cart's record, which is changed by compare-and-set. */
import type { Price } from '../../contract/checkout.ts'
import { toAtomic } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { sameMethod } from '../offers.ts'
import { hasPassed } from '../time/work.ts'
import type { CartEntry, CartRecord } from './types.ts'

/** The checkout of this method that is not superseded, whether its quote runs or not. */
export function currentEntry(cart: CartRecord, method: string): CartEntry | undefined {
  return cart.entries.findLast((entry) => sameMethod(entry.method, method) && entry.endedAtMs === null)
}

/** The checkout the payer chose last, of those that are not superseded. */
export function chosenEntry(cart: CartRecord): CartEntry | undefined {
  return (
    (cart.chosen === null ? undefined : currentEntry(cart, cart.chosen)) ??
    cart.entries.findLast(({ endedAtMs }) => endedAtMs === null)
  )
}

/** Makes `entry` the current checkout of its method, unless there is one: then nothing changes. */
export function openEntry(cart: CartRecord, entry: CartEntry): CartRecord {
  const current = currentEntry(cart, entry.method)
  if (current) return chooseMethod(cart, entry.method)
  return { ...cart, chosen: entry.method, entries: [...cart.entries, entry] }
}

function chooseMethod(cart: CartRecord, method: string): CartRecord {
  return cart.chosen === method ? cart : { ...cart, chosen: method }
}

/**
 * Gives a checkout its one successor: the one it has, else the current checkout of the method if that is another, else `entry`.
 */
export function renewEntry(cart: CartRecord, id: string, entry: CartEntry): CartRecord {
  const old = cart.entries.find((candidate) => candidate.id === id)
  if (!old || old.successor !== null) return cart
  const current = currentEntry(cart, entry.method)
  const successor = current && current.id !== id ? current : entry
  const entries = cart.entries.map((candidate) =>
    candidate.id === id
      ? { ...candidate, endedAtMs: candidate.endedAtMs ?? entry.createdAtMs, successor: successor.id }
      : candidate,
  )
  return { ...cart, chosen: entry.method, entries: successor === entry ? [...entries, entry] : entries }
}

/** Ends a checkout, so that the next one of its method is another, also for whoever renews the one before it. */
export function endEntry(cart: CartRecord, id: string, nowMs: number): CartRecord {
  const ended = (entry: CartEntry) => (entry.id === id ? { ...entry, endedAtMs: entry.endedAtMs ?? nowMs } : entry)
  return { ...cart, entries: withoutSuccessor(cart.entries, id).map(ended) }
}

/** How many checkouts the cart got within this time. */
export function createdWithin(cart: CartRecord, nowMs: number, windowMs: number): number {
  return cart.entries.filter(({ createdAtMs }) => !hasPassed(windowMs, createdAtMs, nowMs)).length
}

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

/** The entries without this checkout as a successor: a renewal makes another. */
export function withoutSuccessor(entries: readonly CartEntry[], id: string): readonly CartEntry[] {
  return entries.map((entry) => (entry.successor === id ? { ...entry, successor: null } : entry))
}
