/**
 * Records of SQLite as they were read last. Browsers and the watcher read the same few again and
 * again: to read and parse a record takes more time than all else of a poll, and a page of a
 * thousand of them would hold up the event loop.
 */
import { LRUCache } from 'lru-cache'
import type { StoredRecord } from './store.ts'

/**
 * Records that are kept: those read longest ago are forgotten first. Enough for 10,000 browsers,
 * with a cart each.
 */
const maxKept = 40_000
/** What they may take together, where each takes its text, in UTF-16 units, and this much more. */
const maxSize = 24_000_000
const sizeBesideText = 200

/**
 * Where the reader of a kept record keeps what it has made of it: V8 takes long to look after a
 * WeakMap of all records.
 */
export const madeOf = Symbol('made of it')

/** A frozen record that is given out again and again. */
interface KeptRecord extends StoredRecord {
  readonly [madeOf]: { made?: unknown }
}

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
    /** To be used within a transaction, so that all is of one moment. */
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
     * To be called first in each transaction, with the version of the data, which changes whenever
     * another connection has committed.
     */
    begin: (version: number) => {
      if (version !== known) kept.clear()
      known = version
    },
    /** To be called before each change of a record, whether or not that is committed. */
    changes: (key: string) => void kept.delete(key),
  }
}

/** The same record. A copy of it is an ordinary one. */
function frozen(record: StoredRecord): KeptRecord {
  return Object.freeze(Object.defineProperty(record as KeptRecord, madeOf, { value: {} }))
}
