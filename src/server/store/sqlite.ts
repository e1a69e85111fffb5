/**
 * The durable store of Node: one SQLite file through `node:sqlite`, shared by the processes of one machine.
 * Uses the write-ahead log with full synchronisation: what a method has resolved survives a killed process and a power failure.
 */
import { DatabaseSync } from 'node:sqlite'
import { PaywindowError } from '../../contract/errors.ts'
import { makePrivate } from './private-file.ts'
import type { NewRecord, Replacement, Store, StoredRecord } from './store.ts'
import { createWriteGroups, inTransaction } from './write-groups.ts'

/** How long opening the file waits for another process that writes. */
const openMs = 5_000

/** Running the first n of these makes version n of the schema. Append only. */
const migrations = [
  `CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, due_at_ms INTEGER) STRICT, WITHOUT ROWID;
   CREATE INDEX records_due ON records (due_at_ms, key) WHERE due_at_ms IS NOT NULL;
   CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX labels_key ON labels (key);
   CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  // A record once had one due time for everything. The times of each queue are read from the record, if it can be read.
  `CREATE TABLE due (queue TEXT NOT NULL, at_ms INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (queue, at_ms, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX due_key ON due (key);
   CREATE TEMP TABLE waits AS SELECT key, due_at_ms, CASE WHEN json_valid(value) THEN value END AS json FROM records WHERE due_at_ms IS NOT NULL;
   INSERT INTO due SELECT 'look', iif(json IS NULL, due_at_ms, json ->> 'nextLookAtMs'), key FROM waits
     WHERE json IS NULL OR json_type(json, '$.nextLookAtMs') = 'integer';
   INSERT INTO due SELECT 'tell', min(event.json ->> 'nextTryAtMs'), event.key FROM (
       SELECT waits.key, iif(each.type = 'object', each.value, '{}') AS json FROM waits, json_each(coalesce(waits.json, '{}'), '$.events') each
     ) event WHERE json_type(event.json, '$.nextTryAtMs') = 'integer' GROUP BY event.key;
   DROP TABLE waits;
   DROP INDEX records_due;
   ALTER TABLE records DROP COLUMN due_at_ms;
   DROP TABLE leases;
   CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, taken_at_ms INTEGER NOT NULL, for_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  // Icons of offers once had records, which nothing removed.
  `DELETE FROM records WHERE key GLOB 'icon *'`,
]

/**
 * Opens the store, and makes the file and its folder when they are missing: 0600 and 0700, for this user alone.
 *
 * @param path - A file path; `':memory:'` for a store that is gone with the process.
 * @param now - The clock that leases run by, ms since the epoch. Default: the machine's, which its processes share.
 * @throws PaywindowError `invalid_options` when the file was written by a newer version of Paywindow.
 *
 * @example
 * ```ts
 * const store = createSqliteStore(':memory:')
 * await store.create({ key: 'a', value: '{}', labels: [], due: [] })
 * await store.read('a') // => { key: 'a', value: '{}', version: 1 }
 * await store.close()
 * ```
 */
export function createSqliteStore(path: string, now: () => number = Date.now): Store {
  if (path !== ':memory:') makePrivate(path)
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA busy_timeout = ${openMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`)
  migrate(database, path)
  const groups = createWriteGroups(database)

  const changes = prepareChanges(database)
  const leases = prepareLeases(database, now)
  const select = database.prepare('SELECT key, value, version FROM records WHERE key = ?')
  const selectMany = database.prepare(
    'SELECT key, value, version FROM records WHERE key IN (SELECT value FROM json_each(?))',
  )
  const due = database.prepare(
    'SELECT r.key, r.value, r.version FROM due d JOIN records r ON r.key = d.key WHERE d.queue = ? AND d.at_ms <= ? ORDER BY d.at_ms, d.key LIMIT ?',
  )
  const labelled = database.prepare(
    'SELECT r.key, r.value, r.version FROM labels l JOIN records r ON r.key = l.key WHERE l.label = ? AND l.key < ? ORDER BY l.key DESC LIMIT ?',
  )

  return {
    create: (record) => groups.add(() => changes.create(record)),
    read: async (key) => readRows(select.all(key))[0],
    readMany: async (keys) => readRows(selectMany.all(JSON.stringify(keys))),
    replace: (record, version) => groups.add(() => changes.replace({ record, version })),
    replaceMany: (replacements) =>
      groups.add(() => new Set(replacements.filter(changes.replace).map(({ record }) => record.key))),
    remove: (key, version) => groups.add(() => changes.remove(key, version)),
    listDue: async (queue, nowMs, limit) => readRows(due.all(queue, nowMs, limit)),
    // U+10FFFF sorts after every key that Paywindow writes.
    list: async (name, { before, limit }) => readRows(labelled.all(name, before ?? '\u{10FFFF}', limit)),
    lease: (name, holder, forMs) => groups.add(() => leases.take(name, holder, forMs)),
    release: (name, holder) => groups.add(() => leases.release(name, holder)),
    close: async () => {
      // Writes that were started before are finished first.
      await groups.add(() => undefined)
      database.close()
    },
  }
}

/** Changes of one record with its labels and queues, to be run in a transaction. Each returns whether anything was changed. */
function prepareChanges(database: DatabaseSync) {
  const insert = database.prepare('INSERT INTO records (key, version, value) VALUES (?, 1, ?) ON CONFLICT DO NOTHING')
  const update = database.prepare('UPDATE records SET version = version + 1, value = ? WHERE key = ? AND version = ?')
  const erase = database.prepare('DELETE FROM records WHERE key = ? AND version = ?')
  const labelsOf = database.prepare('SELECT label FROM labels WHERE key = ?')
  const unlabel = database.prepare('DELETE FROM labels WHERE label = ? AND key = ?')
  const label = database.prepare('INSERT INTO labels (label, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const unqueue = database.prepare('DELETE FROM due WHERE key = ?')
  const enqueue = database.prepare('INSERT INTO due (queue, at_ms, key) VALUES (?, ?, ?)')

  function putOnLists({ key, labels, due }: Pick<NewRecord, 'key' | 'labels' | 'due'>): true {
    // Most writes change no label, and each label costs two rows.
    const before = new Set(labelsOf.all(key).map(({ label: name }) => String(name)))
    for (const name of labels) if (!before.delete(name)) label.run(name, key)
    for (const name of before) unlabel.run(name, key)
    unqueue.run(key)
    for (const { queue, atMs } of due) enqueue.run(queue, atMs, key)
    return true
  }

  return {
    create: (record: NewRecord) => insert.run(record.key, record.value).changes !== 0 && putOnLists(record),
    replace: ({ record, version }: Replacement) =>
      update.run(record.value, record.key, version).changes !== 0 && putOnLists(record),
    remove: (key: string, version: number) =>
      erase.run(key, version).changes !== 0 && putOnLists({ key, labels: [], due: [] }),
  }
}

function prepareLeases(database: DatabaseSync, now: () => number) {
  const lease = database.prepare(
    // The same rule as `isHeld`.
    `INSERT INTO leases (name, holder, taken_at_ms, for_ms) VALUES (:name, :holder, :now, :for)
     ON CONFLICT (name) DO UPDATE SET holder = :holder, taken_at_ms = :now, for_ms = :for
     WHERE holder = :holder OR abs(:now - taken_at_ms) >= for_ms`,
  )
  const release = database.prepare('DELETE FROM leases WHERE name = ? AND holder = ?')
  return {
    take: (name: string, holder: string, forMs: number) =>
      lease.run({ name, holder, now: now(), for: forMs }).changes !== 0,
    release: (name: string, holder: string) => void release.run(name, holder),
  }
}

function migrate(database: DatabaseSync, path: string): void {
  inTransaction(database, openMs, () => {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
    if (version > migrations.length) {
      throw new PaywindowError(
        'invalid_options',
        `${path} was written by a newer version of Paywindow (schema ${version}, this one knows ${migrations.length}): upgrade, or use another file`,
      )
    }
    for (const migration of migrations.slice(version)) database.exec(migration)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

function readRows(rows: readonly Record<string, unknown>[]): StoredRecord[] {
  return rows.map(({ key, value, version }) => {
    if (typeof key !== 'string' || typeof value !== 'string' || typeof version !== 'number') {
      throw new TypeError('A record of the store has columns of other types than were written')
    }
    return { key, value, version }
  })
}
