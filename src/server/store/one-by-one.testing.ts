/** For tests that wrap a store: reading and replacing many, made of reading and replacing one. */
import type { Store } from './store.ts'

/** The store with `readMany` and `replaceMany` that call its own `read` and `replace`. */
export function oneByOne(store: Omit<Store, 'readMany' | 'replaceMany'>): Store {
  return {
    ...store,
    readMany: async (keys) => {
      const records = await Promise.all(keys.map(store.read))
      return records.filter((record) => record !== undefined)
    },
    replaceMany: async (replacements) => {
      const replaced = new Set<string>()
      for (const { record, version } of replacements) if (await store.replace(record, version)) replaced.add(record.key)
      return replaced
    },
  }
}
