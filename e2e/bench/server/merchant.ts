/** The merchant's server, as a process of its own: real HTTP, SQLite on disk, and a count of what it takes. */
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createPaywindow, createSqliteStore, toNodeListener } from '../../../src/server/node.ts'
import { createRepository } from '../../../src/server/records/repository.ts'
import type { Store } from '../../../src/server/store/store.ts'
import type { Browser, MerchantCount, MerchantSetup, SeedOrder, ToMerchant } from './messages.ts'
import { seedRecord } from './seed.ts'

const setup: MerchantSetup = JSON.parse(process.argv[2] ?? '{}')
const calls: Record<string, number> = {}
const errors: Record<string, number> = {}
const paidAtMs: Record<string, number> = {}
const store = counted(createSqliteStore(setup.storePath))
const { baseUrl, accessToken, subAccountId } = setup
const paywindow = createPaywindow({
  service: { baseUrl, accessToken, subAccountId },
  serviceRequestsPerSecond: setup.requestsPerSecond,
  store,
  test: true,
  creationsPerClient: 1_000_000,
  offer: ({ reference }) => ({
    price: {
      asset: 'USD',
      amount: setup.equalPrices ? '49.90' : `${100_000 + Number(reference.replace(/\D/g, ''))}.01`,
    },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  }),
  onStatusChange: ({ checkout, phase }) => {
    if (phase === 'paid') paidAtMs[checkout.id] ??= Date.now()
  },
  onError: ({ code }) => {
    errors[code] = (errors[code] ?? 0) + 1
  },
})
/** Records that are seeded side by side. */
const atOnce = 100
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let rss = 0
setInterval(() => {
  rss = Math.max(rss, process.memoryUsage.rss())
}, 200).unref()

const server = createServer(toNodeListener(paywindow))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', async (message: ToMerchant) => process.send?.(await answer(message)))
process.on('disconnect', () => process.exit())

async function answer(message: ToMerchant): Promise<unknown> {
  switch (message.kind) {
    case 'seed':
      return seed(message.orders)
    case 'seed finished':
      return seedFinished(message.count)
    case 'watch':
      paywindow.watch()
      return true
    case 'unbound':
      return (await paywindow.checkouts.list({ limit: 5_000 })).filter(({ order }) => order === null).length
    case 'count':
      return count()
  }
}

async function seed(orders: readonly SeedOrder[]): Promise<readonly Browser[]> {
  const repository = createRepository(store)
  const browsers: Browser[] = []
  for (let at = 0; at < orders.length; at += atOnce) {
    const some = orders.slice(at, at + atOnce)
    browsers.push(...(await Promise.all(some.map((order, number) => seedRecord(repository, order, at + number)))))
  }
  return browsers
}

/** Checkouts that were paid ten days ago. */
async function seedFinished(count: number): Promise<boolean> {
  const repository = createRepository(store)
  const createdAtMs = Date.now() - 10 * 24 * 3_600_000
  for (let at = 0; at < count; at += atOnce) {
    const orders = Array.from({ length: atOnce }, (_, number) => ({
      id: `finished-${at + number}`,
      address: `bc1qfinished${at + number}`,
      amount: '0.001',
      price: '49.90',
      createdAtMs: createdAtMs + at + number,
    }))
    await Promise.all(
      orders.map((order, number) => seedRecord(repository, order, 1_000_000 + at + number, 'confirmed')),
    )
  }
  return true
}

function count(): MerchantCount {
  const counted = {
    stallMs: delay.max / 1e6,
    rssMiB: Math.max(rss, process.memoryUsage.rss()) / 1024 ** 2,
    diskMiB: ['', '-wal'].reduce((sum, end) => sum + bytesOf(`${setup.storePath}${end}`), 0) / 1024 ** 2,
    store: { ...calls },
    paidAtMs: { ...paidAtMs },
    errors: { ...errors },
  }
  delay.reset()
  rss = 0
  for (const name of Object.keys(calls)) calls[name] = 0
  return counted
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The store, with each call counted by its name. */
function counted(store: Store): Store {
  return new Proxy(store, {
    get: (target, name: keyof Store) => {
      const method = target[name]
      return (...args: never[]) => {
        calls[name] = (calls[name] ?? 0) + 1
        return (method as (...args: never[]) => unknown)(...args)
      }
    },
  })
}
