/**
 * The only code that reads and writes records of the store. Every change is compare-and-set.
 * Reading or changing one record rejects with a StoredRecordError where it cannot be read; lists
 * leave such records out.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import { withoutSuccessor } from '../core/carts.ts'
import { archivingAtMs } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { CartRecord, CheckoutLabel, CheckoutRecord } from '../core/types.ts'
import type { Report } from '../observing/occurrence.ts'
import type { NewRecord, Store, StoredRecord } from '../store/store.ts'
import { type Claims, createClaims } from './claims.ts'
import { madeAtMs } from './ids.ts'
import {
  cartKind,
  checkoutKind,
  type Queue,
  type RecordKind,
  type Servers,
  type Strays,
  serversKind,
  straysKind,
  writeArchived,
} from './record-kinds.ts'

/** The records of one store. */
export interface Repository extends Claims {
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

/** Creates the repository of a store. Each record that cannot be read is reported once. */
export function createRepository(store: Store, report: Report = () => undefined): Repository {
  const unreadable = createUnreadable(report)
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
    updateCheckouts: records.updateMany,
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
    ...createClaims(store, { read: (id) => unlessUnreadable(readCheckout(id)), update: updateCheckout }),
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

    /** Changes many checkouts at once. Those that were changed meanwhile follow one by one. */
    async updateMany(ids: readonly string[], change: (checkout: CheckoutRecord) => CheckoutRecord) {
      const { keyOf, parse, write } = checkoutKind
      const stored = new Map((await store.readMany(ids.map(keyOf))).map((record) => [record.key, record]))
      const done: CheckoutRecord[] = []
      const changes = ids.flatMap((id) => {
        const before = stored.get(keyOf(id))
        const [current] = before ? unreadable.readAll([before], parse) : []
        if (!before || !current) return []
        const next = change(current)
        if (next === current) {
          done.push(current)
          return []
        }
        const record = write(next)
        return [{ id, before, record, readBack: parseOwn(record, parse) }]
      })
      const replaced = await replaceAll(store, changes)
      for (const { id, record, readBack } of changes)
        done.push(replaced.has(record.key) ? readBack : await update(checkoutKind, id, change))
      return done
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

/** A record that cannot be read. The message does not quote its text, which holds secrets. */
export class StoredRecordError extends Error {
  override readonly name = 'StoredRecordError'

  constructor(key: string, why: string) {
    super(`The record ${recordName(key)} of the store cannot be read: ${why}`)
  }
}

/** The name of a record in errors. Never a cart's reference: a signed reference opens the cart. */
function recordName(key: string): string {
  return referenceIn(key) === undefined ? JSON.stringify(key) : 'of a cart'
}

function referenceIn(key: string): string | undefined {
  return /^cart (.*)$/s.exec(key)?.[1]
}

/** The value, or `'unreadable'`, for callers that can go on without it. */
export function unlessUnreadable<Value>(reading: Promise<Value>): Promise<Value | 'unreadable'> {
  return reading.catch((error: unknown) => {
    if (error instanceof StoredRecordError) return 'unreadable'
    throw error
  })
}

type Unreadable = ReturnType<typeof createUnreadable>

/**
 * Reads records, and remembers those that this version cannot read, because they are damaged or of a
 * newer version. They stay in the store unchanged, for a version that can read them.
 */
function createUnreadable(report: Report) {
  /** By key. The watcher reads the same records every second. */
  const known = new Map<string, { readonly text: string; readonly error: StoredRecordError }>()

  function read<Value>(record: StoredRecord, parse: RecordKind<Value>['parse']): Value {
    const { key, value: text } = record
    const before = known.get(key)
    if (before?.text === text) throw before.error
    try {
      const value = parse(record)
      known.delete(key)
      return value
    } catch (cause) {
      // A message of JSON.parse would quote the text.
      const error = new StoredRecordError(key, cause instanceof ParseError ? cause.message : 'it is damaged')
      if (!before) {
        const words = 'It is kept as it is and not followed until a version of Paywindow runs that can read it'
        const reference = referenceIn(key)
        report(new PaywindowError('record_unreadable', `${error.message}. ${words}`), {
          ...(reference && { reference }),
        })
      }
      known.set(key, { text, error })
      throw error
    }
  }

  return {
    /** @throws StoredRecordError when `parse` throws. */
    read,
    /** Reads the records that can be read. */
    readAll: <Value>(records: readonly StoredRecord[], parse: RecordKind<Value>['parse']): Value[] =>
      records.flatMap((record) => {
        try {
          return [read(record, parse)]
        } catch (error) {
          if (error instanceof StoredRecordError) return []
          throw error
        }
      }),
    /** The unreadable records so far. They stay in lists, so a page needs this many more records. */
    get size() {
      return known.size
    },
  }
}
