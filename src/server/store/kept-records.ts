/**
 * Records of SQLite as they were read last. Browsers read the same few again and again, and reading and parsing a record takes more time than all
 * else of a poll. What is kept is what a read would give now: a commit of another connection shows in the version of the data, and our own
 * changes are told.
 */
import { LRUCache } from 'lru-cache'
import type { RecordList } from './sqlite.ts'
import type { StoredRecord } from './store.ts'

/** Records that are kept: those read longest ago are forgotten first. Enough for 10,000 browsers, with a cart each. */
const maxKept = 40_000
/** What they may take together, where each takes its text, in UTF-16 units, and this much more. */
const maxSize = 24_000_000
const sizeBesideText = 200

/** What reads, and tells whether another connection has committed. */
export interface Reads {
  /** Those that exist, as they are at one moment. */
  many(keys: readonly string[]): readonly StoredRecord[]
  /** Changes whenever another connection has committed. */
  version(): number
}

/** Records, and the version of the data that they were read from, or a later one. */
export interface SeenRecords {
  readonly records: readonly StoredRecord[]
  readonly version: number
}

/** Where the reader of a kept record keeps what it has made of it: V8 takes long to look after a WeakMap of all records. */
export const madeOf = Symbol('made of it')

/** A frozen record that is given out again and again. */
interface KeptRecord extends StoredRecord {
  readonly [madeOf]: { made?: unknown }
}

/** Reads what is not kept. */
export interface KeptRecords {
  /** The records of these keys that exist, as they are at one moment, in no order. */
  many(keys: readonly string[]): SeenRecords
  /** The records of a list, as they are at one moment. */
  listed(list: RecordList): SeenRecords
  /** To be called before each change of a record, whether or not that is committed. */
  changes(key: string): void
}

/** Keeps nothing at first. Nothing may be read between a change and its commit. */
export function createKeptRecords({ many, version }: Reads): KeptRecords {
  const kept = new LRUCache<string, KeptRecord>({
    max: maxKept,
    maxSize,
    sizeCalculation: ({ value }) => value.length + sizeBesideText,
  })
  let known = version()

  /** Forgets everything if another connection has committed. */
  function upToDate(): number {
    const now = version()
    if (now !== known) kept.clear()
    known = now
    return now
  }

  function keptOrRead(keys: readonly string[]): SeenRecords {
    const before = upToDate()
    const found: StoredRecord[] = []
    const missing: string[] = []
    for (const key of new Set(keys)) {
      const record = kept.get(key)
      if (record) found.push(record)
      else missing.push(key)
    }
    if (missing.length === 0) return { records: found, version: before }
    const read = many(missing)
    const after = upToDate()
    // What was kept may be older than what was read just now.
    if (after !== before && found.length > 0) return { records: many(keys), version: version() }
    if (after === before) for (const record of read) kept.set(record.key, frozen(record))
    return { records: [...found, ...read], version: after }
  }

  return {
    many: keptOrRead,
    listed: (list) => {
      const before = upToDate()
      const keys = list.keys()
      const { records, version: after } = keptOrRead(keys)
      // Another connection may have changed the list before its records were read.
      if (after !== before) return { records: list.records(), version: version() }
      const byKey = new Map(records.map((record) => [record.key, record]))
      return { records: keys.flatMap((key) => byKey.get(key) ?? []), version: after }
    },
    changes: (key) => {
      kept.delete(key)
    },
  }
}

/** The same record. A copy of it is an ordinary one. */
function frozen(record: StoredRecord): KeptRecord {
  return Object.freeze(Object.defineProperty(record as KeptRecord, madeOf, { value: {} }))
}
