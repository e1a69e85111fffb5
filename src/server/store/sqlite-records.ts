/**
 * Records in SQLite: those in use in one table, as text, and archived ones in another, compressed. To callers they are one: a key is in
 * one of the two, and each read is one statement, so that another process cannot move a record in between.
 */
import type { DatabaseSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { dueFromJson } from './due-pairs.ts'
import type { NewRecord, Replacement, Rescheduling, StoredRecord } from './store.ts'

/** Free pages that are taken out of the file with each archived or removed record, of 4 KiB: more than one record leaves. */
const pagesFreed = 4

/** The queues of the record with this key, as a JSON list of pairs. */
const dueOf = (key: string) =>
  `(SELECT json_group_array(json_array(queue, at_ms)) FROM due WHERE due.key = ${key}) AS due`

/** Reads the records that a table lists. */
const selectFrom = (table: 'due' | 'labels') =>
  `SELECT l.key, coalesce(r.value, a.value) AS value, coalesce(r.version, a.version) AS version, ${dueOf('l.key')}
   FROM ${table} l LEFT JOIN records r ON r.key = l.key LEFT JOIN archive a ON a.key = l.key`

/** A list that can be read as keys or as records, in the same order. */
export interface RecordList {
  keys(): readonly string[]
  records(): readonly StoredRecord[]
}

/** Statements that read records, wherever they are. */
export function prepareReads(database: DatabaseSync) {
  const many = database.prepare(
    `WITH wanted AS (SELECT value AS key FROM json_each(?))
     SELECT key, value, version, ${dueOf('records.key')} FROM records WHERE key IN wanted
     UNION ALL SELECT key, value, version, ${dueOf('archive.key')} FROM archive WHERE key IN wanted`,
  )
  const due = database.prepare(
    `${selectFrom('due')} WHERE l.queue = ? AND l.at_ms <= ? ORDER BY l.at_ms, l.key LIMIT ?`,
  )
  const labelled = database.prepare(
    `${selectFrom('labels')} WHERE l.label = ? AND l.key < ? ORDER BY l.key DESC LIMIT ?`,
  )
  const dueKeys = database.prepare('SELECT key FROM due WHERE queue = ? AND at_ms <= ? ORDER BY at_ms, key LIMIT ?')
  const labelledKeys = database.prepare('SELECT key FROM labels WHERE label = ? AND key < ? ORDER BY key DESC LIMIT ?')
  const keysOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ key }) => String(key))
  return {
    many: (keys: readonly string[]) => many.all(JSON.stringify(keys)).map(readRow),
    due: (queue: string, nowMs: number, limit: number): RecordList => ({
      keys: () => keysOf(dueKeys.all(queue, nowMs, limit)),
      records: () => due.all(queue, nowMs, limit).map(readRow),
    }),
    // U+10FFFF sorts after every key that Paywindow writes.
    labelled: (label: string, before = '\u{10FFFF}', limit: number): RecordList => ({
      keys: () => keysOf(labelledKeys.all(label, before, limit)),
      records: () => labelled.all(label, before, limit).map(readRow),
    }),
  }
}

/**
 * Changes of one record with its labels and queues, to be run in a transaction. Each returns whether anything was changed.
 *
 * @param onChange - Called with the key before each change.
 */
export function prepareChanges(database: DatabaseSync, onChange: (key: string) => void) {
  const create = database.prepare(
    'INSERT INTO records (key, version, value) SELECT :key, 1, :value WHERE :key NOT IN (SELECT key FROM archive) ON CONFLICT DO NOTHING',
  )
  const update = database.prepare('UPDATE records SET version = version + 1, value = ? WHERE key = ? AND version = ?')
  const insert = database.prepare('INSERT INTO records (key, version, value) VALUES (?, ?, ?)')
  const archive = database.prepare('INSERT INTO archive (key, version, value) VALUES (?, ?, ?)')
  const erases = ['records', 'archive'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE key = ? AND version = ?`),
  )
  const hasVersion = database.prepare(
    'SELECT 1 FROM records WHERE key = :key AND version = :version UNION ALL SELECT 1 FROM archive WHERE key = :key AND version = :version',
  )
  const putInQueues = preparePutInQueues(database)
  const putOnLists = preparePutOnLists(database, putInQueues)

  function erase(key: string, version: number): boolean {
    const isErased = erases.some((each) => each.run(key, version).changes !== 0)
    if (isErased) database.exec(`PRAGMA incremental_vacuum(${pagesFreed})`)
    return isErased
  }

  return {
    create: (record: NewRecord) => {
      onChange(record.key)
      return create.run({ key: record.key, value: record.value }).changes !== 0 && putOnLists(record)
    },
    replace: ({ record, version }: Replacement) => {
      const { key, value, isArchived = false } = record
      onChange(key)
      if (!isArchived && update.run(value, key, version).changes !== 0) return putOnLists(record)
      if (!erase(key, version)) return false
      if (isArchived) archive.run(key, version + 1, deflateRawSync(value))
      else insert.run(key, version + 1, value)
      return putOnLists(record)
    },
    reschedule: ({ key, due, version }: Rescheduling) => {
      onChange(key)
      return hasVersion.get({ key, version }) !== undefined && putInQueues({ key, due })
    },
    remove: (key: string, version: number) => {
      onChange(key)
      return erase(key, version) && putOnLists({ key, labels: [], due: [] })
    },
  }
}

type PutInQueues = ReturnType<typeof preparePutInQueues>

/** Brings the queues of a record up to date. */
function preparePutInQueues(database: DatabaseSync) {
  const unqueue = database.prepare('DELETE FROM due WHERE key = ?')
  const enqueue = database.prepare('INSERT INTO due (queue, at_ms, key) VALUES (?, ?, ?)')
  return ({ key, due }: Pick<NewRecord, 'key' | 'due'>): true => {
    unqueue.run(key)
    for (const { queue, atMs } of due) enqueue.run(queue, atMs, key)
    return true
  }
}

/** Brings the labels and queues of a record up to date. */
function preparePutOnLists(database: DatabaseSync, putInQueues: PutInQueues) {
  const labelsOf = database.prepare('SELECT label FROM labels WHERE key = ?')
  const unlabel = database.prepare('DELETE FROM labels WHERE label = ? AND key = ?')
  const label = database.prepare('INSERT INTO labels (label, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return ({ key, labels, due }: Pick<NewRecord, 'key' | 'labels' | 'due'>): true => {
    // Most writes change no label, and each label costs two rows.
    const before = new Set(labelsOf.all(key).map(({ label: name }) => String(name)))
    for (const name of labels) if (!before.delete(name)) label.run(name, key)
    for (const name of before) unlabel.run(name, key)
    return putInQueues({ key, due })
  }
}

function readRow({ key, value, version, due }: Record<string, unknown>): StoredRecord {
  const text = value instanceof Uint8Array ? inflateRawSync(value).toString() : value
  if (typeof key !== 'string' || typeof text !== 'string' || typeof version !== 'number' || typeof due !== 'string') {
    throw new TypeError('A record of the store has columns of other types than were written')
  }
  return { key, value: text, version, due: dueFromJson(due) }
}
