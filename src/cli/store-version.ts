/** Which version a store has, read without opening it as a store: that would bring it up to date. */
import { DatabaseSync } from '../server/store/node-sqlite.ts'
import { versionStatement } from '../server/store/postgres.ts'
import { newestVersion, quoteSchema } from '../server/store/postgres-schema.ts'
import { newestSqliteVersion, prepareVersion } from '../server/store/sqlite-schema.ts'
import { mayUse, type TablesVersion, versionOfRow } from '../server/store/versions.ts'
import { databaseUrl, existingFile, type StoreOptions } from './on-store.ts'
import { connectPostgres } from './postgres-connection.ts'
import type { World } from './world.ts'

/** `version` is 0 where there are no tables yet. */
export interface StoreVersion extends TablesVersion {
  /** The newest one that this code knows. */
  readonly newest: number
}

/** @throws CommandFailure where there is no such store; Node's error where the file is no database. */
export async function readStoreVersion(options: StoreOptions, world: World): Promise<StoreVersion> {
  if (options.postgres) return { ...(await postgresVersion(options.schema, world)), newest: newestVersion }
  const database = new DatabaseSync(existingFile(options.store, world), { readOnly: true })
  try {
    return { ...prepareVersion(database)(), newest: newestSqliteVersion }
  } finally {
    database.close()
  }
}

/** The store in words. */
export function nameOf({ postgres, schema, store }: StoreOptions): string {
  return postgres ? `schema ${schema} of the Postgres` : store
}

/** Why a store of this version cannot be opened as it is, and what to do; undefined where it can. */
export function whyNotOpened(found: StoreVersion, options: StoreOptions): string | undefined {
  const { version, newest } = found
  const name = nameOf(options)
  const command = options.postgres ? `npx paywindow migrate --schema ${options.schema}` : undefined
  if (!mayUse(found, newest))
    return `${name} has version ${version}, and this Paywindow knows ${newest}: upgrade the package here.`
  if (version === 0) return `${name} has no tables yet: start your server once${command ? `, or run ${command}` : ''}.`
  if (version >= newest) return undefined
  const who = `Your servers bring it up to date when they start with this version${command ? `, or ${command} does` : ''}`
  return `${name} has version ${version}, and these commands need ${newest}. ${who}; until then use the commands of their version.`
}

async function postgresVersion(schema: string, world: World): Promise<TablesVersion> {
  const table = `${quoteSchema(schema)}.paywindow_versions`
  const { query, end } = await connectPostgres(databaseUrl(world), world)
  try {
    const { rows: found } = await query('SELECT to_regclass($1) IS NOT NULL AS found', [table])
    if (!hasTrue(found[0])) return versionOfRow(undefined)
    const { rows } = await query(versionStatement(quoteSchema(schema)), [])
    return versionOfRow(rows[0])
  } finally {
    await end()
  }
}

function hasTrue(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'found' in row && row.found === true
}
