/** A store that an older copy replaces while servers use it: a lagging replica, or a backup. */
import { createMemoryStore } from './memory.ts'
import type { NewRecord, Store } from './store.ts'

/** A store, and what can be lost of it. */
export interface LaggingStore extends Store {
  /** Loses the writes of the last `lagMs`; infinite: all. */
  failOver(lagMs: number): Promise<void>
  /** Loses records, by their keys, as a database without memory does. */
  evict(isLost: (key: string) => boolean): Promise<void>
}

/** @param now - The clock of the store. */
export function createLaggingStore(now: () => number): LaggingStore {
  let base = createMemoryStore(now)
  const records = new Map<string, NewRecord>()
  /** Each record as it was from a time on; undefined: not there. */
  const states: { readonly atMs: number; readonly key: string; readonly record: NewRecord | undefined }[] = []

  function note(key: string, record: NewRecord | undefined): void {
    states.push({ atMs: now(), key, record })
    if (record) records.set(key, record)
    else records.delete(key)
  }

  function written(record: NewRecord, isDone: boolean): boolean {
    if (isDone) note(record.key, record)
    return isDone
  }

  /** The records as they were at a time. */
  function asOf(atMs: number): readonly NewRecord[] {
    const then = new Map(states.filter((state) => state.atMs <= atMs).map(({ key, record }) => [key, record]))
    return [...then.values()].filter((record) => record !== undefined)
  }

  async function become(those: readonly NewRecord[]): Promise<void> {
    for (const key of [...records.keys()]) note(key, undefined)
    base = createMemoryStore(now)
    for (const record of those) written(record, await base.create(record))
  }

  return {
    failOver: (lagMs) => become(asOf(now() - lagMs)),
    evict: (isLost) => become([...records.values()].filter(({ key }) => !isLost(key))),
    create: async (record) => written(record, await base.create(record)),
    replace: async (record, version) => written(record, await base.replace(record, version)),
    replaceMany: async (replacements) => {
      const done = await base.replaceMany(replacements)
      for (const { record } of replacements) written(record, done.has(record.key))
      return done
    },
    reschedule: async (reschedulings) => {
      const done = await base.reschedule(reschedulings)
      for (const { key, due } of reschedulings) {
        const record = records.get(key)
        if (record && done.has(key)) note(key, { ...record, due })
      }
      return done
    },
    remove: async (key, version) => {
      const isDone = await base.remove(key, version)
      if (isDone) note(key, undefined)
      return isDone
    },
    read: (key) => base.read(key),
    readMany: (keys) => base.readMany(keys),
    listDue: (queue, nowMs, limit) => base.listDue(queue, nowMs, limit),
    list: (label, options) => base.list(label, options),
    lease: (name, holder, forMs) => base.lease(name, holder, forMs),
    release: (name, holder) => base.release(name, holder),
    close: () => base.close(),
  }
}
