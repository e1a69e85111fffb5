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
  for (const [at, order] of orders.entries()) browsers.push(await seedRecord(repository, order, at))
  return browsers
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
