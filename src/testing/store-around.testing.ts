/** Stores whose calls are watched, delayed or left unanswered. */
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
