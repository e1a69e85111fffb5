/**
 * The durable store of Node: one SQLite file through `node:sqlite`, shared by the processes of one
 * machine. Results of reads and writes survive a killed process and a power failure.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { createKeptRecords, type ReadMany } from './kept-records.ts'
import { DatabaseSync } from './node-sqlite.ts'
import { type Connection, createReopening, watchLog } from './reopening.ts'
import { afterAllKeys, leaseStatements, readRow } from './sql.ts'
import { makeTables, prepareDataVersion } from './sqlite-schema.ts'
import { atOneMoment, createWrites, openMs } from './sqlite-transactions.ts'
import type { NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store.ts'

/** The default path of the store, below the working directory. */
export const defaultStorePath = '.paywindow/paywindow.sqlite'

/**
 * Opens the store. Makes a missing file and folder for this user alone: modes 0600 and 0700.
 *
 * @param path - A file path; `':memory:'` for a store that ends with the process.
 * @param now - The clock that leases run by, ms since the epoch. Default: the machine's, which its
 *   processes share.
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow wrote the file and
 *   does not allow this one. If that happens later, every method rejects with it.
 *
 * @example
 * ```ts
 * const store = createSqliteStore(':memory:')
 * await store.create({ key: 'a', value: '{}', labels: [], due: [] })
 * await store.read('a') // => { key: 'a', value: '{}', version: 1, due: [] }
 * await store.close()
 * ```
 */
export function createSqliteStore(path: string, now: () => number = Date.now): Store {
  if (path === ':memory:') return connect(path, now).store
  return createReopening(path, () => connect(makePrivate(path), now))
}

function connect(path: string, now: () => number): Connection {
  const database = new DatabaseSync(path)
  // First, because each later statement may meet a process that makes the file, or recovers it
  // after a crash.
  database.exec(`PRAGMA busy_timeout = ${openMs}`)
  // Only a new file accepts this. Archiving and forgetting then make the file smaller.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  // A commit is on the disk before anybody can read it; on macOS this needs `fullfsync`. See
  // https://sqlite.org/pragma.html#pragma_synchronous
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  makeTables(database, path)
  const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode
  // In memory, and in some file systems, SQLite keeps no log.
  const hasLostLog = mode === 'wal' ? watchLog(path) : () => false

  const version = prepareDataVersion(database, path)
  const leases = prepareLeases(database, now)
  const reads = prepareReads(database)
  const kept = createKeptRecords(reads.many)
  const changes = prepareChanges(database, kept.changes)
  const writes = createWrites(database)
  /** The same snapshot shows whether this process may use the tables. */
  const checked = <Result>(work: () => Result) => {
    kept.begin(version())
    return work()
  }
  const write = <Result>(work: () => Result) => writes.run(() => checked(work))
  const read = async (work: () => readonly StoredRecord[]) => atOneMoment(database, () => checked(work))

  const store: Store = {
    create: (record) => write(() => changes.create(record)),
    read: async (key) => (await read(() => kept.many([key])))[0],
    readMany: (keys) => read(() => kept.many(keys)),
    replace: (record, version) => write(() => changes.replace({ record, version })),
    replaceMany: (replacements) =>
      write(() => new Set(replacements.filter(changes.replace).map(({ record }) => record.key))),
    reschedule: (reschedulings) => write(() => new Set(reschedulings.filter(changes.reschedule).map(({ key }) => key))),
    remove: (key, version) => write(() => changes.remove(key, version)),
    listDue: (queue, nowMs, limit) => read(() => inOrder(reads.due(queue, nowMs, limit), kept.many)),
    list: (label, { before, limit }) =>
      // A caller that goes on page by page reads each record once: no cache.
      read(() => inOrder(reads.labelled(label, before, limit), before === undefined ? kept.many : reads.many)),
    lease: (name, holder, forMs) => write(() => leases.take(name, holder, forMs)),
    release: (name, holder) => write(() => leases.release(name, holder)),
    close: async () => {
      await writes.settled()
      database.close()
    },
  }
  let isAbandoned = false
  return {
    store,
    isLost: () => isAbandoned || hasLostLog(),
    abandon: () => {
      if (!isAbandoned) database.close()
      isAbandoned = true
    },
  }
}

function prepareLeases(database: DatabaseSync, now: () => number) {
  const terms = { name: ':name', holder: ':holder', nowMs: ':now', forMs: ':for' }
  const statements = leaseStatements('leases', terms)
  const take = database.prepare(statements.take)
  const release = database.prepare(statements.release)
  return {
    take: (name: string, holder: string, forMs: number) =>
      take.run({ name, holder, now: now(), for: forMs }).changes !== 0,
    release: (name: string, holder: string) => void release.run({ name, holder }),
  }
}

