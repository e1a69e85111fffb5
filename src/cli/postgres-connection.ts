/** A connection to Postgres with the driver of the merchant's project: the package has none. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PostgresQuery } from '../server/store/postgres.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** A connection, which the command must end. */
interface PostgresConnection {
  readonly query: PostgresQuery
  end(): Promise<unknown>
}

/** Connects with each driver, by the name of its package. */
const drivers: Readonly<Record<string, (module: never, url: string) => Promise<PostgresConnection>>> = {
  pg: async ({ default: pg }: { readonly default: PgModule }, url) => {
    // A pool of one connection: unlike a client, it queues queries.
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    // If an idle connection breaks, the next query fails.
    pool.on('error', () => undefined)
    await pool.query('SELECT 1', [])
    return { query: (text, values) => pool.query(text, values), end: () => pool.end() }
  },
  postgres: async ({ default: postgres }: { readonly default: PostgresModule }, url) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
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

/**
 * Connects with the driver that is installed in `world.folder`.
 *
 * @throws CommandFailure with what is missing, or with the database's refusal.
 */
export async function connectPostgres(url: string, { folder }: Pick<World, 'folder'>): Promise<PostgresConnection> {
  const { resolve } = createRequire(join(folder, 'package.json'))
  for (const [name, connect] of Object.entries(drivers)) {
    let path: string
    try {
      path = resolve(name)
    } catch {
      // Not installed.
      continue
    }
    const module = (await import(pathToFileURL(path).href)) as never
    return connect(module, url).then(withRefusals, (cause: unknown) => {
      throw refused(cause)
    })
  }
  throw new CommandFailure(
    exitCodes.usage,
    `Neither pg nor postgres is installed in ${folder}: run this where your server is.`,
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
