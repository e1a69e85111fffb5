/** The tables of the D1 store, and how they are made and brought up to date. */
import { PaywindowError } from '../../contract/errors.ts'
import { createLeases } from './sqlite-leases.ts'

/**
 * What a D1 store needs of a database: `env.DB` of a Worker has it. `batch` is one transaction.
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

/** The queues of a record as rows, from one side of a trigger. */
const dueRows = (side: 'old' | 'new') => `SELECT value ->> 0, value ->> 1, ${side}.key FROM json_each(${side}.due)`
const labelRows = (side: 'old' | 'new') => `SELECT value FROM json_each(${side}.labels)`

/**
 * Running the first n of these makes version n. Append only: Workers of two versions may run on the same tables. Triggers keep the lists
 * with their records: a change of a record is then one statement, and it needs no look at whether it was made before the lists follow.
 */
const migrations: readonly (readonly string[])[] = [
  [
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
    // Most changes leave the labels as they are, and each label costs a row that is written.
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
  ],
]

/**
 * Makes the tables or brings them up to date. May run any number of times, in several Workers at once.
 *
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow made them.
 */
export async function migrate(database: D1StoreDatabase): Promise<void> {
  let version = await versionOf(database)
  for (const [index, statements] of migrations.entries()) {
    if (version > index) continue
    // The number cannot be taken twice: of two Workers one makes all of it, and the other nothing.
    const number = database.prepare('INSERT INTO paywindow_versions (version) VALUES (?1)').bind(index + 1)
    try {
      await database.batch([number, ...statements.map((text) => database.prepare(text))])
      version = index + 1
    } catch (error) {
      version = await versionOf(database)
      if (version <= index) throw error
    }
  }
  if (version <= migrations.length) return
  throw new PaywindowError(
    'invalid_options',
    `The tables of this D1 database were made by a newer version of Paywindow (${version}, this one knows ${migrations.length}): upgrade, or use another database`,
  )
}

async function versionOf(database: D1StoreDatabase): Promise<number> {
  const [, found] = await database.batch([
    database.prepare('CREATE TABLE IF NOT EXISTS paywindow_versions (version INTEGER PRIMARY KEY) STRICT'),
    database.prepare('SELECT coalesce(max(version), 0) AS version FROM paywindow_versions'),
  ])
  const row = found?.results[0]
  if (typeof row === 'object' && row !== null && 'version' in row && typeof row.version === 'number') return row.version
  throw new PaywindowError('invalid_options', 'database must be a D1 database: its batch gave no rows')
}
