/**
 * The only code that reads and writes records of the store. Every change is compare-and-set.
 * Reading or changing one record rejects with a StoredRecordError where it cannot be read; lists
 * leave such records out.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { withoutSuccessor } from '../core/carts.ts'
import { archivingAtMs } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { CartRecord, CheckoutLabel, CheckoutRecord } from '../core/types.ts'
import type { NewRecord, Store, StoredRecord } from '../store/store.ts'
import { madeAtMs } from './ids.ts'
import { cartKind, checkoutKind, type Queue, type RecordKind, writeArchived } from './record-kinds.ts'
import { type Servers, type Strays, serversKind, straysKind } from './store-records.ts'
import { createUnreadable, recordName, type Unreadable, unlessUnreadable } from './unreadable.ts'

/** The records of one store. */
export interface Repository {
  readonly store: Store
  readCheckout(id: string): Promise<CheckoutRecord | undefined>
  /** The checkouts that exist and can be read, in no order. */
  readCheckouts(ids: readonly string[]): Promise<readonly CheckoutRecord[]>
  /** Creates the checkout unless it exists. Resolves with whether it did. */
  createCheckout(checkout: CheckoutRecord): Promise<boolean>
  /**
   * Changes a checkout and resolves with the stored result. `change` runs again where another
   * process was faster. Where it returns its argument, nothing is written.
   */
  updateCheckout(id: string, change: (checkout: CheckoutRecord) => CheckoutRecord): Promise<CheckoutRecord>
  /**
   * Changes many checkouts as `updateCheckout` does, with few calls of the store. Resolves with the
   * checkouts that exist and can be read.
   */
  updateCheckouts(
    ids: readonly string[],
    change: (checkout: CheckoutRecord) => CheckoutRecord,
  ): Promise<readonly CheckoutRecord[]>
  /** A cart and checkouts, all of one moment. Checkouts that are not stored are left out. */
  readTogether(
    reference: string,
    checkoutIds: readonly string[],
  ): Promise<{ readonly cart: CartRecord; readonly checkouts: readonly CheckoutRecord[] }>
  readCart(reference: string): Promise<CartRecord>
  updateCart(reference: string, change: (cart: CartRecord) => CartRecord): Promise<CartRecord>
  /** Changes the list of servers that send requests to the service. */
  updateServers(change: (servers: Servers) => Servers): Promise<Servers>
  /** Changes the memory of orders that no checkout has. */
  updateStrays(change: (strays: Strays) => Strays): Promise<Strays>
  /**
   * Claims an order for a checkout, and takes it from a checkout that has claimed it without being
   * bound to it. Resolves with the id of the checkout that has the order now. The caller may then
   * bind the checkout only if its revision is still the revision from before the claim.
   */
  claimOrder(orderId: string, checkoutId: string): Promise<string>
  /** The id of the checkout that has claimed an order. That checkout need not be bound to it. */
  ownerOf(orderId: string): Promise<string | undefined>
  /** The same for many orders, by their ids. */
  ownersOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Gives back the claim of a checkout that is gone, or is not bound to the order. */
  disownOrder(orderId: string, checkoutId: string): Promise<void>
  /**
   * Deletes a checkout and its entry in the cart, if `isForgettable` still holds for what is
   * stored. Orders that it was bound to stay claimed.
   */
  forget(checkout: CheckoutRecord, isForgettable: (latest: CheckoutRecord) => boolean): Promise<void>
  /** Archives those of the checkouts that wait for nothing. A change brings a checkout back. */
  archive(ids: readonly string[]): Promise<void>
  /** Checkouts that are due in a queue, the earliest due first. */
  listDue(queue: Queue, nowMs: number, limit: number): Promise<CheckoutRecord[]>
  /** Checkouts with a label, newest first. `before` is the id of a checkout. */
  listCheckouts(label: CheckoutLabel, options: { before?: string; limit: number }): Promise<CheckoutRecord[]>
  /** Whether a record with this label and created within a day of this time cannot be read. */
  hasUnreadable(label: CheckoutLabel, aroundMs: number): Promise<boolean>
}

