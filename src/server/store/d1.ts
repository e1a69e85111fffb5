/**
 * A store in Cloudflare D1, for a Worker in any number of places. Each method is one batch, which
 * D1 runs as one transaction.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { isObject, repeating, wordsOf } from './repeating.ts'
import { afterAllKeys, createLeases, dueToJson, leaseStatements, readRow } from './sql.ts'
import type { NewRecord, Replacement, Rescheduling, Store } from './store.ts'
import { checkMayUse, type TablesVersion, versionOfRow } from './versions.ts'

/**
 * The part of a D1 database (`env.DB` of a Worker) that the store uses. `batch` is one transaction.
 *
 * @example
 * ```ts
 * const withTheirs = (env: { DB: D1StoreDatabase }) => createD1Store({ database: env.DB })
 * ```
 */
export interface D1StoreDatabase {
  prepare(query: string): D1StoreStatement
  batch(statements: D1StoreStatement[]): Promise<readonly { readonly results: readonly unknown[] }[]>
}

/**
 * A statement that D1 has prepared.
 *
 * @example
 * ```ts
 * const bound = (database: D1StoreDatabase): D1StoreStatement => database.prepare('SELECT ?1').bind(1)
 * ```
 */
export interface D1StoreStatement {
  bind(...values: unknown[]): D1StoreStatement
}

/**
 * The options of `createD1Store`.
 *
 * @example
 * ```ts
 * const options = (env: { DB: D1StoreDatabase }): D1StoreOptions => ({ database: env.DB })
 * ```
 */
export interface D1StoreOptions {
  /**
   * The binding itself, `env.DB`, and no session of it: sessions read from replicas, which may lag.
   */
  readonly database: D1StoreDatabase
}

/**
 * Creates a store in a D1 database. Its first use makes or updates its tables, whose names begin
 * with `paywindow_`. Create it once, outside of the handlers: it holds nothing of a request.
 *
 * @throws PaywindowError `invalid_options` when `database` is a session. Every method rejects with
 *   it when a newer version of Paywindow made the tables, and they do not allow this one. D1
 *   refuses records of more than two million bytes.
 *
 * @example
 * ```ts
 * function openStore(env: { DB: D1StoreDatabase }): Store {
 *   return createD1Store({ database: env.DB })
 * }
 * ```
 */
export function createD1Store(options: D1StoreOptions): Store {
  checkNames('createD1Store', options, { database: 0 })
  const { database } = options
  if ('getBookmark' in database) {
    const what = 'database is a D1 session, which may read what is out of date: pass the binding itself, env.DB'
    throw new PaywindowError('invalid_options', what)
  }
  const statements = statementsOn(database)
  let isReady = false

  async function run(batch: D1StoreStatement[]) {
    // A shared promise would belong to one request of the Worker, and end with it.
    if (!isReady) await repeating(() => makeTables(database), isInterrupted)
    isReady = true
    if (batch.length === 0) return []
    return (await database.batch(batch)).flatMap(({ results }) => results.filter(isObject))
  }

  const write = (batch: D1StoreStatement[]) => repeating(() => run(batch), isNotDone)
  const change = async (batch: D1StoreStatement[]) => new Set((await write(batch)).map(({ key }) => String(key)))
  const isChanged = async (batch: D1StoreStatement[]) => (await write(batch)).length > 0
  const read = async (batch: D1StoreStatement[]) => (await repeating(() => run(batch), isInterrupted)).map(readRow)

  return {
    create: (record) => isChanged(statements.create(record)),
    read: async (key) => (await read(statements.read([key])))[0],
    readMany: (keys) => read(statements.read(keys)),
    replace: (record, version) => isChanged(statements.replace([{ record, version }])),
    replaceMany: (replacements) => change(statements.replace(replacements)),
    reschedule: (reschedulings) => change(statements.reschedule(reschedulings)),
    remove: (key, version) => isChanged(statements.remove(key, version)),
    listDue: (queue, nowMs, limit) => read(statements.listDue(queue, nowMs, limit)),
    list: (label, { before, limit }) => read(statements.list(label, before, limit)),
    lease: (name, holder, forMs) => isChanged(statements.lease(name, holder, forMs)),
    release: async (name, holder) => void (await write(statements.release(name, holder))),
    close: async () => {},
  }
}

/** The batch never ran. See https://developers.cloudflare.com/d1/observability/debug-d1/ */
function isNotDone(error: unknown): boolean {
  return /overloaded|too many requests queued|transient issue|error while starting up|SQLITE_BUSY|database is locked/i.test(
    wordsOf(error),
  )
}

/**
 * The batch did not run, or may not have run. Only reads and repeatable statements are sent again
 * then.
 */
function isInterrupted(error: unknown): boolean {
  return (
    isNotDone(error) || /connection lost|object to be reset|reset because its code was updated/i.test(wordsOf(error))
  )
}

