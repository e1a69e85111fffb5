/**
 * A cache of SQLite's records. Browsers and the watcher read the same few again and again. Reading
 * and parsing a record takes more time than the rest of a poll, and a page of a thousand records
 * would block the event loop.
 */
import { LRUCache } from 'lru-cache'
import type { StoredRecord } from './store.ts'

/** Kept records, enough for 10,000 browsers with a cart each. The least recently read go first. */
const maxKept = 40_000
/** Their size together, in UTF-16 units of text, plus `sizeBesideText` for each record. */
const maxSize = 24_000_000
const sizeBesideText = 200

/** Where a reader keeps the parsed record. A WeakMap of all records would be slow in V8. */
export const madeOf = Symbol('made of it')

/** A frozen record, shared by all its readers. */
type KeptRecord = StoredRecord & { readonly [madeOf]: { made?: unknown } }

/** Reads the records of these keys that exist, in no order. */
export type ReadMany = (keys: readonly string[]) => readonly StoredRecord[]

/**
 * Keeps nothing at first. A transaction reads or changes, but not both.
 *
 * @param read - Reads what is not kept.
 */
export function createKeptRecords(read: ReadMany) {
  const kept = new LRUCache<string, KeptRecord>({
    max: maxKept,
    maxSize,
    sizeCalculation: ({ value }) => value.length + sizeBesideText,
  })
  let known: number | undefined
  return {
    /** Use it within a transaction, so that all records are of one moment. */
    many: (keys: readonly string[]): readonly StoredRecord[] => {
      const found: StoredRecord[] = []
      const missing: string[] = []
      for (const key of new Set(keys)) {
        const record = kept.get(key)
        if (record) found.push(record)
        else missing.push(key)
      }
      if (missing.length === 0) return found
      const others = read(missing).map(frozen)
      for (const record of others) kept.set(record.key, record)
      return [...found, ...others]
    },
    /**
     * Call it first in each transaction, with the version of the data, which each commit of another
     * connection changes.
     */
    begin: (version: number) => {
      if (version !== known) kept.clear()
      known = version
    },
    /** Call it before each change of a record, committed or not. */
    changes: (key: string) => void kept.delete(key),
  }
}

/** The same record, frozen. A copy of it is an ordinary one. */
function frozen(record: StoredRecord): KeptRecord {
  return Object.freeze(Object.defineProperty(record as KeptRecord, madeOf, { value: {} }))
}
