/** The store of a segment, which can be backed up and restored, as a merchant does after losing a disk. */
import type { NewRecord, Store } from '../../../src/server/store/store.ts'

/** The store and its backup. */
export interface Backups {
  readonly store: Store
  /** A record as it was written, with its queues and labels. */
  record(key: string): NewRecord | undefined
  /** Takes a copy; only the first one is kept. */
  take(): void
  /** Replaces the store by the copy; leases are lost. Resolves with the restored records; undefined without a copy. */
  restore(): Promise<readonly NewRecord[] | undefined>
}

/** Creates an empty store without a copy. @param empty - Makes one. */
export async function createBackups(empty: () => Promise<Store>): Promise<Backups> {
  let base = await empty()
  let records = new Map<string, NewRecord>()
  let copy: ReadonlyMap<string, NewRecord> | undefined

  function noted(record: NewRecord, isDone: boolean): boolean {
    if (isDone) records.set(record.key, record)
    return isDone
  }

  return {
    record: (key) => records.get(key),
    take: () => {
      copy ??= new Map(records)
    },
    restore: async () => {
      if (!copy) return undefined
      base = await empty()
      records = new Map(copy)
      for (const record of records.values()) await base.create(record)
      return [...records.values()]
    },
    store: {
      create: async (record) => noted(record, await base.create(record)),
      replace: async (record, version) => noted(record, await base.replace(record, version)),
      replaceMany: async (replacements) => {
        const replaced = await base.replaceMany(replacements)
        for (const { record } of replacements) noted(record, replaced.has(record.key))
        return replaced
      },
      reschedule: async (reschedulings) => {
        const changed = await base.reschedule(reschedulings)
        for (const { key, due } of reschedulings) {
          const record = records.get(key)
          if (record && changed.has(key)) records.set(key, { ...record, due })
        }
        return changed
      },
      remove: async (key, version) => {
        const isDone = await base.remove(key, version)
        if (isDone) records.delete(key)
        return isDone
      },
      read: (key) => base.read(key),
      readMany: (keys) => base.readMany(keys),
      listDue: (queue, nowMs, limit) => base.listDue(queue, nowMs, limit),
      list: (label, options) => base.list(label, options),
      lease: (name, holder, forMs) => base.lease(name, holder, forMs),
      release: (name, holder) => base.release(name, holder),
      close: () => base.close(),
    },
  }
}
