/**
 * Records that this version cannot read, because they are damaged or of a newer version. Each is
 * reported once and stays in the store unchanged, for a version that can read it.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import type { Report } from '../observing/occurrence.ts'
import type { StoredRecord } from '../store/store.ts'

/** A record that cannot be read. The message does not quote its text, which holds secrets. */
export class StoredRecordError extends Error {
  override readonly name = 'StoredRecordError'

  constructor(key: string, why: string) {
    super(`The record ${recordName(key)} of the store cannot be read: ${why}`)
  }
}

/** The name of a record in errors. Never a cart's reference: a signed reference opens the cart. */
export function recordName(key: string): string {
  return referenceIn(key) === undefined ? JSON.stringify(key) : 'of a cart'
}

function referenceIn(key: string): string | undefined {
  return /^cart (.*)$/s.exec(key)?.[1]
}

/** The value, or `'unreadable'`, for callers that can go on without it. */
export function unlessUnreadable<Value>(reading: Promise<Value>): Promise<Value | 'unreadable'> {
  return reading.catch((error: unknown) => {
    if (error instanceof StoredRecordError) return 'unreadable'
    throw error
  })
}

type Parse<Value> = (record: Pick<StoredRecord, 'value' | 'due'>) => Value

/** Reads records, and remembers which cannot be read. */
export interface Unreadable {
  /** Reads a record. @throws StoredRecordError when `parse` throws. */
  read<Value>(record: StoredRecord, parse: Parse<Value>): Value
  /** Reads the records that can be read. */
  readAll<Value>(records: readonly StoredRecord[], parse: Parse<Value>): Value[]
  /** The unreadable records so far. They stay in lists, so a page needs this many more records. */
  readonly size: number
}

/** Remembers in the memory of this process only. */
export function createUnreadable(report: Report): Unreadable {
  /** By key. The watcher reads the same records every second. */
  const known = new Map<string, { readonly text: string; readonly error: StoredRecordError }>()

  function read<Value>(record: StoredRecord, parse: Parse<Value>): Value {
    const { key, value: text } = record
    const before = known.get(key)
    if (before?.text === text) throw before.error
    try {
      const value = parse(record)
      known.delete(key)
      return value
    } catch (cause) {
      // A message of JSON.parse would quote the text.
      const error = new StoredRecordError(key, cause instanceof ParseError ? cause.message : 'it is damaged')
      if (!before) {
        const words = 'It is kept as it is and not followed until a version of Paywindow runs that can read it'
        const reference = referenceIn(key)
        report(new PaywindowError('record_unreadable', `${error.message}. ${words}`), {
          ...(reference && { reference }),
        })
      }
      known.set(key, { text, error })
      throw error
    }
  }

  return {
    read,
    readAll: (records, parse) =>
      records.flatMap((record) => {
        try {
          return [read(record, parse)]
        } catch (error) {
          if (error instanceof StoredRecordError) return []
          throw error
        }
      }),
    get size() {
      return known.size
    },
  }
}
