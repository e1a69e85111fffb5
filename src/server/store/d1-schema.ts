/** The tables of the D1 store, and how they are made and brought up to date. */
import { PaywindowError } from '../../contract/errors.ts'
import { createLeases } from './sqlite-leases.ts'
import { checkMayUse, type Migration, type TablesVersion, versionAfter, versionOfRow } from './versions.ts'

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
 * Running the first n of these makes version n. Append only: Workers of two versions may run on the same tables, as far as `oldest` says. Triggers keep the lists
 * with their records: a change of a record is then one statement, and it needs no look at whether it was made before the lists follow.
 */
const migrations: readonly Migration<readonly string[]>[] = [
  {
    oldest: 1,
    change: [
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
  },
  // In the row of the newest version: the oldest one that may use the tables.
  { oldest: 1, change: ['ALTER TABLE paywindow_versions ADD COLUMN oldest INTEGER'] },
]

/**
 * Makes the tables or brings them up to date. May run any number of times, in several Workers at once.
 *
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow made them, and they do not allow this one.
 */
export async function migrate(database: D1StoreDatabase): Promise<void> {
  let found = await versionIn(database)
  for (let version = found.version + 1; version <= migrations.length; version = found.version + 1) {
    try {
      await database.batch(stepTo(version, database))
      found = versionAfter(migrations.slice(0, version))
    } catch (error) {
      found = await versionIn(database)
      if (found.version < version) throw error
    }
  }
  checkMayUse(found, migrations.length, 'The tables of this D1 database were made', 'database')
}

function stepTo(version: number, database: D1StoreDatabase): D1StoreStatement[] {
  const { oldest } = versionAfter(migrations.slice(0, version))
  return [
    // The number cannot be taken twice: of two Workers one makes all of it, and the other nothing.
    database.prepare('INSERT INTO paywindow_versions (version) VALUES (?1)').bind(version),
    ...(migrations[version - 1]?.change ?? []).map((text) => database.prepare(text)),
    ...(version > 1
      ? [database.prepare('UPDATE paywindow_versions SET oldest = ?1 WHERE version = ?2').bind(oldest, version)]
      : []),
  ]
}

async function versionIn(database: D1StoreDatabase): Promise<TablesVersion> {
  const [, found] = await database.batch([
    database.prepare('CREATE TABLE IF NOT EXISTS paywindow_versions (version INTEGER PRIMARY KEY) STRICT'),
    // All columns: version 1 has one fewer.
    database.prepare('SELECT * FROM paywindow_versions ORDER BY version DESC LIMIT 1'),
  ])
  if (found) return versionOfRow(found.results[0])
  throw new PaywindowError('invalid_options', 'database must be a D1 database: its batch gave no rows')
}
