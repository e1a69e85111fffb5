/** How a server calls its store: each call ends in time, and reads that meet share a call. */
import type { Clock } from '../../service/clock.ts'
import { endsWithin } from '../../service/within.ts'
import type { Store, StoredRecord } from './store.ts'

/**
 * Longer than a database takes that is merely slow. A browser has mostly asked again by then: after
 * 12 s, or 30 s for a new checkout.
 */
const storeMs = 30_000

/** A call of the store that has not ended in time. It may still be going on. */
export class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError'
}

/**
 * The same store. A call that has not ended after half a minute rejects with `StoreTimeoutError`:
 * whether it changed something is not known. Calls of `readMany` share one call of the store, as
 * `createSharedReads` says.
 */
export function storeInTime(store: Store, clock: Pick<Clock, 'now' | 'sleep'>): Store {
  async function limited<Value>(name: keyof Store, work: Promise<Value>): Promise<Value> {
    if (await endsWithin(clock, storeMs, work)) return work
    throw new StoreTimeoutError(
      `The store has not answered ${name} for ${storeMs} ms: does its driver notice dead connections?`,
    )
  }
  return {
    create: (record) => limited('create', store.create(record)),
    read: (key) => limited('read', store.read(key)),
    readMany: createSharedReads((keys) => limited('readMany', store.readMany(keys)), clock),
    replace: (record, version) => limited('replace', store.replace(record, version)),
    replaceMany: (replacements) => limited('replaceMany', store.replaceMany(replacements)),
    reschedule: (reschedulings) => limited('reschedule', store.reschedule(reschedulings)),
    remove: (key, version) => limited('remove', store.remove(key, version)),
    listDue: (queue, nowMs, limit) => limited('listDue', store.listDue(queue, nowMs, limit)),
    list: (label, options) => limited('list', store.list(label, options)),
    lease: (name, holder, forMs) => limited('lease', store.lease(name, holder, forMs)),
    release: (name, holder) => limited('release', store.release(name, holder)),
    close: () => store.close(),
  }
}

/**
 * A poll reads a cart and its checkouts. Whoever reads more keys does not make polls wait for them.
 */
const fewKeys = 20
/** What one call reads at most. */
const manyKeys = 500
/** A read waits this long at most. The one before it may never end. */
const waitMs = 25

interface SharedRead {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, StoredRecord>>
}

/**
 * Reads a few keys for many callers. While one read is under way, those who ask meanwhile share the
 * next: forty keys are twice as much work for Postgres and its driver as two. It begins when the one
 * before has ended and as much time again has passed, or after 25 ms. Each read begins after all of
 * its callers have asked, so nobody gets an older record.
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
