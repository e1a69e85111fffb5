/** Stores whose calls are watched, delayed or left unanswered. */
import type { NewRecord, Replacement, Store } from '../server/store/store.ts'

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

/** The store, and all that is created and replaced in it. */
export function recording(store: Store): { readonly store: Store; readonly written: readonly NewRecord[] } {
  const written: NewRecord[] = []
  const noted = storeAround(store, (name, call, [given]) => {
    if (name === 'create' || name === 'replace') written.push(given as NewRecord)
    if (name === 'replaceMany') written.push(...(given as readonly Replacement[]).map(({ record }) => record))
    return call()
  })
  return { store: noted, written }
}
