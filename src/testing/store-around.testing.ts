/** Stores whose calls are watched, delayed or left unanswered, and stores that are replaced. */
import type { NewRecord, Store } from '../server/store/store.ts'

/** The store; each call of it is made, or not, by `around`. */
export function storeAround(
  store: Store,
  around: (name: keyof Store, call: () => unknown, values: readonly unknown[]) => unknown,
): Store {
  return new Proxy(store, {
    get: (target, name: keyof Store) => {
      const method = target[name] as (...values: readonly unknown[]) => unknown
      return (...values: readonly unknown[]) => around(name, () => method(...values), values)
    },
  })
}

/** The store; `onWritten` is called with each record that was created or replaced. */
export function storeNoting(store: Store, onWritten: (record: NewRecord) => void): Store {
  const note = (record: NewRecord, isDone: boolean) => {
    if (isDone) onWritten(record)
    return isDone
  }
  return {
    ...store,
    create: async (record) => note(record, await store.create(record)),
    replace: async (record, version) => note(record, await store.replace(record, version)),
    replaceMany: async (replacements) => {
      const done = await store.replaceMany(replacements)
      for (const { record } of replacements) note(record, done.has(record.key))
      return done
    },
  }
}

/** The store, and all that was created and replaced in it. */
export function recording(store: Store): { readonly store: Store; readonly written: readonly NewRecord[] } {
  const written: NewRecord[] = []
  return { store: storeNoting(store, (record) => written.push(record)), written }
}

/** A store in the place of which an older copy can be put while servers use it. */
export interface ReplaceableStore {
  readonly store: Store
  /** What was written, with queues and labels. */
  readonly records: ReadonlyMap<string, NewRecord>
  /** Puts an empty store with these records, and without leases, in its place. */
  become(copy: Iterable<NewRecord>): Promise<void>
}

/**
 * @param base - The first store, which is empty.
 * @param empty - Makes one.
 * @param onChange - Called with each record as it is from then on; undefined: removed.
 */
export function createReplaceableStore(
  base: Store,
  empty: () => Store | Promise<Store>,
  onChange: (key: string, record: NewRecord | undefined) => void = () => undefined,
): ReplaceableStore {
  let current = base
  const records = new Map<string, NewRecord>()

  function note(key: string, record: NewRecord | undefined): void {
    if (record) records.set(key, record)
    else records.delete(key)
    onChange(key, record)
  }

  const around = storeAround(base, (name, _, values) =>
    (current[name] as (...values: readonly unknown[]) => unknown)(...values),
  )
  return {
    records,
    become: async (copy) => {
      current = await empty()
      for (const key of [...records.keys()]) note(key, undefined)
      for (const record of copy) note(record.key, record)
      for (const record of records.values()) await current.create(record)
    },
    store: {
      ...storeNoting(around, (record) => note(record.key, record)),
      reschedule: async (reschedulings) => {
        const done = await around.reschedule(reschedulings)
        for (const { key, due } of reschedulings) {
          const record = records.get(key)
          if (record && done.has(key)) note(key, { ...record, due })
        }
        return done
      },
      remove: async (key, version) => {
        const isDone = await around.remove(key, version)
        if (isDone) note(key, undefined)
        return isDone
      },
    },
  }
}