/** Takes up to four free pages of 4 KiB out of the file, after a record was archived or removed. */
const freePages = 'PRAGMA incremental_vacuum(4)'

/** The queues of a record, as a JSON list of pairs. */
const queues = '(SELECT json_group_array(json_array(queue, at_ms)) FROM due WHERE due.key = records.key) AS due'

/** Statements that read records, and the keys of lists. */
function prepareReads(database: DatabaseSync) {
  const many = database.prepare(
    `SELECT key, value, version, ${queues} FROM records WHERE key IN (SELECT value FROM json_each(?))`,
  )
  const due = database.prepare('SELECT key FROM due WHERE queue = ? AND at_ms <= ? ORDER BY at_ms, key LIMIT ?')
  const labelled = database.prepare('SELECT key FROM labels WHERE label = ? AND key < ? ORDER BY key DESC LIMIT ?')
  const keysOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ key }) => String(key))
  return {
    many: (keys: readonly string[]) => many.all(JSON.stringify(keys)).map(readSqliteRow),
    due: (queue: string, nowMs: number, limit: number) => keysOf(due.all(queue, nowMs, limit)),
    labelled: (label: string, before = afterAllKeys, limit: number) => keysOf(labelled.all(label, before, limit)),
  }
}

function inOrder(keys: readonly string[], readMany: ReadMany): readonly StoredRecord[] {
  const byKey = new Map(readMany(keys).map((record) => [record.key, record]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

/**
 * Changes of one record with its labels and queues, for use in a transaction. Each returns whether
 * it changed anything.
 *
 * @param onChange - Called with the key before each change.
 */
function prepareChanges(database: DatabaseSync, onChange: (key: string) => void) {
  const create = database.prepare('INSERT INTO records (key, version, value) VALUES (?, 1, ?) ON CONFLICT DO NOTHING')
  const update = database.prepare('UPDATE records SET version = version + 1, value = ? WHERE key = ? AND version = ?')
  const erase = database.prepare('DELETE FROM records WHERE key = ? AND version = ?')
  const hasVersion = database.prepare('SELECT 1 FROM records WHERE key = ? AND version = ?')
  const putInQueues = preparePutInQueues(database)
  const putOnLists = preparePutOnLists(database, putInQueues)

  return {
    create: (record: NewRecord) => {
      onChange(record.key)
      return create.run(record.key, record.value).changes !== 0 && putOnLists(record)
    },
    replace: ({ record, version }: Replacement) => {
      const { key, value, isArchived = false } = record
      onChange(key)
      if (update.run(isArchived ? deflateRawSync(value) : value, key, version).changes === 0) return false
      if (isArchived) database.exec(freePages)
      return putOnLists(record)
    },
    reschedule: ({ key, due, version }: Rescheduling) => {
      onChange(key)
      return hasVersion.get(key, version) !== undefined && putInQueues({ key, due })
    },
    remove: (key: string, version: number) => {
      onChange(key)
      if (erase.run(key, version).changes === 0) return false
      database.exec(freePages)
      return putOnLists({ key, labels: [], due: [] })
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

/** Archived values are compressed. */
function readSqliteRow(row: Record<string, unknown>): StoredRecord {
  const { value } = row
  return readRow(value instanceof Uint8Array ? { ...row, value: inflateRawSync(value).toString() } : row)
}

/**
 * Creates a missing file and folder, and restricts the file and SQLite's files beside it to their
 * owner. An existing folder is the merchant's and keeps its permissions, unless it is called
 * `.paywindow`. Windows has no such permissions.
 *
 * @returns The file itself if `path` is a link: SQLite keeps its other files beside it.
 */
function makePrivate(path: string): string {
  const folder = dirname(path)
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew || basename(folder) === '.paywindow') limit(folder, 0o700)
  create(path)
  const real = realpathSync(path)
  for (const file of [real, `${real}-wal`, `${real}-shm`]) limit(file, 0o600)
  return real
}

/** SQLite would create it with the permissions that the umask leaves. */
function create(path: string): void {
  try {
    // Only a new file: closing a file that this process has open elsewhere would release SQLite's
    // locks.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // A link to a missing file.
    if (!existsSync(path)) create(resolve(dirname(path), readlinkSync(path)))
  }
}

function limit(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A missing file needs nothing; another user has to restrict their own file.
    if (!['ENOENT', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
