/** The tables of the SQLite store and their versions. */
import type { DatabaseSync } from 'node:sqlite'
import { createLeases } from './sql.ts'
import { inTransaction, openMs } from './sqlite-transactions.ts'
import { checkMayUse, type TablesVersion } from './versions.ts'

/** The newest version of the tables that this code knows, and the first that was released. */
export const newestSqliteVersion = 5
/** The oldest version that may use them. */
const oldestVersion = 5

/**
 * The tables of version 5, which later versions update. Values are text, or compressed in archived
 * records.
 */
const tables = `
  CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
  CREATE INDEX labels_key ON labels (key);
  CREATE TABLE due (queue TEXT NOT NULL, at_ms INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (queue, at_ms, key)) STRICT, WITHOUT ROWID;
  CREATE INDEX due_key ON due (key);
  ${createLeases('leases')}`

/** Returns a function that reads the version of the tables. */
export function prepareVersion(database: DatabaseSync): () => TablesVersion {
  const version = database.prepare('PRAGMA user_version')
  // SQLite keeps this number for applications, and changes it in the same transaction.
  const oldest = database.prepare('PRAGMA application_id')
  return () => {
    const found = Number(version.get()?.user_version)
    return { version: found, oldest: Number(oldest.get()?.application_id) || found }
  }
}

/**
 * Returns a function that reads the version of the data, which each commit of another connection
 * changes. It throws as `makeTables` does once the tables no longer allow this version.
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
 * Makes the tables, unless a newer version has made them.
 *
 * @throws PaywindowError `invalid_options` when a newer version of Paywindow made them, and they do
 *   not allow this one.
 */
export function makeTables(database: DatabaseSync, path: string): void {
  inTransaction(database, openMs, () => {
    const found = prepareVersion(database)()
    checkFile(found, path)
    if (found.version >= newestSqliteVersion) return
    database.exec(`${tables}; PRAGMA user_version = ${newestSqliteVersion}; PRAGMA application_id = ${oldestVersion}`)
  })
}

function checkFile(found: TablesVersion, path: string): void {
  checkMayUse(found, newestSqliteVersion, `${path} was written`, 'file')
}
