/**
 * How a server calls its store: each call ends in time, simultaneous reads share a call, and the
 * service's accounts on one store are kept apart.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { Clock } from '../../service/clock.ts'
import type { ServiceOptions } from '../../service/options.ts'
import { endsWithin } from '../../service/within.ts'
import type { Due, NewRecord, Store, StoredRecord } from './store.ts'

/**
 * Longer than a slow database takes. A browser has mostly asked again by then: after 12 s, or 30 s
 * for a new checkout.
 */
const storeMs = 30_000

/** A call of the store did not end in time, and may still go on. */
export class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError'
}

/**
 * The same store. A call that does not end within half a minute rejects with `StoreTimeoutError`,
 * and may have changed something. Calls of `readMany` share reads, as `createSharedReads` says.
 */
export function storeInTime(store: Store, clock: Pick<Clock, 'now' | 'sleep'>): Store {
  async function limited<Value>(name: keyof Store, work: Promise<Value>): Promise<Value> {
    if (await endsWithin(clock, storeMs, work)) return work
    throw new StoreTimeoutError(
      `The store has not answered ${name} for ${storeMs} ms: does its driver notice dead connections?`,
    )
  }
  return {
    ...eachCall((name, work) => limited(name, work(store))),
    readMany: createSharedReads((keys) => limited('readMany', store.readMany(keys)), clock),
    close: () => store.close(),
  }
}

/** A store without `close`. */
type Calls = Omit<Store, 'close'>

/** A store whose calls all pass through `call`. */
export function eachCall(
  call: <Value>(name: keyof Calls, work: (store: Calls) => Promise<Value>) => Promise<Value>,
): Calls {
  return {
    create: (record) => call('create', (store) => store.create(record)),
    read: (key) => call('read', (store) => store.read(key)),
    readMany: (keys) => call('readMany', (store) => store.readMany(keys)),
    replace: (record, version) => call('replace', (store) => store.replace(record, version)),
    replaceMany: (replacements) => call('replaceMany', (store) => store.replaceMany(replacements)),
    reschedule: (reschedulings) => call('reschedule', (store) => store.reschedule(reschedulings)),
    remove: (key, version) => call('remove', (store) => store.remove(key, version)),
    listDue: (queue, nowMs, limit) => call('listDue', (store) => store.listDue(queue, nowMs, limit)),
    list: (label, options) => call('list', (store) => store.list(label, options)),
    lease: (name, holder, forMs) => call('lease', (store) => store.lease(name, holder, forMs)),
    release: (name, holder) => call('release', (store) => store.release(name, holder)),
  }
}

/** A poll reads a cart and its checkouts. Larger reads are not shared, so polls wait for none. */
const fewKeys = 20
/** The most keys of one call. */
const manyKeys = 500
/** The longest wait of a read: the read before it may never end. */
const waitMs = 25

interface SharedRead {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, StoredRecord>>
}

/**
 * Reads a few keys for many callers. Callers during a read share the next: forty keys are only
 * twice as much work for Postgres and its driver as two. The next read begins after twice the time
 * of the last one, or after 25 ms, and after all of its callers have asked, so nobody gets an older
 * record.
 */
export function createSharedReads(
  readMany: Store['readMany'],
  { now, sleep }: Pick<Clock, 'now' | 'sleep'>,
): Store['readMany'] {
  /** Resolves with how long it took, in ms. */
  let underWay: Promise<number> | undefined
  let next: SharedRead | undefined

  function read(keys: readonly string[]): Promise<readonly StoredRecord[]> {
    const beganMs = now()
    const records = readMany(keys)
    const end = () => {
      if (underWay === ended) underWay = undefined
      return now() - beganMs
    }
    const ended = records.then(end, end)
    underWay = ended
    return records
  }

  function share(before: Promise<number> | undefined): SharedRead {
    const keys = new Set<string>()
    const pause = before?.then((tookMs) => (tookMs > 0 ? sleep(Math.min(tookMs, waitMs)) : undefined))
    const found = Promise.race([pause, sleep(waitMs)]).then(async () => {
      if (next === shared) next = undefined
      return new Map((await read([...keys])).map((record) => [record.key, record]))
    })
    const shared = { keys, found }
    return shared
  }

  return async (keys) => {
    if (keys.length > fewKeys) return readMany(keys)
    if (!underWay && !next) return read(keys)
    if (!next || next.keys.size > manyKeys - fewKeys) next = share(underWay)
    for (const key of keys) next.keys.add(key)
    const found = await next.found
    return [...new Set(keys)].flatMap((key) => found.get(key) ?? [])
  }
}

