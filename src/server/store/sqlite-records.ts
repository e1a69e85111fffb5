/**
 * Records in SQLite: those in use in one table, as text, and archived ones in another, compressed. To callers they are one: a key is in
 * one of the two, and each read is one statement, so that another process cannot move a record in between.
 */
import type { DatabaseSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { NewRecord, Replacement, StoredRecord } from './store.ts'

/** Free pages that are taken out of the file with each archived or removed record, of 4 KiB: more than one record leaves. */
const pagesFreed = 4

/** Statements that read records, wherever they are. */
export function prepareReads(database: DatabaseSync) {
  const many = database.prepare(
    `WITH wanted AS (SELECT value AS key FROM json_each(?))
     SELECT key, value, version FROM records WHERE key IN wanted
     UNION ALL SELECT key, value, version FROM archive WHERE key IN wanted`,
  )
  const due = database.prepare(
    'SELECT r.key, r.value, r.version FROM due d JOIN records r ON r.key = d.key WHERE d.queue = ? AND d.at_ms <= ? ORDER BY d.at_ms, d.key LIMIT ?',
  )
  const labelled = database.prepare(
    `SELECT l.key, coalesce(r.value, a.value) AS value, coalesce(r.version, a.version) AS version
     FROM labels l LEFT JOIN records r ON r.key = l.key LEFT JOIN archive a ON a.key = l.key
     WHERE l.label = ? AND l.key < ? ORDER BY l.key DESC LIMIT ?`,
  )
  return {
    many: (keys: readonly string[]) => many.all(JSON.stringify(keys)).map(readRow),
    due: (queue: string, nowMs: number, limit: number) => due.all(queue, nowMs, limit).map(readRow),
    // U+10FFFF sorts after every key that Paywindow writes.
    labelled: (label: string, before = '\u{10FFFF}', limit: number) => labelled.all(label, before, limit).map(readRow),
  }
}

/** Changes of one record with its labels and queues, to be run in a transaction. Each returns whether anything was changed. */
export function prepareChanges(database: DatabaseSync) {
  const create = database.prepare(
    'INSERT INTO records (key, version, value) SELECT :key, 1, :value WHERE :key NOT IN (SELECT key FROM archive) ON CONFLICT DO NOTHING',
  )
  const update = database.prepare('UPDATE records SET version = version + 1, value = ? WHERE key = ? AND version = ?')
  const insert = database.prepare('INSERT INTO records (key, version, value) VALUES (?, ?, ?)')
  const archive = database.prepare('INSERT INTO archive (key, version, value) VALUES (?, ?, ?)')
  const erases = ['records', 'archive'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE key = ? AND version = ?`),
  )
  const putOnLists = preparePutOnLists(database)

  function erase(key: string, version: number): boolean {
    const isErased = erases.some((each) => each.run(key, version).changes !== 0)
    if (isErased) database.exec(`PRAGMA incremental_vacuum(${pagesFreed})`)
    return isErased
  }

  return {
    create: (record: NewRecord) =>
      create.run({ key: record.key, value: record.value }).changes !== 0 && putOnLists(record),
    replace: ({ record, version }: Replacement) => {
      const { key, value, isArchived = false } = record
      if (!isArchived && update.run(value, key, version).changes !== 0) return putOnLists(record)
      if (!erase(key, version)) return false
      if (isArchived) archive.run(key, version + 1, deflateRawSync(value))
      else insert.run(key, version + 1, value)
      return putOnLists(record)
    },
    remove: (key: string, version: number) => erase(key, version) && putOnLists({ key, labels: [], due: [] }),
  }
}

/** Brings the labels and queues of a record up to date. */
function preparePutOnLists(database: DatabaseSync) {
  const labelsOf = database.prepare('SELECT label FROM labels WHERE key = ?')
  const unlabel = database.prepare('DELETE FROM labels WHERE label = ? AND key = ?')
  const label = database.prepare('INSERT INTO labels (label, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const unqueue = database.prepare('DELETE FROM due WHERE key = ?')
  const enqueue = database.prepare('INSERT INTO due (queue, at_ms, key) VALUES (?, ?, ?)')
  return ({ key, labels, due }: Pick<NewRecord, 'key' | 'labels' | 'due'>): true => {
    // Most writes change no label, and each label costs two rows.
    const before = new Set(labelsOf.all(key).map(({ label: name }) => String(name)))
    for (const name of labels) if (!before.delete(name)) label.run(name, key)
    for (const name of before) unlabel.run(name, key)
    unqueue.run(key)
    for (const { queue, atMs } of due) enqueue.run(queue, atMs, key)
    return true
  }
}

function readRow({ key, value, version }: Record<string, unknown>): StoredRecord {
  const text = value instanceof Uint8Array ? inflateRawSync(value).toString() : value
  if (typeof key !== 'string' || typeof text !== 'string' || typeof version !== 'number') {
    throw new TypeError('A record of the store has columns of other types than were written')
  }
  return { key, value: text, version }
}
