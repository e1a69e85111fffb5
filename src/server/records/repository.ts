/** The one place that reads and writes records: keys, labels and due times follow from the record, so nobody can forget them. */
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { NewRecord, Store, StoredRecord } from '../store/store.ts'
import { withinBounds } from './bounds.ts'
import { madeAtMs } from './ids.ts'
import { marksOf } from './marks.ts'
import { parseCart, parseCheckoutRecord } from './parsers.ts'
import { type LookQueue, lookQueue } from './transitions.ts'
import type { Attempt, Binding, CartRecord, CheckoutRecord, PendingEvent } from './types.ts'
import { createUnreadable, type Unreadable, unlessUnreadable } from './unreadable.ts'

/** Reading and changing reject with a StoredRecordError where the record cannot be read; lists leave such records out. */

export interface Repository {
  readonly store: Store
  readCheckout(id: string): Promise<CheckoutRecord | undefined>
  /** Creates the checkout unless it exists. */
  createCheckout(checkout: CheckoutRecord): Promise<void>
  /**
   * Changes a checkout as it is now; `change` may run more than once and returns its argument to leave it.
   * Resolves with what is stored afterwards.
   */
  updateCheckout(id: string, change: (checkout: CheckoutRecord) => CheckoutRecord): Promise<CheckoutRecord>
  readCart(reference: string): Promise<CartRecord>
  updateCart(reference: string, change: (cart: CartRecord) => CartRecord): Promise<CartRecord>
  /** Takes an order for a checkout, once for all times. Resolves with the checkout that has it. */
  claimOrder(orderId: string, checkoutId: string): Promise<string>
  /** Which checkout an order was bound to, or undefined. */
  ownerOf(orderId: string): Promise<string | undefined>
  /** Lets go of an order that was bound wrongly. */
  disownOrder(orderId: string, checkoutId: string): Promise<void>
  /** Deletes a checkout and its place in the cart. The orders it was bound to stay taken. */
  forget(checkout: CheckoutRecord): Promise<void>
  /** Checkouts that are due in a queue, the longest due first. */
  listDue(queue: Queue, nowMs: number, limit: number): Promise<CheckoutRecord[]>
  /** Newest first; `before` is a checkout id. */
  listCheckouts(label: CheckoutLabel, options: { before?: string; limit: number }): Promise<CheckoutRecord[]>
  /** Whether a record that cannot be read bears the label and was made within a day of this time. */
  hasUnreadable(label: CheckoutLabel, aroundMs: number): Promise<boolean>
}

/**
 * What a checkout waits for: that its order is looked at, that the merchant is told of a change, or is told once more after that
 * failed: those have a queue of their own, so that they keep nobody waiting.
 */
export type Queue = LookQueue | 'tell' | 'tell again'

/** Lists of checkouts: all, of a cart, those whose order is not known and could be confused, those with untold events. */
type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}` | `mark ${string}`

/** Creations that an order of the list could be confused with: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label of a creation that asked for these. An amount that is no decimal is nobody's. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${sourceAsset.toUpperCase()} ${targetAsset.toUpperCase()} ${amount}`
}

/** Checkouts whose address and tag, or one of whose times, is this one: see `marksOf`. */
export function markLabel(mark: string): `mark ${string}` {
  return `mark ${mark}`
}

/** The creation requests whose order, if there is one, is not known. */
export function openAttempts(checkout: CheckoutRecord): readonly Attempt[] {
  const boundAttempt = checkout.binding ? checkout.instructions?.attemptId : undefined
  return checkout.attempts.filter(({ id }) => id !== boundAttempt)
}

/** Whether a binding names the order for good, and this one order. */
function isSettled(binding: Binding | null): boolean {
  return binding !== null && !binding.isProvisional
}

/** The event to tell next: the oldest that was not given up. */
export function nextEvent(checkout: CheckoutRecord): PendingEvent | undefined {
  return checkout.events.find(({ nextTryAtMs }) => nextTryAtMs !== null)
}

const dayMs = 24 * 3_600_000

