/** Stores whose calls are watched, delayed or left unanswered. */
import type { Store } from '../server/store/store.ts'

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