/** Creates the repository of a store. */
export function createRepository(store: Store, unreadable: Unreadable = createUnreadable(() => undefined)): Repository {
  const records = createRecords(store, unreadable)
  const readCheckout: Repository['readCheckout'] = (id) => records.read(checkoutKind, id)
  const updateCheckout: Repository['updateCheckout'] = (id, change) => records.update(checkoutKind, id, change)
  const updateCart: Repository['updateCart'] = (reference, change) => records.update(cartKind, reference, change)

  return {
    store,
    readCheckout,
    readCheckouts: async (ids) =>
      unreadable.readAll(await store.readMany(ids.map(checkoutKind.keyOf)), checkoutKind.parse),
    createCheckout: async (checkout) => {
      const record = checkoutKind.write(checkout)
      parseOwn(record, checkoutKind.parse)
      return store.create(record)
    },
    updateCheckout,
    updateCheckouts: (ids, change) =>
      updateMany({ store, unreadable, update: records.update }, checkoutKind, ids, change),
    readTogether: async (reference, checkoutIds) => {
      const cartKey = cartKind.keyOf(reference)
      const stored = await store.readMany([cartKey, ...checkoutIds.map(checkoutKind.keyOf)])
      const cart = stored.find(({ key }) => key === cartKey)
      return {
        cart: cart ? unreadable.read(cart, cartKind.parse) : cartKind.absent(reference),
        checkouts: stored.filter((each) => each !== cart).map((each) => unreadable.read(each, checkoutKind.parse)),
      }
    },
    readCart: async (reference) => (await records.read(cartKind, reference)) ?? cartKind.absent(reference),
    updateCart,
    updateServers: async (change) => {
      const changed = await records.update(serversKind, '', (record) => ({
        ...record,
        servers: change(record.servers),
      }))
      return changed.servers
    },
    updateStrays: (change) => records.update(straysKind, '', change),
    ...createClaims(store, { readCheckout, updateCheckout }),
    ...createRemovals(store, unreadable, updateCart),
    listDue: (queue, nowMs, limit) => records.readPage((size) => store.listDue(queue, nowMs, size), limit),
    listCheckouts: (label, { before, limit }) => {
      const range = before === undefined ? {} : { before: checkoutKind.keyOf(before) }
      return records.readPage((size) => store.list(label, { ...range, limit: size }), limit)
    },
    hasUnreadable: async (label, aroundMs) => {
      if (unreadable.size === 0) return false
      const isNear = ({ key }: StoredRecord) =>
        !(Math.abs(madeAtMs(key.slice(checkoutKind.keyOf('').length)) - aroundMs) > policy.search.comparedWithinMs)
      const near = (await store.list(label, { limit: 1_000 })).filter(isNear)
      return unreadable.readAll(near, checkoutKind.parse).length < near.length
    },
  }
}

type Update = ReturnType<typeof createRecords>['update']

function createRecords(store: Store, unreadable: Unreadable) {
  async function update<Value>(
    { keyOf, parse, write, absent }: RecordKind<Value>,
    id: string,
    change: (value: Value) => Value,
  ): Promise<Value> {
    const key = keyOf(id)
    for (let tries = 0; tries < 100; tries++) {
      const stored = await store.read(key)
      const current = stored ? unreadable.read(stored, parse) : absent(id)
      const next = change(current)
      if (next === current) return current
      const record = write(next)
      const readBack = parseOwn(record, parse)
      if (stored ? await replace(store, stored, record) : await store.create(record)) return readBack
    }
    throw new PaywindowError('internal', `The record ${key} changes faster than it can be written`)
  }

  return {
    update,
    async read<Value>({ keyOf, parse }: RecordKind<Value>, id: string): Promise<Value | undefined> {
      const stored = await store.read(keyOf(id))
      return stored && unreadable.read(stored, parse)
    },

    /** Reads a page of checkouts, and more records until `limit` of them can be read. */
    async readPage(
      list: (limit: number) => Promise<readonly StoredRecord[]>,
      limit: number,
    ): Promise<CheckoutRecord[]> {
      for (;;) {
        const skipped = unreadable.size
        const records = await list(limit + skipped)
        const checkouts = unreadable.readAll(records, checkoutKind.parse)
        if (checkouts.length >= limit || records.length < limit + skipped || unreadable.size <= skipped)
          return checkouts.slice(0, limit)
      }
    },
  }
}

