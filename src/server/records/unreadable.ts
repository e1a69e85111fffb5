/**
 * Records that this version cannot read: damaged, or written by a newer one. Each is reported once and left in the store as it is,
 * with its labels and its times, so that a version that can read it follows it, beside this one or after it.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import type { Report } from '../observing/occurrence.ts'
import type { StoredRecord } from '../store/store.ts'

/** A record that cannot be read. Its text holds secrets, and is not quoted. */
export class StoredRecordError extends Error {
  override readonly name = 'StoredRecordError'

  constructor(key: string, why: string) {
    super(`The record ${recordName(key)} of the store cannot be read: ${why}`)
  }
}

/** How errors name a record: not by a reference, which opens the cart where it is signed. */
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

/** Reads records, and remembers those that it cannot read. */
export interface Unreadable {
  /**
   * Reads a record.
   *
   * @throws StoredRecordError when `parse` throws.
   */
  read<Value>(record: StoredRecord, parse: Parse<Value>): Value
  /** Reads those that can be read. */
  readAll<Value>(records: readonly StoredRecord[], parse: Parse<Value>): Value[]
  /** How many are known. They stay in their queues, so a page has to be read with this many more. */
  readonly size: number
}

/** Remembers in this process alone. */
export function createUnreadable(report: Report): Unreadable {
  /** By key. Watchers meet the same ones every second. */
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
      // JSON.parse quotes what it read.
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
