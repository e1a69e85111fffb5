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

/** Connects with a driver. */
type Connect<Connection> = (module: never, url: string, max: number) => Promise<Connection>

/** By the names of their packages. */
const postgresDrivers: Readonly<Record<string, Connect<PostgresConnection>>> = {
  pg: async ({ default: pg }: { readonly default: PgModule }, url, max) => {
    // A pool, also of one connection: unlike a client, it queues queries.
    const pool = new pg.Pool({ connectionString: url, max })
    // If an idle connection breaks, the next query fails.
    pool.on('error', () => undefined)
    await pool.query('SELECT 1', [])
    return { query: (text, values) => pool.query(text, values), end: () => pool.end() }
  },
  postgres: async ({ default: postgres }: { readonly default: PostgresModule }, url, max) => {
    const sql = postgres(url, { max, onnotice: () => undefined })
    return { query: async (text, values) => ({ rows: await sql.unsafe(text, values) }), end: () => sql.end() }
  },
}

type Values = Parameters<PostgresQuery>[1]

interface PgModule {
  readonly Pool: new (options: {
    readonly connectionString: string
    readonly max: number
  }) => { on(event: 'error', listener: () => void): unknown; query: PostgresQuery; end(): Promise<unknown> }
}

type PostgresModule = (
  url: string,
  options: { readonly max: number; readonly onnotice: () => void },
) => { unsafe(text: string, values: Values): Promise<Record<string, unknown>[]>; end(): Promise<unknown> }

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
    // If the connection breaks, the next call fails.
    client.on('error', () => undefined)
    await client.connect()
    return { command: (parts) => client.sendCommand(parts), end: () => client.close() }
  },
  ioredis: async ({ Redis }: IoredisModule, url) => {
    const client = new Redis(url, { maxRetriesPerRequest: 0, lazyConnect: true })
    client.on('error', () => undefined)
    await client.connect()
    return { command: ([name, ...rest]) => client.call(name, ...rest), end: () => client.quit() }
  },
}

interface RedisModule {
  readonly createClient: (options: { readonly url: string; readonly disableOfflineQueue: boolean }) => {
    on(event: 'error', listener: () => void): unknown
    connect(): Promise<unknown>
    sendCommand(parts: string[]): Promise<unknown>
    close(): Promise<unknown>
  }
}

interface IoredisModule {
  readonly Redis: new (
    url: string,
    options: { readonly maxRetriesPerRequest: number; readonly lazyConnect: boolean },
  ) => {
    on(event: 'error', listener: () => void): unknown
    connect(): Promise<unknown>
    call(name: string, ...rest: string[]): Promise<unknown>
    quit(): Promise<unknown>
  }
}

/**
 * Connects with the driver that is installed in `world.folder`.
 *
 * @param max - Connections at the same time.
 * @throws CommandFailure with what is missing, or with the database's refusal.
 */
export async function connectPostgres(url: string, world: Pick<World, 'folder'>, max = 1): Promise<PostgresConnection> {
  return withRefusals(await connect(postgresDrivers, url, world, max))
}

/** The same for Redis. */
export function connectRedis(url: string, world: Pick<World, 'folder'>): Promise<RedisConnection> {
  return connect(redisDrivers, url, world, 1)
}

async function connect<Connection>(
  drivers: Readonly<Record<string, Connect<Connection>>>,
  url: string,
  { folder }: Pick<World, 'folder'>,
  max: number,
): Promise<Connection> {
  for (const [name, open] of Object.entries(drivers)) {
    const module = await importFrom(folder, name)
    if (module === undefined) continue
    return open(module as never, url, max).catch((cause: unknown) => {
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
  return new CommandFailure(exitCodes.failed, `The database refused: ${plainLine(words, 300)}`)
}
