/** The merchant's server as a process: real HTTP, a real store, and a count of its work. */
import { createPaywindow, listen } from '../../../src/server/node.ts'
import { createRepository } from '../../../src/server/records/repository.ts'
import { accountName } from '../../../src/server/store/store-calls.ts'
import { openStore } from '../../stores/open-store.ts'
import { createCounting, emptyLog } from './counting.ts'
import type { MerchantCount, MerchantReady, MerchantSetup, ToMerchant, Unbound } from './messages.ts'
import { finishedOrders, seedRecords } from './seed.ts'
import { countStatements } from './statements.ts'

const loadMs = performance.now()
const setup: MerchantSetup = JSON.parse(process.argv[2] ?? '{}')
/** Checkouts that a page of the sweep has. */
const pageSize = 200
const errors: Record<string, number> = {}
const paidAtMs: Record<string, number> = {}
const statements = countStatements()
const counting = createCounting(setup.store, statements)
const { store } = await openStore(setup.store, statements.counted)
const { baseUrl, accessToken, subAccountId } = setup
const paywindow = createPaywindow({
  service: { baseUrl, accessToken, subAccountId },
  serviceRequestsPerSecond: setup.requestsPerSecond,
  store: counting.counted(store),
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
const repository = createRepository(counting.uncounted(store))
let seeded = 0

process.on('message', async (message: ToMerchant) => process.send?.(await answer(message)))
process.on('disconnect', () => process.exit())
const { port } = await listen(paywindow, { port: 0, host: '127.0.0.1' })
process.send?.({ port, loadMs } satisfies MerchantReady)

async function answer(message: ToMerchant): Promise<unknown> {
  switch (message.kind) {
    case 'seed':
      return seed(message.orders, message.isPaid)
    case 'seed finished':
      await seed(finishedOrders(message.count, message.span), true)
      return true
    case 'watch':
      paywindow.watch()
      return true
    case 'unbound':
      return unbound()
    case 'empty log':
      emptyLog(setup.store)
      return true
    case 'archive':
      return archiveAll()
    case 'read pages':
      return readPages(message.count)
    case 'count':
      return { ...counting.count(), paidAtMs: { ...paidAtMs }, errors: { ...errors } } satisfies MerchantCount
  }
}

function seed(orders: Parameters<typeof seedRecords>[1], isPaid: boolean) {
  const firstNumber = seeded
  seeded += orders.length
  return seedRecords(repository, orders, { account: accountName({ baseUrl, subAccountId }), isPaid, firstNumber })
}

/** No more than the first two thousand. */
async function unbound(): Promise<Unbound> {
  const checkouts = await repository.listCheckouts('unresolved', { limit: 2_000 })
  const groups = Map.groupBy(checkouts, ({ instructions }) => instructions?.dateTime)
  const alike = [...groups.values()].flatMap((group) => (group.length > 1 ? group : []))
  return { count: checkouts.length, alike: alike.length }
}

/** In rounds, as a scheduled job does it. */
async function archiveAll(): Promise<number> {
  for (;;) {
    const before = counting.archived()
    await paywindow.watchOnce()
    if (counting.archived() === before) break
  }
  emptyLog(setup.store)
  return counting.archived()
}

async function readPages(count: number): Promise<number> {
  const beganAt = performance.now()
  let [read, before] = [0, {}]
  while (read < count) {
    const page = await repository.listCheckouts('all', { limit: pageSize, ...before })
    const last = page.at(-1)
    if (!last) break
    read += page.length
    before = { before: last.id }
  }
  return (performance.now() - beganAt) / read
}
