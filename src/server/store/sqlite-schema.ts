/** The tables of the SQLite store, and how they are made and brought up to date. */
import type { DatabaseSync } from 'node:sqlite'
import { createLeases } from './sqlite-leases.ts'
import { checkMayUse, type Migration, type TablesVersion, versionAfter } from './versions.ts'
import { inTransaction } from './write-groups.ts'

/** How long opening the file waits for another process that writes. */
export const openMs = 5_000

/** Running the first n of these makes version n of the schema. Append only. */
const migrations: readonly Migration<string>[] = [
  {
    oldest: 1,
    change: `CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, due_at_ms INTEGER) STRICT, WITHOUT ROWID;
     CREATE INDEX records_due ON records (due_at_ms, key) WHERE due_at_ms IS NOT NULL;
     CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
     CREATE INDEX labels_key ON labels (key);
     CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  },
  {
    oldest: 2,
    // A record once had one due time for everything. The times of each queue are read from the record, if it can be read.
    change: `CREATE TABLE due (queue TEXT NOT NULL, at_ms INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (queue, at_ms, key)) STRICT, WITHOUT ROWID;
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
     ${createLeases('leases')};`,
  },
  {
    oldest: 2,
    // Icons of offers once had records, which nothing removed.
    change: `DELETE FROM records WHERE key GLOB 'icon *'`,
  },
  {
    oldest: 4,
    // Records that will hardly be read again are kept apart and compressed. Checkouts with nothing to wait for wait for that now.
    change: `CREATE TABLE archive (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
     INSERT INTO due SELECT 'archive', json ->> 'createdAtMs', key FROM (
         SELECT key, CASE WHEN json_valid(value) THEN value ELSE '{}' END AS json FROM records WHERE key GLOB 'checkout *'
       ) WHERE json_type(json, '$.createdAtMs') = 'integer' AND key NOT IN (SELECT key FROM due) AND json_array_length(json, '$.events') = 0`,
  },
]

/** The newest version of the schema that this code knows. */
export const newestSqliteVersion = migrations.length

/** What reads the version of the tables in a file. */
export function prepareVersion(database: DatabaseSync): () => TablesVersion {
  const version = database.prepare('PRAGMA user_version')
  // A number that SQLite keeps for the application beside the version, and changes in the same transaction.
  const oldest = database.prepare('PRAGMA application_id')
  return () => {
    const found = Number(version.get()?.user_version)
    return { version: found, oldest: Number(oldest.get()?.application_id) || found }
  }
}

/**
 * What reads the version of the data, which changes whenever another connection has committed. It throws as `migrate` does once the tables have become
 * those of a version that does not allow this one: this process would miss what they have then.
 */
export function prepareDataVersion(database: DatabaseSync, path: string): () => number {
  const dataVersion = database.prepare('PRAGMA data_version')
  const tablesVersion = prepareVersion(database)
  let checked: number | undefined
  return () => {
    const version = Number(dataVersion.get()?.data_version)
    if (version !== checked) checkFile(tablesVersion(), path)
    checked = version
    return version
  }
}

/**
 * Makes the tables or brings them up to date. Those of a newer version stay as they are.
 *
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow made them, and they do not allow this one.
 */
export function migrate(database: DatabaseSync, path: string): void {
  inTransaction(database, openMs, () => {
    const found = prepareVersion(database)()
    checkFile(found, path)
    if (found.version >= newestSqliteVersion) return
    for (const { change } of migrations.slice(found.version)) database.exec(change)
    const { version, oldest } = versionAfter(migrations)
    database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${oldest}`)
  })
}

function checkFile(found: TablesVersion, path: string): void {
  checkMayUse(found, newestSqliteVersion, `${path} was written`, 'file')
}
