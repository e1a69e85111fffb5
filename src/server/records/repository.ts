/** The one place that reads and writes records. */
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

/** Reading and changing reject with a StoredRecordError where the record cannot be read; lists leave such records out. */

/** Reads and writes records. */
export interface Repository {
  readonly store: Store
  readCheckout(id: string): Promise<CheckoutRecord | undefined>
  /** Those that exist and can be read, in no order. */
  readCheckouts(ids: readonly string[]): Promise<readonly CheckoutRecord[]>
  /** Creates the checkout unless it exists. Resolves with whether it did. */
  createCheckout(checkout: CheckoutRecord): Promise<boolean>
  /**
   * Changes a checkout as it is now; `change` may run more than once and returns its argument to leave it.
   * Resolves with what is stored afterwards.
   */
  updateCheckout(id: string, change: (checkout: CheckoutRecord) => CheckoutRecord): Promise<CheckoutRecord>
  /** Changes many as `updateCheckout` does, with as few writes as can be. Resolves with those that exist and can be read. */
  updateCheckouts(
    ids: readonly string[],
    change: (checkout: CheckoutRecord) => CheckoutRecord,
  ): Promise<readonly CheckoutRecord[]>
  /** A cart and checkouts, as they were at one moment; checkouts that are not stored are left out. */
  readTogether(
    reference: string,
    checkoutIds: readonly string[],
  ): Promise<{ readonly cart: CartRecord; readonly checkouts: readonly CheckoutRecord[] }>
  readCart(reference: string): Promise<CartRecord>
  updateCart(reference: string, change: (cart: CartRecord) => CartRecord): Promise<CartRecord>
  /** Changes what the servers say of themselves. */
  updateServers(change: (servers: Servers) => Servers): Promise<Servers>
  /** Changes what is remembered of orders that no checkout has. */
  updateStrays(change: (strays: Strays) => Strays): Promise<Strays>
  /**
   * Claims an order for a checkout, for good, and takes it from one that is not bound to it. Resolves with the id of the checkout that has it.
   * By this claim only a checkout may be bound whose revision was the same before: `createBindTo` does that.
   */
  claimOrder(orderId: string, checkoutId: string): Promise<string>
  /** Which checkout has claimed an order, or undefined. It may not be bound to it. */
  ownerOf(orderId: string): Promise<string | undefined>
  /** The same for many, by the ids of the orders. */
  ownersOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Gives an order back that the checkout has claimed and is not bound to, or that is gone. */
  disownOrder(orderId: string, checkoutId: string): Promise<void>
  /** Deletes a checkout and its place in the cart, if it may be as it stands in the store now. Orders that it was bound to stay claimed. */
  forget(checkout: CheckoutRecord, isForgettable: (latest: CheckoutRecord) => boolean): Promise<void>
  /** Archives those checkouts that wait for nothing now. The next change of one brings it back. */
  archive(ids: readonly string[]): Promise<void>
  /** Checkouts that are due in a queue, the longest due first. */
  listDue(queue: Queue, nowMs: number, limit: number): Promise<CheckoutRecord[]>
  /** Newest first; `before` is a checkout id. */
  listCheckouts(label: CheckoutLabel, options: { before?: string; limit: number }): Promise<CheckoutRecord[]>
  /** Whether a record that cannot be read bears the label and was made within a day of this time. */
  hasUnreadable(label: CheckoutLabel, aroundMs: number): Promise<boolean>
}

/** Changes are compare-and-set: `change` runs again if somebody else was faster. */
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
    ...createEndings(store, unreadable, updateCart),
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

    /** Reads a page of checkouts, and as much more as it takes to have `limit` that can be read. */
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

/** Changes many records. Those that somebody else changed meanwhile are changed one by one. */
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

