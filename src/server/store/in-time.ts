/** Ends every call of a store in time: a driver may never say what became of one whose connection has died. */
import type { Clock } from '../../service/clock.ts'
import { endsWithin } from '../../service/within.ts'
import type { Store } from './store.ts'

/** Longer than a database takes that is merely slow. A browser has mostly asked again by then: after 12 s, or 30 s for a new checkout. */
const storeMs = 30_000

/** A call of the store that has not ended in time. It may still be going on. */
export class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError'
}

/** The same store. A call that has not ended after half a minute rejects with `StoreTimeoutError`: whether it changed something is not known. */
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
    readMany: (keys) => limited('readMany', store.readMany(keys)),
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
