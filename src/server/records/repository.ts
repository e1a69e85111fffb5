/**
 * The only code that reads and writes records of the store. Every change is compare-and-set.
 * Reading or changing an unreadable record rejects with a StoredRecordError; lists leave it out.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import { archivingAtMs } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { CartRecord, CheckoutLabel, CheckoutRecord, WholeCart } from '../core/types.ts'
import type { Report } from '../observing/occurrence.ts'
import type { ListOptions, NewRecord, Store, StoredRecord } from '../store/store.ts'
import { createClaims } from './claims.ts'
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
export type Repository = ReturnType<typeof createRepository>

type Change<Value> = (value: Value) => Value

/** Creates the repository of a store. Each unreadable record is reported once. */
export function createRepository(store: Store, report: Report = () => undefined) {
  const unreadable = createUnreadable(report)
  const records = createRecords(store, unreadable)
  const readCheckout = (id: string) => records.read(checkoutKind, id)
  const updateCheckout = (id: string, change: Change<CheckoutRecord>) => records.update(checkoutKind, id, change)
  const updateCart = (reference: string, change: Change<CartRecord>) => records.update(cartKind, reference, change)

  return {
    store,
    readCheckout,
    /** The checkouts that exist and can be read, in no order. */
    readCheckouts: async (ids: readonly string[]): Promise<readonly CheckoutRecord[]> =>
      unreadable.readAll(await store.readMany(ids.map(checkoutKind.keyOf)), checkoutKind.parse),
    /** Creates the checkout unless it exists. Resolves with whether it did. */
    createCheckout: async (checkout: CheckoutRecord) => {
      const record = checkoutKind.write(checkout)
      parseOwn(record, checkoutKind.parse)
      return store.create(record)
    },
    /**
     * Changes a checkout and resolves with the stored result. `change` runs again if another
     * process was faster. Nothing is written if it returns its argument.
     */
    updateCheckout,
    /**
     * Changes many checkouts as `updateCheckout` does, with few calls of the store. Resolves with
     * the checkouts that exist and can be read.
     */
    updateCheckouts: records.updateMany,
    /** A cart and checkouts, all of one moment. Checkouts that are not stored are left out. */
    readTogether: async (reference: string, checkoutIds: readonly string[]): Promise<WholeCart> => {
      const cartKey = cartKind.keyOf(reference)
      const stored = await store.readMany([cartKey, ...checkoutIds.map(checkoutKind.keyOf)])
      const cart = stored.find(({ key }) => key === cartKey)
      return {
        cart: cart ? unreadable.read(cart, cartKind.parse) : cartKind.absent(reference),
        checkouts: stored.filter((each) => each !== cart).map((each) => unreadable.read(each, checkoutKind.parse)),
      }
    },
    readCart: async (reference: string) => (await records.read(cartKind, reference)) ?? cartKind.absent(reference),
    updateCart,
    /** Changes the list of servers that send requests to the service. */
    updateServers: async (change: Change<Servers>) =>
      (await records.update(serversKind, '', (record) => ({ ...record, servers: change(record.servers) }))).servers,
    /** Changes the memory of orders that no checkout has. */
    updateStrays: (change: Change<Strays>) => records.update(straysKind, '', change),
    ...createClaims(store, { read: (id) => unlessUnreadable(readCheckout(id)), update: updateCheckout }),
    ...createRemovals(store, unreadable, updateCart),
    /** Checkouts that are due in a queue, the earliest due first. */
    listDue: (queue: Queue, nowMs: number, limit: number) =>
      records.readPage((size) => store.listDue(queue, nowMs, size), limit),
    /** Checkouts with a label, newest first. `before` is the id of a checkout. */
    listCheckouts: (label: CheckoutLabel, { before, limit }: ListOptions) => {
      const range = before === undefined ? {} : { before: checkoutKind.keyOf(before) }
      return records.readPage((size) => store.list(label, { ...range, limit: size }), limit)
    },
    /** Whether a record with this label, created within a day of this time, is unreadable. */
    hasUnreadable: async (label: CheckoutLabel, aroundMs: number) => {
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
    change: Change<Value>,
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
    throw new PaywindowError('internal', `The record ${recordName(key)} changes faster than it can be written`)
  }

  return {
    update,
    async read<Value>({ keyOf, parse }: RecordKind<Value>, id: string): Promise<Value | undefined> {
      const stored = await store.read(keyOf(id))
      return stored && unreadable.read(stored, parse)
    },

    /**
     * Changes many checkouts at once, and those that another process changed meanwhile one by one.
     */
    async updateMany(ids: readonly string[], change: Change<CheckoutRecord>): Promise<readonly CheckoutRecord[]> {
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
 * Writes the records that no other process has changed, and resolves with their keys. With an
 * unchanged text the store writes only the queues.
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
 * Parses a record before it is written, so that it can be read back.
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
  updateCart: (reference: string, change: Change<CartRecord>) => Promise<CartRecord>,
) {
  return {
    /**
     * Deletes a checkout and its entry in the cart, if `isForgettable` holds for the stored record.
     * The claim of its order stays.
     */
    forget: async ({ id, reference }: CheckoutRecord, isForgettable: (latest: CheckoutRecord) => boolean) => {
      const stored = await store.read(checkoutKind.keyOf(id))
      const [latest] = stored ? unreadable.readAll([stored], checkoutKind.parse) : []
      if (!stored || !latest || !isForgettable(latest)) return
      // Another process has changed the checkout: it stays.
      if (!(await store.remove(stored.key, stored.version))) return
      // An empty cart stays: a late write could match the low versions of a new record. An
      // unreadable cart keeps the id.
      await unlessUnreadable(
        updateCart(reference, (cart) => ({
          ...cart,
          entries: cart.entries.filter((entry) => entry.id !== id),
        })),
      )
    },
    /** Archives the checkouts that wait for nothing. A change brings a checkout back. */
    archive: async (ids: readonly string[]) => {
      const stored = await store.readMany(ids.map(checkoutKind.keyOf))
      const replacements = stored.flatMap((record) =>
        unreadable
          .readAll([record], checkoutKind.parse)
          .filter((checkout) => archivingAtMs(checkout) !== null)
          .map((checkout) => ({ record: writeArchived(checkout), version: record.version })),
      )
      // Checkouts that another process changed meanwhile stay due.
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

/**
 * The name of a record in errors, without the reference, because a signed reference opens the cart.
 */
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
 * Reads records, and remembers the unreadable ones, which are damaged or of a newer version. They
 * stay in the store unchanged, for a version that can read them.
 */
function createUnreadable(report: Report) {
  /** By key: the watcher reads the same records every second. */
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
    /** The number of unreadable records so far, by which pages have to be longer. */
    get size() {
      return known.size
    },
  }
}
