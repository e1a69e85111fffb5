/** The shared code of the SQL stores: rows as records, and leases for SQLite and D1. */
import type { Due, StoredRecord } from './store.ts'

/** Sorts after every key that Paywindow writes. */
export const afterAllKeys = '\u{10FFFF}'

/** Writes the queues of a record as JSON: a list of pairs `["look", 1700000000000]`. */
export function dueToJson(due: readonly Due[]): string {
  return JSON.stringify(due.map(({ queue, atMs }) => [queue, atMs]))
}

/**
 * A record from its row. `version` is a number, or a text in Postgres; `due` has the form of
 * `dueToJson`.
 */
export function readRow({ key, value, version, due }: Readonly<Record<string, unknown>>): StoredRecord {
  const number = Number(version)
  if (
    typeof key !== 'string' ||
    typeof value !== 'string' ||
    typeof due !== 'string' ||
    !Number.isSafeInteger(number)
  ) {
    throw new TypeError('A record of the store has columns of other types than were asked for')
  }
  const pairs: readonly (readonly [queue: string, atMs: number])[] = JSON.parse(due)
  return { key, value, version: number, due: pairs.map(([queue, atMs]) => ({ queue, atMs })) }
}

/** Creates the table of leases. */
export const createLeases = (table: string) =>
  `CREATE TABLE ${table} (name TEXT PRIMARY KEY, holder TEXT NOT NULL, taken_at_ms INTEGER NOT NULL, for_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID`

/**
 * Statements that take and release a lease, by the rule of `isHeld` in `memory.ts`. Taking it
 * changes no row while another holds it.
 *
 * @param terms - Expressions or names of parameters: the lease, its holder, the store's time, the
 *   duration.
 */
export function leaseStatements(
  table: string,
  { name, holder, nowMs, forMs }: Readonly<Record<'name' | 'holder' | 'nowMs' | 'forMs', string>>,
) {
  return {
    take: `INSERT INTO ${table} (name, holder, taken_at_ms, for_ms) VALUES (${name}, ${holder}, ${nowMs}, ${forMs})
      ON CONFLICT (name) DO UPDATE SET holder = ${holder}, taken_at_ms = ${nowMs}, for_ms = ${forMs}
      WHERE holder = ${holder} OR abs(${nowMs} - taken_at_ms) >= for_ms`,
    release: `DELETE FROM ${table} WHERE name = ${name} AND holder = ${holder}`,
  }
}