/** Changes many records at once. Those that were changed meanwhile follow one by one. */
async function updateMany<Value>(
  { store, unreadable, update }: { store: Store; unreadable: Unreadable; update: Update },
  kind: RecordKind<Value>,
  ids: readonly string[],
  change: (value: Value) => Value,
): Promise<readonly Value[]> {
  const stored = new Map((await store.readMany(ids.map(kind.keyOf))).map((record) => [record.key, record]))
  const done: Value[] = []
  const changes: { readonly id: string; readonly before: StoredRecord; record: NewRecord; readonly readBack: Value }[] =
    []
  for (const id of ids) {
    const before = stored.get(kind.keyOf(id))
    const [current] = before ? unreadable.readAll([before], kind.parse) : []
    if (!before || current === undefined) continue
    const next = change(current)
    if (next === current) done.push(current)
    else {
      const record = kind.write(next)
      changes.push({ id, before, record, readBack: parseOwn(record, kind.parse) })
    }
  }
  const replaced = await replaceAll(store, changes)
  for (const { id, record, readBack } of changes)
    done.push(replaced.has(record.key) ? readBack : await update(kind, id, change))
  return done
}

/**
 * Writes the records that no other process has changed, and resolves with their keys. A record with
 * the same text differs only in its queues, so the store need not write its text.
 */
async function replaceAll(
  store: Store,
  changes: readonly { readonly before: StoredRecord; readonly record: NewRecord }[],
): Promise<ReadonlySet<string>> {
  const hasSameText = ({ before, record }: (typeof changes)[number]) => before.value === record.value
  const reschedulings = changes.filter(hasSameText).map(({ before: { version }, record }) => ({ ...record, version }))
  const replacements = changes
    .filter((each) => !hasSameText(each))
    .map(({ before: { version }, record }) => ({ record, version }))
  const [rescheduled, replaced] = await Promise.all([
    reschedulings.length === 0 ? new Set<string>() : store.reschedule(reschedulings),
    replacements.length === 0 ? new Set<string>() : store.replaceMany(replacements),
  ])
  return new Set([...rescheduled, ...replaced])
}

/** Writes one record as `replaceAll` does. Labels follow from the text. */
async function replace(store: Store, { value, version }: StoredRecord, record: NewRecord): Promise<boolean> {
  if (record.value !== value) return store.replace(record, version)
  return (await store.reschedule([{ ...record, version }])).has(record.key)
}

/**
 * Parses a record that is about to be written: one that could not be read back is never written.
 *
 * @throws PaywindowError `internal`
 */
function parseOwn<Value>(record: NewRecord, parse: RecordKind<Value>['parse']): Value {
  try {
    return parse(record)
  } catch (cause) {
    throw new PaywindowError('internal', `The record ${recordName(record.key)} would not be readable`, { cause })
  }
}

type Claims = Pick<Repository, 'claimOrder' | 'ownerOf' | 'ownersOf' | 'disownOrder'>

/**
 * The owner of a claim that was given back. The record is not deleted, because its version must
 * only rise: then a late write of a call that was given up finds another version, and fails.
 */
const nobody = 'nobody'
/** Each further try means that another process was faster. */
const maxTries = 20

const keyOf = (orderId: string) => `order ${orderId}`