export function createRepository(store: Store, unreadable: Unreadable = createUnreadable(() => undefined)): Repository {
  async function update<T>(
    key: string,
    change: (record: T) => T,
    parse: (text: string) => T,
    write: (record: T) => NewRecord,
    absent: () => T,
  ): Promise<T> {
    for (let tries = 0; tries < 100; tries++) {
      const stored = await store.read(key)
      const current = stored ? unreadable.read(stored, parse) : absent()
      const next = change(current)
      if (next === current) return current
      const record = write(next)
      const readBack = parseOwn(record, parse)
      if (stored ? await store.replace(record, stored.version) : await store.create(record)) return readBack
    }
    throw new PaywindowError('internal', `The record ${key} changes faster than it can be written`)
  }

  /** Reads a page of checkouts, and as much more as it takes to have `limit` that can be read. */
  async function readPage(
    list: (limit: number) => Promise<readonly StoredRecord[]>,
    limit: number,
  ): Promise<CheckoutRecord[]> {
    for (;;) {
      const skipped = unreadable.size
      const records = await list(limit + skipped)
      const checkouts = unreadable.readAll(records, parseCheckoutRecord)
      if (checkouts.length >= limit || records.length < limit + skipped || unreadable.size <= skipped)
        return checkouts.slice(0, limit)
    }
  }

  const owner = async (orderId: string) => (await store.read(orderKey(orderId)))?.value

  return {
    store,
    readCheckout: async (id) => {
      const stored = await store.read(checkoutKey(id))
      return stored && unreadable.read(stored, parseCheckoutRecord)
    },
    createCheckout: async (checkout) => {
      const record = writeCheckout(checkout)
      parseOwn(record, parseCheckoutRecord)
      await store.create(record)
    },
    updateCheckout: (id, change) =>
      update(checkoutKey(id), change, parseCheckoutRecord, writeCheckout, () => {
        throw new PaywindowError('not_found', 'There is no such checkout')
      }),
    readCart: async (reference) => {
      const stored = await store.read(cartKey(reference))
      return stored ? unreadable.read(stored, parseCart) : emptyCart(reference)
    },
    updateCart: (reference, change) =>
      update(cartKey(reference), change, parseCart, writeCart, () => emptyCart(reference)),
    claimOrder: async (orderId, checkoutId) => {
      await store.create({ key: orderKey(orderId), value: checkoutId, due: [], labels: [] })
      return (await owner(orderId)) ?? checkoutId
    },
    ownerOf: owner,
    disownOrder: async (orderId, checkoutId) => {
      const stored = await store.read(orderKey(orderId))
      if (stored?.value === checkoutId) await store.remove(stored.key, stored.version)
    },
    forget: async ({ id, reference }) => {
      // A cart that cannot be read keeps the name of a checkout that is gone.
      await unlessUnreadable(
        update(
          cartKey(reference),
          (cart) => ({ ...cart, entries: cart.entries.filter((entry) => entry.id !== id) }),
          parseCart,
          writeCart,
          () => emptyCart(reference),
        ),
      )
      const stored = await store.read(checkoutKey(id))
      if (stored) await store.remove(stored.key, stored.version)
    },
    listDue: (queue, nowMs, limit) => readPage((size) => store.listDue(queue, nowMs, size), limit),
    listCheckouts: (label, { before, limit }) => {
      const range = before === undefined ? {} : { before: checkoutKey(before) }
      return readPage((size) => store.list(label, { ...range, limit: size }), limit)
    },
    hasUnreadable: async (label, aroundMs) => {
      if (unreadable.size === 0) return false
      const near = (await store.list(label, { limit: 1_000 })).filter(
        ({ key }) => !(Math.abs(madeAtMs(key.slice(checkoutKey('').length)) - aroundMs) > dayMs),
      )
      return unreadable.readAll(near, parseCheckoutRecord).length < near.length
    },
  }
}

function writeCheckout(grown: CheckoutRecord): NewRecord {
  const checkout = withinBounds(grown)
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  if (openAttempts(checkout).length > 0 || !isSettled(checkout.binding)) labels.push(intentLabel(checkout))
  if (checkout.instructions) {
    const { place, times } = marksOf(checkout.instructions)
    labels.push(...new Set([place, ...times].map(markLabel)))
  }
  if (checkout.instructions && !checkout.binding) labels.push('unresolved')
  if (checkout.events.length > 0) labels.push('untold')
  const event = nextEvent(checkout)
  const telling = event && event.failures > 0 ? 'tell again' : 'tell'
  return {
    key: checkoutKey(checkout.id),
    value: JSON.stringify(checkout),
    due: [...dueIn(lookQueue(checkout), checkout.nextLookAtMs), ...dueIn(telling, event?.nextTryAtMs ?? null)],
    labels,
  }
}

/** What cannot be read back is never written. @throws PaywindowError `internal` */
function parseOwn<Value>({ key, value }: NewRecord, parse: (text: string) => Value): Value {
  try {
    return parse(value)
  } catch (cause) {
    throw new PaywindowError('internal', `The record ${JSON.stringify(key)} would not be readable`, { cause })
  }
}

function dueIn(queue: Queue, atMs: number | null): { queue: Queue; atMs: number }[] {
  return atMs === null ? [] : [{ queue, atMs }]
}

function writeCart(cart: CartRecord): NewRecord {
  return { key: cartKey(cart.reference), value: JSON.stringify(cart), due: [], labels: [] }
}

function emptyCart(reference: string): CartRecord {
  return { v: 1, reference, entries: [], chosen: null }
}

function checkoutKey(id: string): string {
  return `checkout ${id}`
}

function cartKey(reference: string): string {
  return `cart ${reference}`
}

function orderKey(orderId: string): string {
  return `order ${orderId}`
}

/** The turn that creations take that could be confused. */
export function turnName(checkout: Pick<CheckoutRecord, 'method' | 'terms'>): string {
  return `turn of ${intentLabel(checkout)}`
}
