/** The statements of the D1 store, within its limits: a hundred parameters a statement, two million bytes a text. */
import type { D1StoreDatabase, D1StoreStatement } from './d1-schema.ts'
import { dueToJson } from './due-pairs.ts'
import { leaseStatements } from './sqlite-leases.ts'
import type { NewRecord, Replacement, Rescheduling } from './store.ts'

/** Of five parameters each. @see https://developers.cloudflare.com/d1/platform/limits/ */
const recordsInStatement = 20
/** UTF-16 units of a JSON list, each three bytes at most. */
const maxListLength = 500_000

const columns = 'r.key, r.value, r.version, r.due'

/** The database's own clock, ms since the epoch. */
const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const leases = leaseStatements('paywindow_leases', { name: '?1', holder: '?2', nowMs, forMs: '?3' })

/** Each makes statements to be run in one batch. A change returns the keys of the records that were changed. */
export function statementsOn(database: D1StoreDatabase) {
  const one = (text: string, ...values: unknown[]) => [database.prepare(text).bind(...values)]
  /** The statement for each part of a list, which is its only parameter. */
  const forParts = (text: string, items: readonly unknown[]) => jsonLists(items).flatMap((list) => one(text, list))

  return {
    create: ({ key, value, labels, due }: NewRecord) =>
      one(
        `INSERT INTO paywindow_records (key, version, value, labels, due) VALUES (?1, 1, ?2, ?3, ?4)
          ON CONFLICT DO NOTHING RETURNING key`,
        key,
        value,
        JSON.stringify(labels),
        dueToJson(due),
      ),
    replace: (all: readonly Replacement[]): D1StoreStatement[] =>
      parts(all).flatMap((part) => one(replacing(part.length), ...part.flatMap(replacementValues))),
    reschedule: (all: readonly Rescheduling[]) =>
      forParts(
        `UPDATE paywindow_records AS r SET due = c.value ->> 2 FROM json_each(?1) c
          WHERE r.key = c.value ->> 0 AND r.version = c.value ->> 1 RETURNING key`,
        all.map(({ key, version, due }) => [key, version, due.map(({ queue, atMs }) => [queue, atMs])]),
      ),
    remove: (key: string, version: number) =>
      one('DELETE FROM paywindow_records WHERE key = ?1 AND version = ?2 RETURNING key', key, version),
    read: (keys: readonly string[]) =>
      forParts(`SELECT ${columns} FROM paywindow_records r WHERE r.key IN (SELECT value FROM json_each(?1))`, keys),
    listDue: (queue: string, untilMs: number, limit: number) =>
      one(
        `SELECT ${columns} FROM paywindow_due d JOIN paywindow_records r ON r.key = d.key
          WHERE d.queue = ?1 AND d.at_ms <= ?2 ORDER BY d.at_ms, d.key LIMIT ?3`,
        queue,
        untilMs,
        limit,
      ),
    // U+10FFFF sorts after every key that Paywindow writes.
    list: (label: string, before = '\u{10FFFF}', limit: number) =>
      one(
        `SELECT ${columns} FROM paywindow_labels l JOIN paywindow_records r ON r.key = l.key
          WHERE l.label = ?1 AND l.key < ?2 ORDER BY l.key DESC LIMIT ?3`,
        label,
        before,
        limit,
      ),
    lease: (name: string, holder: string, forMs: number) => one(`${leases.take} RETURNING name`, name, holder, forMs),
    release: (name: string, holder: string) => one(leases.release, name, holder),
  }
}

function replacing(count: number): string {
  const rows = Array.from({ length: count }, () => '(?, ?, ?, ?, ?)').join(', ')
  return `WITH c (key, version, value, labels, due) AS (VALUES ${rows})
    UPDATE paywindow_records AS r SET version = r.version + 1, value = c.value, labels = c.labels, due = c.due FROM c
    WHERE r.key = c.key AND r.version = c.version RETURNING key`
}

function replacementValues({ record: { key, value, labels, due }, version }: Replacement): unknown[] {
  return [key, version, value, JSON.stringify(labels), dueToJson(due)]
}

function parts(all: readonly Replacement[]): (readonly Replacement[])[] {
  const count = Math.ceil(all.length / recordsInStatement)
  return Array.from({ length: count }, (_, at) => all.slice(at * recordsInStatement, (at + 1) * recordsInStatement))
}

/** The items as JSON lists that D1 takes as a text. */
function jsonLists(items: readonly unknown[]): string[] {
  const lists: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const text of items.map((item) => JSON.stringify(item))) {
    length += text.length + 1
    if (length > maxListLength) {
      lists.push([])
      length = text.length + 1
    }
    lists.at(-1)?.push(text)
  }
  return lists.map((texts) => `[${texts.join()}]`)
}
