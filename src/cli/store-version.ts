/** Which version a store has, read without opening it as a store: that would bring it up to date. */
import { DatabaseSync } from '../server/store/node-sqlite.ts'
import { newestVersion, quoteSchema } from '../server/store/postgres-schema.ts'
import { newestSqliteVersion } from '../server/store/sqlite-schema.ts'
import { connectPostgres } from './postgres-connection.ts'
import { databaseUrl, existingFile, type StoreOptions } from './shop.ts'
import type { World } from './world.ts'

/** `version` is 0 where there are no tables yet. */
export interface StoreVersion {
  readonly version: number
  /** The newest one that this code knows. */
  readonly newest: number
}

/** @throws CommandFailure where there is no such store; Node's error where the file is no database. */
export async function readStoreVersion(options: StoreOptions, world: World): Promise<StoreVersion> {
  if (options.postgres) return { version: await postgresVersion(options.schema, world), newest: newestVersion }
  const database = new DatabaseSync(existingFile(options.store, world), { readOnly: true })
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    return { version, newest: newestSqliteVersion }
  } finally {
    database.close()
  }
}

async function postgresVersion(schema: string, world: World): Promise<number> {
  const table = `${quoteSchema(schema)}.paywindow_versions`
  const { query, end } = await connectPostgres(databaseUrl(world), world)
  try {
    const { rows: found } = await query('SELECT to_regclass($1) IS NOT NULL AS found', [table])
    if (!hasTrue(found[0])) return 0
    const { rows } = await query(`SELECT coalesce(max(version), 0)::text AS version FROM ${table}`, [])
    const [row] = rows
    return typeof row === 'object' && row !== null && 'version' in row ? Number(row.version) : 0
  } finally {
    await end()
  }
}

function hasTrue(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'found' in row && row.found === true
}