/** Resolves with the keys of those that nobody else had changed. */
async function replaceAll(
  store: Store,
  changes: readonly { readonly before: StoredRecord; readonly record: NewRecord }[],
): Promise<ReadonlySet<string>> {
  const isPutOff = ({ before, record }: (typeof changes)[number]) => before.value === record.value
  const puttingOff = changes.filter(isPutOff).map(({ before: { version }, record }) => ({ ...record, version }))
  const replacements = changes
    .filter((each) => !isPutOff(each))
    .map(({ before: { version }, record }) => ({ record, version }))
  const [rescheduled, replaced] = await Promise.all([
    puttingOff.length === 0 ? new Set<string>() : store.reschedule(puttingOff),
    replacements.length === 0 ? new Set<string>() : store.replaceMany(replacements),
  ])
  return new Set([...rescheduled, ...replaced])
}

/** Labels follow from the text. So if that is the same, only the queues can differ. */
async function replace(store: Store, { value, version }: StoredRecord, record: NewRecord): Promise<boolean> {
  if (record.value !== value) return store.replace(record, version)
  return (await store.reschedule([{ ...record, version }])).has(record.key)
}

/** A record that could not be read back is never written. @throws PaywindowError `internal` */
function parseOwn<Value>(record: NewRecord, parse: RecordKind<Value>['parse']): Value {
  try {
    return parse(record)
  } catch (cause) {
    throw new PaywindowError('internal', `The record ${recordName(record.key)} would not be readable`, { cause })
  }
}

type Claims = Pick<Repository, 'claimOrder' | 'ownerOf' | 'ownersOf' | 'disownOrder'>

/**
 * The owner of a claim that was given back. Its record stays, because then its version only rises: whatever a given-up call does later, it does to a
 * version that is not there any more.
 */
const nobody = 'nobody'
/** Somebody else was faster each time. */
const maxTries = 20

const keyOf = (orderId: string) => `order ${orderId}`

/** @param checkouts - The repository's. */
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
   * Whether a claim can be taken from its owner: it is not bound to the order. A process that is about to bind it by that claim finds another
   * revision, and has to claim again. A checkout that is gone or cannot be read keeps what it has.
   */
  async function letsGo(ownerId: string, orderId: string): Promise<boolean> {
    const owner = await unlessUnreadable(readCheckout(ownerId))
    if (owner === undefined || owner === 'unreadable' || owner.binding?.orderId === orderId) return false
    // What is bound changes its revision by itself before it can be bound to another order.
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
        const isFree = ownerId === checkoutId || ownerId === nobody || (await letsGo(ownerId, orderId))
        if (!isFree) return ownerId
        // Its own is written again, too: whoever is about to take it must find another version.
        if (await store.replace(claim, version)) return checkoutId
      }
      throw new PaywindowError('internal', `The claim of order ${orderId} changes faster than it can be written`)
    },
    disownOrder: async (orderId, checkoutId) => {
      const stored = await store.read(keyOf(orderId))
      if (stored?.value !== checkoutId) return
      const isGone = (await unlessUnreadable(readCheckout(checkoutId))) === undefined
      if (!isGone && !(await letsGo(checkoutId, orderId))) return
      await store.replace({ key: stored.key, value: nobody, due: [], labels: [] }, stored.version)
    },
  }
}

/** @param updateCart - The repository's. */
function createEndings(
  store: Store,
  unreadable: Unreadable,
  updateCart: Repository['updateCart'],
): Pick<Repository, 'forget' | 'archive'> {
  return {
    forget: async ({ id, reference }, isForgettable) => {
      const stored = await store.read(checkoutKind.keyOf(id))
      const [latest] = stored ? unreadable.readAll([stored], checkoutKind.parse) : []
      if (!stored || !latest || !isForgettable(latest)) return
      // Where another process has changed it since, it stays.
      if (!(await store.remove(stored.key, stored.version))) return
      // An unreadable cart keeps the id. An empty one stays: in a new one versions would begin again, and a late write could fit.
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
      // Those that somebody changed meanwhile are left out, and stay due.
      if (replacements.length > 0) await store.replaceMany(replacements)
    },
  }
}
