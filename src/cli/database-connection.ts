/** Connections to databases with the drivers of the merchant's project: the package has none. */
import type { PostgresQuery } from '../server/store/postgres.ts'
import type { RedisCommand } from '../server/store/redis.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { importFrom } from './import-from.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** A connection, which the command must end. */
interface PostgresConnection {
  readonly query: PostgresQuery
  end(): Promise<unknown>
}

/** A pool of Postgres, in pg's names. */
interface PoolOptions {
  /** Connections at the same time. */
  readonly max: number
  readonly keepAlive?: boolean
  /** A connection whose answer takes longer, in ms, is left: it may be dead. */
  readonly query_timeout?: number
}

/** Connects with a driver. */
type Connect<Connection> = (module: never, url: string, options: PoolOptions) => Promise<Connection>

/** Seconds that statements under way have before connections are closed. */
const endS = 5

/** By the names of their packages. */
const postgresDrivers: Readonly<Record<string, Connect<PostgresConnection>>> = {
  pg: async ({ default: pg }: { readonly default: PgModule }, url, options) => {
    // A pool, also of one connection: unlike a client, it queues queries.
    const pool = new pg.Pool({ connectionString: url, ...options })
    // If an idle connection breaks, the next query fails.
    pool.on('error', () => undefined)
    await pool.query('SELECT 1', [])
    return { query: (text, values) => pool.query(text, values), end: () => pool.end() }
  },
  postgres: async ({ default: postgres }: { readonly default: PostgresModule }, url, { max }) => {
    const sql = postgres(url, { max, onnotice: () => undefined })
    // Without a limit it would wait for a database that is away, and for ever.
    const end = () => sql.end({ timeout: endS })
    return { query: async (text, values) => ({ rows: await sql.unsafe(text, values) }), end }
  },
}

type Values = Parameters<PostgresQuery>[1]

interface PgModule {
  readonly Pool: new (
    options: PoolOptions & { readonly connectionString: string },
  ) => {
    on(event: 'error', listener: () => void): unknown
    query: PostgresQuery
    end(): Promise<unknown>
  }
}

type PostgresModule = (
  url: string,
  options: { readonly max: number; readonly onnotice: () => void },
) => {
  unsafe(text: string, values: Values): Promise<Record<string, unknown>[]>
  end(options: { readonly timeout: number }): Promise<unknown>
}

/** A connection to Redis or Valkey, which the command must end. */
interface RedisConnection {
  readonly command: RedisCommand
  end(): Promise<unknown>
}

/**
 * By the names of their packages. A call fails while there is no connection: the store tries it
 * again.
 */
const redisDrivers: Readonly<Record<string, Connect<RedisConnection>>> = {
  redis: async ({ createClient }: RedisModule, url) => {
    const client = createClient({ url, disableOfflineQueue: true })
    await connected(client, () => client.destroy())
    return { command: (parts) => client.sendCommand(parts), end: () => client.close() }
  },
  ioredis: async ({ Redis }: IoredisModule, url) => {
    const client = new Redis(url, { maxRetriesPerRequest: 0, lazyConnect: true })
    await connected(client, () => client.disconnect())
    return { command: ([name, ...rest]) => client.call(name, ...rest), end: () => client.quit() }
  },
}

interface RedisClient {
  on(event: 'error', listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
}

/** Connects, or ends the client and rejects with why: by itself it would try for ever. */
async function connected(client: RedisClient, end: () => void): Promise<void> {
  await new Promise((resolve, reject) => {
    // If the connection breaks later, the next call fails.
    client.on('error', reject)
    client.connect().then(resolve, reject)
  }).catch((error: unknown) => {
    end()
    throw error
  })
}

interface RedisModule {
  readonly createClient: (options: { readonly url: string; readonly disableOfflineQueue: boolean }) => RedisClient & {
    sendCommand(parts: string[]): Promise<unknown>
    close(): Promise<unknown>
    destroy(): void
  }
}

interface IoredisModule {
  readonly Redis: new (
    url: string,
    options: { readonly maxRetriesPerRequest: number; readonly lazyConnect: boolean },
  ) => RedisClient & {
    call(name: string, ...rest: string[]): Promise<unknown>
    quit(): Promise<unknown>
    disconnect(): void
  }
}

/**
 * Connects with the driver that is installed in `world.folder`.
 *
 * @throws CommandFailure with what is missing, or with the database's refusal.
 */
export async function connectPostgres(
  url: string,
  world: Pick<World, 'folder'>,
  options: PoolOptions = { max: 1 },
): Promise<PostgresConnection> {
  return withRefusals(await connect(postgresDrivers, url, world, options))
}

/** The same for Redis. */
export function connectRedis(url: string, world: Pick<World, 'folder'>): Promise<RedisConnection> {
  return connect(redisDrivers, url, world, { max: 1 })
}

async function connect<Connection>(
  drivers: Readonly<Record<string, Connect<Connection>>>,
  url: string,
  { folder }: Pick<World, 'folder'>,
  options: PoolOptions,
): Promise<Connection> {
  for (const [name, open] of Object.entries(drivers)) {
    const module = await importFrom(folder, name)
    if (module === undefined) continue
    return open(module as never, url, options).catch((cause: unknown) => {
      throw refused(cause)
    })
  }
  throw new CommandFailure(
    exitCodes.usage,
    `Neither ${Object.keys(drivers).join(' nor ')} is installed in ${folder}: run this where your server is.`,
  )
}

function withRefusals({ query, end }: PostgresConnection): PostgresConnection {
  return {
    query: (text, values) =>
      query(text, values).catch((cause: unknown) => {
        throw refused(cause)
      }),
    end,
  }
}

function refused(cause: unknown): CommandFailure {
  const words = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : String(cause)
  // The store knows by the cause which statements it may send again.
  return new CommandFailure(exitCodes.failed, `The database refused: ${plainLine(words, 300)}`, cause)
}
