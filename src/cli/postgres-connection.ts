/** One connection to a Postgres, by the driver of the merchant's project: the package brings none. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PostgresQuery } from '../server/store/postgres.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** Ask it to end when the command does. */
export interface PostgresConnection {
  readonly query: PostgresQuery
  end(): Promise<unknown>
}

/** How each driver connects, by the name of its package. */
const drivers: Readonly<Record<string, (module: never, url: string) => Promise<PostgresConnection>>> = {
  pg: async ({ default: pg }: { readonly default: PgModule }, url) => {
    // Of one connection: unlike a client, it takes the next query while one is under way.
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    // A connection that breaks while it is idle fails the next query, which says so.
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
 * Connects to the database that `DATABASE_URL` names, with the driver that is installed in `world.folder`.
 *
 * @throws CommandFailure that says what is missing, or what the database has said.
 */
export async function connectPostgres(url: string, { folder }: Pick<World, 'folder'>): Promise<PostgresConnection> {
  const { resolve } = createRequire(join(folder, 'package.json'))
  for (const [name, connect] of Object.entries(drivers)) {
    let path: string
    try {
      path = resolve(name)
    } catch {
      // Not installed here: perhaps the next one is.
      continue
    }
    const module = (await import(pathToFileURL(path).href)) as never
    return connect(module, url).then(withReasons, (cause: unknown) => {
      throw refused(cause)
    })
  }
  throw new CommandFailure(
    exitCodes.usage,
    `Neither pg nor postgres is installed in ${folder}: run this where your server is.`,
  )
}

function withReasons({ query, end }: PostgresConnection): PostgresConnection {
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
