/**
 * The durable store of Node: one SQLite file through `node:sqlite`, shared by the processes of one machine.
 * Write-ahead log with full synchronisation: what a method has resolved survives a killed process and a lost power supply.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { PaywindowError } from '../../contract/errors.ts'
import { makePrivate } from './private-file.ts'
import type { NewRecord, Store, StoredRecord } from './store.ts'
import { createWriteGroups, inTransaction } from './write-groups.ts'

/** How long opening the file waits for another process that writes. */
const openMs = 5_000

/** Version n of the schema is made by running the first n of these. Append only. */
const migrations = [
  `CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, due_at_ms INTEGER) STRICT, WITHOUT ROWID;
   CREATE INDEX records_due ON records (due_at_ms, key) WHERE due_at_ms IS NOT NULL;
   CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX labels_key ON labels (key);
   CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  // What a record waits for had one time for all before: the times of each queue are read from the record, where it can be read.
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
  // Icons of offers had records, which nothing took away.
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

  const insert = database.prepare('INSERT INTO records (key, version, value) VALUES (?, 1, ?) ON CONFLICT DO NOTHING')
  const update = database.prepare('UPDATE records SET version = version + 1, value = ? WHERE key = ? AND version = ?')
  const erase = database.prepare('DELETE FROM records WHERE key = ? AND version = ?')
  const labelsOf = database.prepare('SELECT label FROM labels WHERE key = ?')
  const unlabel = database.prepare('DELETE FROM labels WHERE label = ? AND key = ?')
  const label = database.prepare('INSERT INTO labels (label, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const unqueue = database.prepare('DELETE FROM due WHERE key = ?')
  const enqueue = database.prepare('INSERT INTO due (queue, at_ms, key) VALUES (?, ?, ?)')
  const select = database.prepare('SELECT key, value, version FROM records WHERE key = ?')
  const due = database.prepare(
    'SELECT r.key, r.value, r.version FROM due d JOIN records r ON r.key = d.key WHERE d.queue = ? AND d.at_ms <= ? ORDER BY d.at_ms, d.key LIMIT ?',
  )
  const labelled = database.prepare(
    'SELECT r.key, r.value, r.version FROM labels l JOIN records r ON r.key = l.key WHERE l.label = ? AND l.key < ? ORDER BY l.key DESC LIMIT ?',
  )
  const lease = database.prepare(
    // As `isHeld` says it.
    `INSERT INTO leases (name, holder, taken_at_ms, for_ms) VALUES (:name, :holder, :now, :for)
     ON CONFLICT (name) DO UPDATE SET holder = :holder, taken_at_ms = :now, for_ms = :for
     WHERE holder = :holder OR abs(:now - taken_at_ms) >= for_ms`,
  )
  const release = database.prepare('DELETE FROM leases WHERE name = ? AND holder = ?')

  /** Runs a change, its labels and its queues as one; `change` says whether it changed anything. */
  function write(record: Pick<NewRecord, 'key' | 'labels' | 'due'>, change: () => number | bigint): Promise<boolean> {
    return groups.add(() => {
      if (Number(change()) === 0) return false
      // Most writes change no label, and each label is two rows to write.
      const before = new Set(labelsOf.all(record.key).map(({ label: name }) => String(name)))
      for (const name of record.labels) if (!before.delete(name)) label.run(name, record.key)
      for (const name of before) unlabel.run(name, record.key)
      unqueue.run(record.key)
      for (const { queue, atMs } of record.due) enqueue.run(queue, atMs, record.key)
      return true
    })
  }

  return {
    create: (record) => write(record, () => insert.run(record.key, record.value).changes),
    read: async (key) => readRows(select.all(key))[0],
    replace: (record, version) => write(record, () => update.run(record.value, record.key, version).changes),
    remove: (key, version) => write({ key, labels: [], due: [] }, () => erase.run(key, version).changes),
    listDue: async (queue, nowMs, limit) => readRows(due.all(queue, nowMs, limit)),
    // U+10FFFF sorts after every key that Paywindow writes.
    list: async (name, { before, limit }) => readRows(labelled.all(name, before ?? '\u{10FFFF}', limit)),
    lease: (name, holder, forMs) =>
      groups.add(
        () =>
          Number(lease.run({ name, holder, now: now(), for: forMs } satisfies Record<string, SQLInputValue>).changes) >
          0,
      ),
    release: (name, holder) => groups.add(() => void release.run(name, holder)),
    close: async () => {
      // What was begun before is written before.
      await groups.add(() => undefined)
      database.close()
    },
  }
}

function migrate(database: DatabaseSync, path: string): void {
  inTransaction(database, openMs, () => {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
    if (version > migrations.length) {
      throw new PaywindowError(
        'invalid_options',
        `${path} was written by a newer version of Paywindow (schema ${version}, this one knows ${migrations.length}): upgrade, or name another file`,
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