/** Each record takes five parameters. @see https://developers.cloudflare.com/d1/platform/limits/ */
const recordsInStatement = 20
/** UTF-16 units of a JSON list, each three bytes at most. */
const maxListLength = 500_000

const columns = 'r.key, r.value, r.version, r.due'

/** The database's own clock, ms since the epoch. */
const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const leases = leaseStatements('paywindow_leases', { name: '?1', holder: '?2', nowMs, forMs: '?3' })

/** Each makes the statements of one batch. A change returns the keys of the changed records. */
function statementsOn(database: D1StoreDatabase) {
  const one = (text: string, ...values: unknown[]) => [database.prepare(text).bind(...values)]
  /** The statement for each part of a list, its only parameter. */
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
    list: (label: string, before = afterAllKeys, limit: number) =>
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

// The tables of the D1 store, and how they are made.

/** The queues of a record as rows, from one side of a trigger. */
const dueRows = (side: 'old' | 'new') => `SELECT value ->> 0, value ->> 1, ${side}.key FROM json_each(${side}.due)`
const labelRows = (side: 'old' | 'new') => `SELECT value FROM json_each(${side}.labels)`

/** The newest version of the tables that this code knows, and the first that was released. */
const newestVersion = 2
/**
 * The oldest version that may use them. A version that raises it renames the table of records:
 * running Workers of older versions check no version, and must fail.
 */
const oldestVersion = 2

/**
 * The tables of version 2, which later versions update. Triggers keep the lists in step with the
 * records, so that a change of a record is one statement.
 */
const tables = [
  `CREATE TABLE paywindow_records (
    key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, labels TEXT NOT NULL, due TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  'CREATE TABLE paywindow_labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID',
  `CREATE TABLE paywindow_due (
    queue TEXT NOT NULL, at_ms INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (queue, at_ms, key)) STRICT, WITHOUT ROWID`,
  createLeases('paywindow_leases'),
  `CREATE TRIGGER paywindow_create AFTER INSERT ON paywindow_records BEGIN
    INSERT INTO paywindow_labels SELECT DISTINCT value, new.key FROM json_each(new.labels);
    INSERT INTO paywindow_due ${dueRows('new')};
  END`,
  // Most changes leave the labels as they are, and each label costs a written row.
  `CREATE TRIGGER paywindow_relabel AFTER UPDATE OF labels ON paywindow_records WHEN new.labels <> old.labels BEGIN
    DELETE FROM paywindow_labels WHERE key = old.key AND label IN (${labelRows('old')}) AND label NOT IN (${labelRows('new')});
    INSERT INTO paywindow_labels SELECT DISTINCT value, new.key FROM json_each(new.labels) WHERE value NOT IN (${labelRows('old')});
  END`,
  `CREATE TRIGGER paywindow_reschedule AFTER UPDATE OF due ON paywindow_records WHEN new.due <> old.due BEGIN
    DELETE FROM paywindow_due WHERE (queue, at_ms, key) IN (${dueRows('old')});
    INSERT INTO paywindow_due ${dueRows('new')};
  END`,
  `CREATE TRIGGER paywindow_remove AFTER DELETE ON paywindow_records BEGIN
    DELETE FROM paywindow_labels WHERE key = old.key AND label IN (${labelRows('old')});
    DELETE FROM paywindow_due WHERE (queue, at_ms, key) IN (${dueRows('old')});
  END`,
]

/**
 * Makes the tables. May run any number of times, in several Workers at once.
 *
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow made them, and they do
 *   not allow this one.
 */
async function makeTables(database: D1StoreDatabase): Promise<void> {
  let found = await versionIn(database)
  if (found.version < newestVersion) {
    const made = database.prepare('INSERT INTO paywindow_versions (version, oldest) VALUES (?1, ?2)')
    try {
      // The number is unique: of two Workers, one makes everything and the other nothing.
      await database.batch([made.bind(newestVersion, oldestVersion), ...tables.map((text) => database.prepare(text))])
      return
    } catch (error) {
      found = await versionIn(database)
      if (found.version < newestVersion) throw error
    }
  }
  checkMayUse(found, newestVersion, 'The tables of this D1 database were made', 'database')
}

async function versionIn(database: D1StoreDatabase): Promise<TablesVersion> {
  const [, found] = await database.batch([
    database.prepare(
      'CREATE TABLE IF NOT EXISTS paywindow_versions (version INTEGER PRIMARY KEY, oldest INTEGER) STRICT',
    ),
    database.prepare('SELECT version, oldest FROM paywindow_versions ORDER BY version DESC LIMIT 1'),
  ])
  if (found) return versionOfRow(found.results[0])
  throw new PaywindowError('invalid_options', 'database must be a D1 database: its batch gave no rows')
}
