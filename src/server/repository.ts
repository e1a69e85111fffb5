/** The one place that reads and writes records: keys, labels and due times follow from the record, so nobody can forget them. */
import { canonicalDecimal, isDecimal } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import { type LookQueue, lookQueue } from './lifecycle.ts'
import type { Attempt, CartRecord, CheckoutRecord, PendingEvent } from './records.ts'
import type { NewRecord, Store } from './store/store.ts'
import { parseCart, parseCheckoutRecord } from './stored.ts'

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
  /** Keeps an icon's URL under a name that a browser may ask for. */
  keepIcon(name: string, url: string): Promise<void>
  iconUrl(name: string): Promise<string | undefined>
  /** Checkouts whose order is to be looked at, or whose merchant is to be told of a change, the longest due first. */
  listDue(queue: Queue, nowMs: number, limit: number): Promise<CheckoutRecord[]>
  /** Newest first; `before` is a checkout id. */
  listCheckouts(label: CheckoutLabel, options: { before?: string; limit: number }): Promise<CheckoutRecord[]>
}

/** What a checkout waits for: that its order is looked at, that the merchant is told. */
type Queue = LookQueue | 'tell'

/** Lists of checkouts: all, of a cart, those whose order is not known and could be confused, those with untold events. */
type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}`

/** Creations that an order of the list could be confused with: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label of a creation that asked for these. An amount that is no decimal is nobody's. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${sourceAsset.toUpperCase()} ${targetAsset.toUpperCase()} ${amount}`
}

/** The creation requests whose order, if there is one, is not known. */
export function openAttempts(checkout: CheckoutRecord): readonly Attempt[] {
  const boundAttempt = checkout.binding ? checkout.instructions?.attemptId : undefined
  return checkout.attempts.filter(({ id, orphan }) => id !== boundAttempt && orphan === null)
}

/** Whether an order of this checkout may exist that is bound to nobody. */
export function hasOpenIntent(checkout: CheckoutRecord): boolean {
  return openAttempts(checkout).length > 0
}

/** The event to tell next: the oldest that was not given up. */
export function nextEvent(checkout: CheckoutRecord): PendingEvent | undefined {
  return checkout.events.find(({ nextTryAtMs }) => nextTryAtMs !== null)
}

export function createRepository(store: Store): Repository {
  async function update<T>(
    key: string,
    change: (record: T) => T,
    parse: (text: string) => T,
    write: (record: T) => NewRecord,
    absent: () => T,
  ): Promise<T> {
    for (let tries = 0; tries < 100; tries++) {
      const stored = await store.read(key)
      const current = stored ? parse(stored.value) : absent()
      const next = change(current)
      if (next === current) return current
      if (stored ? await store.replace(write(next), stored.version) : await store.create(write(next))) return next
    }
    throw new PaywindowError('internal', `The record ${key} changes faster than it can be written`)
  }

  const owner = async (orderId: string) => (await store.read(orderKey(orderId)))?.value

  return {
    store,
    readCheckout: async (id) => {
      const stored = await store.read(checkoutKey(id))
      return stored && parseCheckoutRecord(stored.value)
    },
    createCheckout: async (checkout) => {
      await store.create(writeCheckout(checkout))
    },
    updateCheckout: (id, change) =>
      update(checkoutKey(id), change, parseCheckoutRecord, writeCheckout, () => {
        throw new PaywindowError('not_found', 'There is no such checkout')
      }),
    readCart: async (reference) => {
      const stored = await store.read(cartKey(reference))
      return stored ? parseCart(stored.value) : emptyCart(reference)
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
      await update(
        cartKey(reference),
        (cart) => ({ ...cart, entries: cart.entries.filter((entry) => entry.id !== id) }),
        parseCart,
        writeCart,
        () => emptyCart(reference),
      )
      const stored = await store.read(checkoutKey(id))
      if (stored) await store.remove(stored.key, stored.version)
    },
    keepIcon: async (name, url) => {
      await store.create({ key: `icon ${name}`, value: url, due: [], labels: [] })
    },
    iconUrl: async (name) => (await store.read(`icon ${name}`))?.value,
    listDue: async (queue, nowMs, limit) =>
      (await store.listDue(queue, nowMs, limit)).map(({ value }) => parseCheckoutRecord(value)),
    listCheckouts: async (label, { before, limit }) => {
      const range = before === undefined ? { limit } : { before: checkoutKey(before), limit }
      return (await store.list(label, range)).map(({ value }) => parseCheckoutRecord(value))
    },
  }
}

function writeCheckout(checkout: CheckoutRecord): NewRecord {
  const labels: CheckoutLabel[] = ['all', `cart ${checkout.reference}`]
  if (hasOpenIntent(checkout)) labels.push(intentLabel(checkout))
  if (checkout.instructions && !checkout.binding) labels.push('unresolved')
  if (checkout.events.length > 0) labels.push('untold')
  const nextTryAtMs = nextEvent(checkout)?.nextTryAtMs ?? null
  return {
    key: checkoutKey(checkout.id),
    value: JSON.stringify(checkout),
    due: [...dueIn(lookQueue(checkout), checkout.nextLookAtMs), ...dueIn('tell', nextTryAtMs)],
    labels,
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
