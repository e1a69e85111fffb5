/** A real Postgres for tests, with a port of its own, and data that is removed afterwards. */
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { noPostgres, type PostgresPrograms, preparePrograms } from './postgres-programs.ts'
import { type End, untilReady } from './server-process.ts'

/** A Postgres that runs. */
export interface TestPostgres {
  /** For the drivers. */
  readonly url: string
  readonly port: number
  /** Connections of one server, or one connection through another port; `stop` closes them. */
  openPool(through?: number, database?: string): pg.Pool
  /** Kills it, and starts it again on the same data. */
  crash(): Promise<void>
  /** Stops it, by the process that was started, and removes its data. */
  stop(): Promise<void>
}

const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']

/** Defines tests with a Postgres. They are skipped where npm has none for the machine. */
export function describePostgres(name: string, define: (postgres: () => TestPostgres) => void): void {
  describe.skipIf(noPostgres !== undefined)(name, () => {
    let postgres: TestPostgres
    beforeAll(async () => {
      postgres = await startPostgres()
    }, 60_000)
    afterAll(() => postgres?.stop(), 60_000)
    define(() => postgres)
  })
}

/** Starts one. @param settings - `name=value`, each. @throws Error with what Postgres said. */
export async function startPostgres(...settings: readonly string[]): Promise<TestPostgres> {
  const programs = await preparePrograms()
  const password = crypto.randomUUID()
  createData(programs, password)
  const port = await freePort()
  let end = await start(programs, port, settings)
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const pools: pg.Pool[] = []
  return {
    url,
    port,
    openPool: (through, database = 'postgres') => {
      const connectionString = url.replace(`:${port}/postgres`, `:${through ?? port}/${database}`)
      const pool = new pg.Pool({ connectionString, max: through === undefined ? 8 : 1 })
      // For idle connections that a test has ended.
      pool.on('error', () => {})
      pools.push(pool)
      return pool
    },
    crash: async () => {
      await end('SIGQUIT')
      end = await start(programs, port, settings)
    },
    stop: async () => {
      for (const pool of pools) await pool.end()
      await end('SIGINT')
      programs.remove()
    },
  }
}

/** A store on these connections. */
export function storeOn(pool: Pick<pg.Pool, 'query'>, schema?: string) {
  return createPostgresStore({
    query: (text, values) => pool.query(text, values),
    ...(schema !== undefined && { schema }),
  })
}

/** Runs statements together, on a connection of their own. */
export async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statements.join(';'))
  await client.end()
}

function createData({ runInit, write }: PostgresPrograms, password: string): void {
  // A language, as most have: in one, capitals and signs sort otherwise than by their codes.
  const language = ['--locale=C', '--locale-provider=icu', '--icu-locale=en', '--encoding=UTF8']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${write('password', password)}`]
  runInit([...language, ...access, '--no-sync'])
}

/** SIGINT ends it with its connections. */
function start({ spawnServer }: PostgresPrograms, port: number, settings: readonly string[]): Promise<End> {
  const server = spawnServer(['-p', `${port}`, ...[...flags, ...settings].flatMap((flag) => ['-c', flag])])
  return untilReady('Postgres', server, server.stderr, 'SIGINT')
}
