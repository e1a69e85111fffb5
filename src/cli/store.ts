/** The shop's store, for commands: the options that name it, its version, and how it opens. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { PaywindowOptions } from '../server/options.ts'
import { createPaywindow, type PaywindowServer } from '../server/paywindow.ts'
import { DatabaseSync } from '../server/store/node-sqlite.ts'
import { createPostgresStore, versionStatement } from '../server/store/postgres.ts'
import { defaultSchema, newestVersion, postgresSchema, quoteSchema } from '../server/store/postgres-schema.ts'
import { createSqliteStore, defaultStorePath } from '../server/store/sqlite.ts'
import { newestSqliteVersion, prepareVersion } from '../server/store/sqlite-schema.ts'
import type { Store } from '../server/store/store.ts'
import { accountName, firstAccountKey, storeOfAccount } from '../server/store/store-calls.ts'
import { mayUse, type TablesVersion, versionOfRow } from '../server/store/versions.ts'
import { access } from './connect.ts'
import { connectPostgres } from './database-connection.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { World } from './world.ts'

/** Options of every command that reads the store. */
export interface StoreOptions {
  /** File of the SQLite store. */
  readonly store: string
  /** Whether to use the Postgres that `DATABASE_URL` names instead. */
  readonly postgres?: boolean
  readonly schema: string
}

/** Options of `paywindow migrate`. */
export interface MigrateOptions {
  readonly schema: string
  readonly print?: boolean
}

/** The version of a store; 0 where there are no tables yet. */
interface StoreVersion extends TablesVersion {
  /** The newest version that this code knows. */
  readonly newest: number
}

/** An open store; `end` closes its connection. */
interface OpenStore {
  readonly store: Store
  end(): Promise<unknown>
}

/** Adds the options of the store to a command. */
export function onStore(command: Command): Command {
  return command
    .option('--store <file>', 'file of the SQLite store', defaultStorePath)
    .option('--postgres', 'use the Postgres that DATABASE_URL names instead')
    .option('--schema <name>', 'schema of its tables', defaultSchema)
}

/**
 * Runs `work` with a server that does nothing by itself. The shop's own processes deliver the
 * changes that it makes.
 *
 * @throws CommandFailure as `withStore` does; PaywindowError as `createPaywindow` does.
 */
export async function withServer(
  options: StoreOptions,
  world: World,
  work: (paywindow: PaywindowServer) => Promise<void>,
): Promise<void> {
  const service = access(world)
  await withStore(options, world, async (store) => {
    const paywindow = createPaywindow({
      service,
      store,
      offer: () => null,
      onError: printer(world),
    })
    await work(paywindow)
    await paywindow.settled()
  })
}

/**
 * As `withServer`, for work that only reads the store, and so needs no access to the service. Where
 * the variables name an account, its checkouts are read, else those of the store's first account.
 */
export async function withReader(
  options: StoreOptions,
  world: World,
  work: (paywindow: PaywindowServer, store: Store) => Promise<void>,
): Promise<void> {
  const { PAYWINDOW_SERVICE_URL: baseUrl = '', PAYWINDOW_SUB_ACCOUNT_ID: subAccountId = '' } = world.env
  const account = baseUrl && subAccountId ? { service: { baseUrl, subAccountId, accessToken: 'none' } } : {}
  await withStore(options, world, (store) => work(createReader(store, { ...account, onError: printer(world) }), store))
}

/**
 * A server that sends no request to the service. Without `service` it is of the store's first
 * account.
 */
export function createReader(
  store: Store,
  options: Partial<Pick<PaywindowOptions, 'service' | 'onError'>> = {},
): PaywindowServer {
  return createPaywindow({
    service: { baseUrl: 'https://service.invalid', accessToken: 'none', subAccountId: 'none' },
    store: options.service ? store : withoutAccountCheck(store),
    offer: () => null,
    ...options,
  })
}

/**
 * The store as the account of the variables sees it, else as its first account does. Unlike a
 * server's, it makes no record of the account.
 *
 * @param onOther - As for `storeOfAccount`.
 */
