/** Keeps one payable checkout for each cart and method: pure rules on the cart's record, which is changed by compare-and-set. */
import type { Price } from '../../contract/checkout.ts'
import { equalDecimals } from '../../contract/decimal.ts'
import { sameMethod } from '../offers.ts'
import type { CartEntry, CartRecord } from '../records/types.ts'
import { hasPassed } from '../time/passed.ts'

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
export function wasRepriced(before: CartRecord, current: CartRecord, price: Price): boolean {
  const at = (cart: CartRecord, isThis: boolean) =>
    cart.entries.filter((entry) => entry.endedAtMs === null && samePrice(entry.price, price) === isThis)
  const isNew = ({ id }: CartEntry) => !before.entries.some((entry) => entry.id === id)
  return at(current, false).some(isNew) || (at(before, true).length > 0 && at(current, true).length === 0)
}

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

/** How many checkouts the cart got within this time. */
export function createdWithin(cart: CartRecord, nowMs: number, windowMs: number): number {
  return cart.entries.filter(({ createdAtMs }) => !hasPassed(windowMs, createdAtMs, nowMs)).length
}

function samePrice(left: Price, right: Price): boolean {
  return left.asset.toUpperCase() === right.asset.toUpperCase() && equalDecimals(left.amount, right.amount)
}
