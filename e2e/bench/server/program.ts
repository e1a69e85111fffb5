/** `paywindow serve` as it is shipped, with a shop that keeps its records in SQLite. */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/paths.ts'
import { createSqliteStore } from '../../../src/server/node.ts'
import { createRepository } from '../../../src/server/records/repository.ts'
import { freePort } from '../../../src/server/store/losing-replies.testing.ts'
import { accountName } from '../../../src/server/store/store-calls.ts'
import { said as programSaid } from '../../plugins/program.ts'
import { bytesIn } from './counting.ts'
import type { Held } from './figures.ts'
import type { Browser, SeedOrder, ServiceAccess, ToService } from './messages.ts'
import { seedRecords } from './seed.ts'
import { asking, beginService, ended, lastQuarter, said, usual } from './shop.ts'

const memoryEveryMs = 1_000

/** Signs the events. */
export const eventsSecret = `whsec_${randomBytes(32).toString('base64')}`

/** The running program, and what it began with. */
export interface Served {
  readonly port: number
  readonly apiSecret: string
  readonly orders: readonly SeedOrder[]
  /** The checkouts of these orders. */
  readonly browsers: readonly Browser[]
  service<Answer>(message: ToService): Promise<Answer>
  held(): Held
}

/**
 * Starts it on records of open orders, and ends it after the work. Says on the error output how
 * long that took.
 *
 * @param eventsUrl - Where the shop takes events.
 */
export async function inProgram<Result>(
  name: string,
  { open, eventsUrl }: { readonly open: number; readonly eventsUrl?: string },
  work: (served: Served) => Promise<Result>,
): Promise<Result> {
  const beganAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-bench-'))
  const path = join(folder, 'paywindow-books.sqlite')
  const service = beginService(usual)
  try {
    const access = await said<ServiceAccess>(service)
    const ask = asking<ToService>(service)
    const orders = await ask<readonly SeedOrder[]>({ kind: 'seed', count: open, span: lastQuarter, isPaid: false })
    const browsers = await seeded(path, accountName(access), orders)
    const { port, apiSecret, pid, stop } = await startProgram(folder, access, eventsUrl)
    let mostMemoryMb = 0
    const held = () => {
      const memoryMb = (Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`])) * 1_024) / 1e6
      mostMemoryMb = Math.max(mostMemoryMb, memoryMb)
      return { memoryMb, mostMemoryMb, diskMb: bytesIn({ kind: 'sqlite', path }) / 1e6 }
    }
    const timer = setInterval(held, memoryEveryMs)
    try {
      return await work({ port, apiSecret, orders, browsers, service: ask, held })
    } finally {
      clearInterval(timer)
      await stop()
    }
  } finally {
    await ended(service)
    rmSync(folder, { recursive: true })
    console.error(`  ${name}: ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`)
  }
}

async function seeded(path: string, account: string, orders: readonly SeedOrder[]): Promise<readonly Browser[]> {
  const store = createSqliteStore(path)
  try {
    return await seedRecords(createRepository(store), orders, { account, isPaid: false, firstNumber: 0 })
  } finally {
    await store.close()
  }
}

async function startProgram(folder: string, { accessToken, ...service }: ServiceAccess, eventsUrl?: string) {
  const port = await freePort()
  const apiSecret = randomBytes(32).toString('hex')
  const shop = {
    service: { baseUrl: service.baseUrl, subAccountId: service.subAccountId },
    test: true,
    merchant: { name: 'Lantern Books' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    ...(eventsUrl !== undefined && { events: { url: eventsUrl, allowPrivate: true } }),
  }
  writeFileSync(
    join(folder, 'paywindow.json'),
    JSON.stringify({
      port,
      host: '127.0.0.1',
      publicUrl: `http://127.0.0.1:${port}`,
      store: 'paywindow.sqlite',
      shops: { books: shop },
    }),
  )
  const program = spawn(process.execPath, [join(root, 'dist', 'cli.js'), 'serve'], {
    cwd: folder,
    env: {
      ...process.env,
      PAYWINDOW_BOOKS_ACCESS_TOKEN: accessToken,
      PAYWINDOW_BOOKS_LINK_SECRET: randomBytes(32).toString('hex'),
      PAYWINDOW_BOOKS_API_SECRET: apiSecret,
      PAYWINDOW_BOOKS_EVENTS_SECRET: eventsSecret,
    },
  })
  await programSaid(program, /^Paywindow serves port/m)
  return {
    port,
    apiSecret,
    pid: program.pid,
    stop: async () => {
      program.kill()
      if (program.exitCode === null) await once(program, 'exit')
    },
  }
}
