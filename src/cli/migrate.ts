/** `paywindow migrate`: makes the tables of the Postgres store, or prints the statement for those whose deployments run it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { postgresSchema } from '../server/store/postgres-schema.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow migrate`, as the command line gives them. */
export interface MigrateOptions {
  readonly schema: string
  readonly print?: boolean
}

/** Runs statements on one connection. */
interface Connection {
  run(statement: string): Promise<unknown>
  close(): Promise<unknown>
}

/** How each driver connects, by the name of its package. */
const drivers: Readonly<Record<string, (module: never, url: string) => Promise<Connection>>> = {
  pg: async ({ default: pg }: { readonly default: PgModule }, url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return { run: (statement) => client.query(statement), close: () => client.end() }
  },
  postgres: async ({ default: postgres }: { readonly default: PostgresModule }, url) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    return { run: (statement) => sql.unsafe(statement), close: () => sql.end() }
  },
}

interface PgModule {
  readonly Client: new (options: {
    readonly connectionString: string
  }) => { connect(): Promise<unknown>; query(text: string): Promise<unknown>; end(): Promise<unknown> }
}

type PostgresModule = (
  url: string,
  options: { readonly max: number; readonly onnotice: () => void },
) => { unsafe(text: string): Promise<unknown>; end(): Promise<unknown> }

/**
 * Prints the statement, or runs it on the database that `DATABASE_URL` names, with the driver of the project in `world.folder`.
 *
 * @throws CommandFailure that says what is missing, or what the database has said.
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
  const connection = await connectTo(url, world.folder)
  try {
    await connection.run(statement)
  } catch (cause) {
    throw refused(cause)
  } finally {
    await connection.close()
  }
  world.stdout(`The tables in schema ${schema} are up to date.\n`)
}

async function connectTo(url: string, folder: string): Promise<Connection> {
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
    return connect(module, url).catch((cause: unknown) => {
      throw refused(cause)
    })
  }
  throw new CommandFailure(
    exitCodes.usage,
    `Neither pg nor postgres is installed in ${folder}: run this where your server is, or print the statement with --print.`,
  )
}

function refused(cause: unknown): CommandFailure {
  const words = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : String(cause)
  return new CommandFailure(exitCodes.failed, `The database refused: ${plainLine(words, 300)}`)
}