// Accounts of the service share no order ids, references or readings. The first account of a store
// uses it as it is. Each other account has its own records, lists, queues and leases under a
// prefix. Only checkouts and the ends of payment links have no prefix, because their names are
// unique.

/** The record that names the first account. */
export const firstAccountKey = 'account'
/** Longest keys and names that a store takes. */
const maxKey = 205
const maxName = 500
const shared = /^(?:checkout |cart link [0-9a-f]{64}$)/

/**
 * A short name for an account of the service, the same in each process. It leaves out the port,
 * which tunnels change.
 */
export function accountName({ baseUrl, subAccountId }: Pick<ServiceOptions, 'baseUrl' | 'subAccountId'>): string {
  const { hostname, pathname } = new URL(baseUrl)
  return digest(`${hostname}${pathname.replace(/\/+$/, '')} ${subAccountId.toLowerCase()}`)
}

/**
 * A store as one account sees it.
 *
 * @param onOther - Called once if the store has unfinished checkouts of another account.
 */
export function storeOfAccount(store: Store, account: string, onOther: () => void): Store {
  let isFirst: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    const record = { key: firstAccountKey, value: JSON.stringify({ v: 1, account }), due: [], labels: [] }
    const found = await store.read(firstAccountKey)
    if (!found && (await store.create(record))) return true
    const first = found ?? (await store.read(firstAccountKey))
    if (first?.value === record.value) return true
    const open = await Promise.all(
      ['look fresh', 'look', 'look old'].map((queue) => store.listDue(queue, Number.MAX_SAFE_INTEGER, 1)),
    )
    if (open.some((records) => records.length > 0)) onOther()
    return false
  }

  /** Asks until the answer is known. A failure goes to the caller. */
  function knowsFirst(): Promise<boolean> {
    isFirst ??= ask().catch((error: unknown) => {
      isFirst = undefined
      throw error
    })
    return isFirst
  }

  const others = underPrefix(store, `@${account} `)
  return { ...eachCall(async (_, work) => work((await knowsFirst()) ? store : others)), close: () => store.close() }
}

function underPrefix(store: Store, prefix: string): Calls {
  const short = (name: string, max: number) => (name.length <= max ? name : `${prefix}${digest(name)}`)
  const keyOf = (key: string) => (shared.test(key) ? key : short(prefix + key, maxKey))
  /** Names of labels and leases. */
  const nameOf = (name: string) => short(prefix + name, maxName)
  const dueOf = (due: readonly Due[]) => due.map(({ queue, atMs }) => ({ queue: prefix + queue, atMs }))
  const plain = (queue: string) => (queue.startsWith(prefix) ? queue.slice(prefix.length) : queue)
  const written = (record: NewRecord): NewRecord => ({
    ...record,
    key: keyOf(record.key),
    labels: record.labels.map(nameOf),
    due: dueOf(record.due),
  })
  /** A record as it was written, under the caller's key. */
  const read = (record: StoredRecord, key = record.key): StoredRecord => ({
    ...record,
    key,
    due: record.due.map(({ queue, atMs }) => ({ queue: plain(queue), atMs })),
  })

  return {
    create: (record) => store.create(written(record)),
    read: async (key) => {
      const found = await store.read(keyOf(key))
      return found && read(found, key)
    },
    readMany: async (keys) => {
      const asked = new Map(keys.map((key) => [keyOf(key), key]))
      return (await store.readMany([...asked.keys()])).map((record) => read(record, asked.get(record.key)))
    },
    replace: (record, version) => store.replace(written(record), version),
    replaceMany: async (all) => {
      const done = await store.replaceMany(all.map(({ record, version }) => ({ record: written(record), version })))
      return new Set(all.map(({ record }) => record.key).filter((key) => done.has(keyOf(key))))
    },
    reschedule: async (all) => {
      const done = await store.reschedule(
        all.map(({ key, due, version }) => ({ key: keyOf(key), due: dueOf(due), version })),
      )
      return new Set(all.map(({ key }) => key).filter((key) => done.has(keyOf(key))))
    },
    remove: (key, version) => store.remove(keyOf(key), version),
    listDue: async (queue, nowMs, limit) =>
      (await store.listDue(prefix + queue, nowMs, limit)).map((record) => read(record)),
    list: async (label, options) => (await store.list(nameOf(label), options)).map((record) => read(record)),
    lease: (name, holder, forMs) => store.lease(nameOf(name), holder, forMs),
    release: (name, holder) => store.release(nameOf(name), holder),
  }
}

function digest(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text))).slice(0, 12)
}
