/** Keeps one payable checkout for each cart and method: pure rules on the cart's record, which is changed by compare-and-set. */
import { sameMethod } from '../offers.ts'
import { withoutSuccessor } from '../records/entries.ts'
import type { CartEntry, CartRecord } from '../records/types.ts'
import { hasPassed } from '../time/passed.ts'

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