export function storeOfVariables(store: Store, { env }: Pick<World, 'env'>, onOther: () => void = () => {}): Store {
  const { PAYWINDOW_SERVICE_URL: baseUrl = '', PAYWINDOW_SUB_ACCOUNT_ID: subAccountId = '' } = env
  if (!URL.canParse(baseUrl) || !subAccountId) return store
  const unchanged: Store = {
    ...store,
    create: async (record) => record.key === firstAccountKey || store.create(record),
  }
  return storeOfAccount(unchanged, accountName({ baseUrl, subAccountId }), onOther)
}

function printer({ stderr }: World): NonNullable<PaywindowOptions['onError']> {
  return ({ code, message }) => stderr(`paywindow: ${code}: ${message}\n`)
}

/** Skips the check that the store is of the server's account: this server has no account. */
function withoutAccountCheck(store: Store): Store {
  return {
    ...store,
    read: async (key) => (key === firstAccountKey ? undefined : store.read(key)),
    create: async (record) => record.key === firstAccountKey || store.create(record),
  }
}

/**
 * Runs `work` with the store, then closes it. A store of an earlier version is refused: opening it
 * would update it while older servers run on it.
 *
 * @throws CommandFailure when there is no such store, or when it has another version.
 */
export async function withStore<Result>(
  options: StoreOptions,
  world: World,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const why = whyNotOpened(await readStoreVersion(options, world), options)
  if (why !== undefined) throw new CommandFailure(exitCodes.usage, why)
  const { store, end } = await openStore(options, world)
  try {
    return await work(store)
  } finally {
    await store.close()
    await end()
  }
}

/**
 * Reads the version without opening the store, which would update it.
 *
 * @throws CommandFailure when there is no such store; Node's error when the file is no database.
 */
export async function readStoreVersion(options: StoreOptions, world: World): Promise<StoreVersion> {
  if (options.postgres) return { ...(await postgresVersion(options.schema, world)), newest: newestVersion }
  const database = new DatabaseSync(existingFile(options.store, world), { readOnly: true })
  try {
    return { ...prepareVersion(database)(), newest: newestSqliteVersion }
  } finally {
    database.close()
  }
}

/** Names the store in a sentence. */
export function nameOf({ postgres, schema, store }: StoreOptions): string {
  return postgres ? `schema ${schema} of the Postgres` : store
}

/** Says why a store of this version cannot be opened, and what to do; undefined if it can. */
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

/**
 * `paywindow migrate`: creates or updates the tables of the Postgres store, or prints the
 * statement.
 *
 * @throws CommandFailure with what is missing, or with the database's refusal.
 */
export async function migrate({ schema, print }: MigrateOptions, world: World): Promise<void> {
  const statement = postgresSchema(schema)
  if (print) return world.stdout(`${statement};\n`)
  const url = world.env.DATABASE_URL
  if (!url)
    throw new CommandFailure(
      exitCodes.usage,
      'DATABASE_URL is not set: set it to the address of the database, or print the statement with --print.',
    )
  const connection = await connectPostgres(url, world)
  try {
    await connection.query(statement, [])
  } finally {
    await connection.end()
  }
  world.stdout(`The tables in schema ${schema} are up to date.\n`)
}

async function openStore({ store, postgres, schema }: StoreOptions, world: World): Promise<OpenStore> {
  if (postgres) {
    const { query, end } = await connectPostgres(databaseUrl(world), world)
    return { store: createPostgresStore({ query, schema }), end }
  }
  return { store: createSqliteStore(existingFile(store, world)), end: async () => undefined }
}

/** @throws CommandFailure when it is not set. */
function databaseUrl({ env }: Pick<World, 'env'>): string {
  const url = env.DATABASE_URL
  if (url) return url
  throw new CommandFailure(exitCodes.usage, 'DATABASE_URL is not set: set it to the address of the database.')
}

/** @throws CommandFailure when the file is not there: opening it would create a store. */
function existingFile(store: string, { folder }: Pick<World, 'folder'>): string {
  const path = resolve(folder, store)
  if (existsSync(path)) return path
  throw new CommandFailure(
    exitCodes.usage,
    `There is no store at ${path}: name its file with --store, or use --postgres.`,
  )
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
