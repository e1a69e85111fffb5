/**
 * Real D1 databases for tests, in a Worker in workerd, the runtime of Cloudflare's Workers. Tests
 * send statements over HTTP, where replies can be lost, and the Worker passes them to its binding.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe } from 'vitest'
import type { D1StoreDatabase, D1StoreStatement } from '../../src/server/store/d1.ts'

/** Databases that a Worker has. Each test of a store needs one of its own. */
const databases = 100

const worker = `export default {
  async fetch(request, env) {
    if (request.method === 'GET') return Response.json({
      binding: 'getBookmark' in env.DB0,
      session: 'getBookmark' in env.DB0.withSession('first-primary'),
    })
    const { name, batch } = await request.json()
    const database = env[name]
    try {
      return Response.json(await database.batch(batch.map(({ text, values }) => database.prepare(text).bind(...values))))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}`

/** A Worker that runs. */
export interface TestD1 {
  /** Where it listens, on 127.0.0.1. */
  port(): number
  /** Kills it, as a crash does, and starts it again on the same data. */
  restart(): Promise<void>
  /** Ends it, and removes its data. */
  stop(): Promise<void>
}

interface Statement extends D1StoreStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Defines tests with a Worker. They are skipped where npm has no workerd for the machine. */
export function describeD1(name: string, define: (d1: () => TestD1) => void): void {
  const isHere = hasWorkerd()
  if (!isHere)
    console.error(`npm has no workerd for ${process.platform} on ${process.arch}: the tests of D1 are SKIPPED.`)
  describe.skipIf(!isHere)(name, () => {
    let d1: TestD1
    beforeAll(async () => {
      d1 = await startD1()
    }, 60_000)
    afterAll(() => d1?.stop())
    define(() => d1)
  })
}

/** npm installs its packages beside it. */
function hasWorkerd(): boolean {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const folder = join(dirname(fromMiniflare.resolve('workerd/package.json')), '..', '@cloudflare')
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('workerd-'))
}

/** Starts one. */
async function startD1(): Promise<TestD1> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-d1-'))
  const start = async () => {
    const miniflare = new Miniflare({
      modules: true,
      script: worker,
      compatibilityDate: '2026-07-01',
      d1Databases: Object.fromEntries(Array.from({ length: databases }, (_, at) => [`DB${at}`, `database-${at}`])),
      d1Persist: folder,
    })
    return { miniflare, port: Number((await miniflare.ready).port) }
  }
  let running = await start()
  return {
    port: () => running.port,
    restart: async () => {
      await running.miniflare.dispose()
      running = await start()
    },
    stop: async () => {
      await running.miniflare.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * One of the Worker's databases, as the Worker itself has it.
 *
 * @param port - Where the Worker, or a line to it, listens.
 * @param at - Which one.
 */
export function databaseOf(port: () => number, at: number): D1StoreDatabase {
  return {
    prepare: (text) => statement(text, []),
    batch: async (statements) => {
      const body = JSON.stringify({ name: `DB${at}`, batch: statements })
      const response = await fetch(`http://127.0.0.1:${port()}/`, { method: 'POST', body })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
  }
}

function statement(text: string, values: readonly unknown[]): Statement {
  return { text, values, bind: (...bound) => statement(text, bound) }
}

/** The same database, and what is sent to it. */
export function recorded(database: D1StoreDatabase) {
  const batches: Statement[][] = []
  return {
    batches,
    database: {
      prepare: (text: string) => database.prepare(text),
      batch: (statements: D1StoreStatement[]) => {
        batches.push(statements as Statement[])
        return database.batch(statements)
      },
    },
  }
}

/** Runs one statement. */
export async function rows(database: D1StoreDatabase, text: string): Promise<readonly Record<string, unknown>[]> {
  const [found] = await database.batch([database.prepare(text)])
  return (found?.results ?? []) as readonly Record<string, unknown>[]
}
