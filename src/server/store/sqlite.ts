/**
 * The durable store of Node: one SQLite file through `node:sqlite`, shared by the processes of one machine.
 * Write-ahead log with full synchronisation: what a method has resolved survives a killed process and a lost power supply.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { PaywindowError } from '../../contract/errors.ts'
import { makePrivate } from './private-file.ts'
import type { NewRecord, Store, StoredRecord } from './store.ts'

/** Version n of the schema is made by running the first n of these. Append only. */
const migrations = [
  `CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, due_at_ms INTEGER) STRICT, WITHOUT ROWID;
   CREATE INDEX records_due ON records (due_at_ms, key) WHERE due_at_ms IS NOT NULL;
   CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX labels_key ON labels (key);
   CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
]

/**
 * Opens the store, and makes the file and its folder when they are missing: 0600 and 0700, for this user alone.
 *
 * @param path - A file path; `':memory:'` for a store that is gone with the process.
 * @throws PaywindowError `invalid_options` when the file was written by a newer version of Paywindow.
 */
export function createSqliteStore(path: string): Store {
  if (path !== ':memory:') makePrivate(path)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  migrate(database, path)

  const insert = database.prepare(
    'INSERT INTO records (key, version, value, due_at_ms) VALUES (?, 1, ?, ?) ON CONFLICT DO NOTHING',
  )
  const update = database.prepare(
    'UPDATE records SET version = version + 1, value = ?, due_at_ms = ? WHERE key = ? AND version = ?',
  )
  const erase = database.prepare('DELETE FROM records WHERE key = ? AND version = ?')
  const unlabel = database.prepare('DELETE FROM labels WHERE key = ?')
  const label = database.prepare('INSERT INTO labels (label, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const select = database.prepare('SELECT key, value, version FROM records WHERE key = ?')
  const due = database.prepare(
    'SELECT key, value, version FROM records WHERE due_at_ms IS NOT NULL AND due_at_ms <= ? ORDER BY due_at_ms, key LIMIT ?',
  )
  const labelled = database.prepare(
    'SELECT r.key, r.value, r.version FROM labels l JOIN records r ON r.key = l.key WHERE l.label = ? AND l.key < ? ORDER BY l.key DESC LIMIT ?',
  )
  const lease = database.prepare(
    `INSERT INTO leases (name, holder, until_ms) VALUES (:name, :holder, :until)
     ON CONFLICT (name) DO UPDATE SET holder = :holder, until_ms = :until WHERE holder = :holder OR until_ms <= :now`,
  )
  const release = database.prepare('DELETE FROM leases WHERE name = ? AND holder = ?')

  /** Runs a change and its labels as one; `change` says whether it changed anything. */
  function write(record: Pick<NewRecord, 'key' | 'labels'>, change: () => number | bigint): boolean {
    return inTransaction(database, () => {
      if (Number(change()) === 0) return false
      unlabel.run(record.key)
      for (const name of record.labels) label.run(name, record.key)
      return true
    })
  }

  return {
    create: async (record) => write(record, () => insert.run(record.key, record.value, record.dueAtMs).changes),
    read: async (key) => readRows(select.all(key))[0],
    replace: async (record, version) =>
      write(record, () => update.run(record.value, record.dueAtMs, record.key, version).changes),
    remove: async (key, version) => write({ key, labels: [] }, () => erase.run(key, version).changes),
    listDue: async (nowMs, limit) => readRows(due.all(nowMs, limit)),
    // U+10FFFF sorts after every key that Paywindow writes.
    list: async (name, { before, limit }) => readRows(labelled.all(name, before ?? '\u{10FFFF}', limit)),
    lease: async (name, holder, nowMs, untilMs) =>
      Number(lease.run({ name, holder, now: nowMs, until: untilMs } satisfies Record<string, SQLInputValue>).changes) >
      0,
    release: async (name, holder) => {
      release.run(name, holder)
    },
    close: async () => database.close(),
  }
}

function migrate(database: DatabaseSync, path: string): void {
  inTransaction(database, () => {
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

function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function readRows(rows: readonly Record<string, unknown>[]): StoredRecord[] {
  return rows.map(({ key, value, version }) => {
    if (typeof key !== 'string' || typeof value !== 'string' || typeof version !== 'number') {
      throw new TypeError('A record of the store has columns of other types than were written')
    }
    return { key, value, version }
  })
}