/** Which checkout has claimed which order. */
function createClaims(
  store: Store,
  { readCheckout, updateCheckout }: Pick<Repository, 'readCheckout' | 'updateCheckout'>,
): Claims {
  const ownersOf: Claims['ownersOf'] = async (orderIds) => {
    const stored = await store.readMany(orderIds.map(keyOf))
    const claimed = stored.filter(({ value }) => value !== nobody)
    return new Map(claimed.map(({ key, value }) => [key.slice(keyOf('').length), value]))
  }

  /**
   * Makes the owner of a claim release it, unless the owner is bound to the order. Raises the
   * owner's revision: a process that is about to bind the owner by this claim then has to claim
   * again. A checkout that does not exist or cannot be read keeps its claims.
   */
  async function release(ownerId: string, orderId: string): Promise<boolean> {
    const owner = await unlessUnreadable(readCheckout(ownerId))
    if (owner === undefined || owner === 'unreadable' || owner.binding?.orderId === orderId) return false
    // A bound checkout is unbound first, which raises its revision anyway.
    const after = await updateCheckout(ownerId, (current) =>
      current.binding ? current : { ...current, revision: current.revision + 1 },
    )
    return after.binding?.orderId !== orderId
  }

  return {
    ownersOf,
    ownerOf: async (orderId) => {
      const ownerId = (await store.read(keyOf(orderId)))?.value
      return ownerId === nobody ? undefined : ownerId
    },
    claimOrder: async (orderId, checkoutId) => {
      const claim = { key: keyOf(orderId), value: checkoutId, due: [], labels: [] }
      for (let tries = 0; tries < maxTries; tries++) {
        if (await store.create(claim)) return checkoutId
        const stored = await store.read(claim.key)
        if (!stored) continue
        const { value: ownerId, version } = stored
        const isFree = ownerId === checkoutId || ownerId === nobody || (await release(ownerId, orderId))
        if (!isFree) return ownerId
        // The checkout's own claim is written again, so a process that is about to take it fails.
        if (await store.replace(claim, version)) return checkoutId
      }
      throw new PaywindowError('internal', `The claim of order ${orderId} changes faster than it can be written`)
    },
    disownOrder: async (orderId, checkoutId) => {
      const stored = await store.read(keyOf(orderId))
      if (stored?.value !== checkoutId) return
      const isGone = (await unlessUnreadable(readCheckout(checkoutId))) === undefined
      if (!isGone && !(await release(checkoutId, orderId))) return
      await store.replace({ key: stored.key, value: nobody, due: [], labels: [] }, stored.version)
    },
  }
}

/** Takes checkouts out of use: deletes or archives them. */
function createRemovals(
  store: Store,
  unreadable: Unreadable,
  updateCart: Repository['updateCart'],
): Pick<Repository, 'forget' | 'archive'> {
  return {
    forget: async ({ id, reference }, isForgettable) => {
      const stored = await store.read(checkoutKind.keyOf(id))
      const [latest] = stored ? unreadable.readAll([stored], checkoutKind.parse) : []
      if (!stored || !latest || !isForgettable(latest)) return
      // Another process has changed the checkout: it stays.
      if (!(await store.remove(stored.key, stored.version))) return
      // An empty cart stays: a new record would begin with old versions, which a late write could
      // match. A cart that cannot be read keeps the id.
      await unlessUnreadable(
        updateCart(reference, (cart) => ({
          ...cart,
          entries: withoutSuccessor(cart.entries, id).filter((entry) => entry.id !== id),
        })),
      )
    },
    archive: async (ids) => {
      const stored = await store.readMany(ids.map(checkoutKind.keyOf))
      const replacements = stored.flatMap((record) =>
        unreadable
          .readAll([record], checkoutKind.parse)
          .filter((checkout) => archivingAtMs(checkout) !== null)
          .map((checkout) => ({ record: writeArchived(checkout), version: record.version })),
      )
      // Checkouts that were changed meanwhile are not written, and stay due.
      if (replacements.length > 0) await store.replaceMany(replacements)
    },
  }
}
