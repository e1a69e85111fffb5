import { describe, expect, it } from 'vitest'
import { lookQueues } from '../core/looks.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const watchedSeconds = 240

type Group = 'fresh' | 'seen' | 'expired' | 'final'

interface Setting {
  /** What the server may ask for in a second. */
  readonly perSecond: number
  readonly latencyMs: number
  /** What the service answers in a second; more get 429. */
  readonly answersPerSecond: number
}

/** From the oldest, in even steps. */
const agesMs = (count: number, mostMs: number, leastMs: number) =>
  Array.from({ length: count }, (_, at) => Math.round(mostMs - ((mostMs - leastMs) * at) / count))

/** The service answers so slowly, and so few requests. */
function slow(shop: TestShop, { latencyMs, answersPerSecond }: Setting): void {
  let sent: number[] = []
  shop.sandbox.faults = () => {
    const atMs = shop.clock.now()
    sent = sent.filter((each) => each > atMs - 1_000)
    if (sent.length >= answersPerSecond) return { kind: 'status', status: 429, retryAfter: '1' }
    sent.push(atMs)
    return { kind: 'latency', afterMs: latencyMs }
  }
}

/**
 * Pays half of them: of five payments three are confirmed. Returns the groups by the ids of the
 * orders.
 */
function payHalf(shop: TestShop, orderIds: readonly string[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  const orders = new Map(shop.sandbox.orders().map((order) => [order.id, order]))
  for (const [at, id] of orderIds.entries()) {
    const order = orders.get(id)
    if (!order || at % 2 === 0) {
      groups.set(id, 'fresh')
      continue
    }
    shop.sandbox.payer.deposit({ address: order.address ?? '', amount: order.sourceAmount })
    groups.set(id, at % 5 > 1 ? 'final' : 'seen')
    if (at % 5 > 1) shop.sandbox.payer.confirm(id)
  }
  return groups
}

/**
 * 900 expired checkouts that are all due, 50 fresh ones, 20 seen and 30 paid, on pages of ten
 * orders: as many pages as 10,000 orders take at a real service. Resolves with how late the latest
 * look of each group was, in seconds.
 */
async function latest(setting: Setting): Promise<Record<Group, number>> {
  const store = createMemoryStore()
  const shop = createTestShop({
    store,
    serviceRequestsPerSecond: setting.perSecond,
    sandbox: { maxPageSize: 10 },
  })
  const ages = [...agesMs(900, 20 * hourMs, 40 * minuteMs), ...agesMs(100, 18 * minuteMs, 0)]
  const made = await fillWithUnpaid(shop, store, ages, () => shop.clock.now())
  const paid = payHalf(
    shop,
    made.slice(900).map(({ binding }) => binding?.orderId ?? ''),
  )
  const groups = new Map(made.map(({ id, binding }) => [`checkout ${id}`, paid.get(binding?.orderId ?? '')]))
  slow(shop, setting)
  const late: Record<Group, number> = { fresh: 0, seen: 0, expired: 0, final: 0 }
  const watching = shop.paywindow.watch()
  for (let second = 0; second < watchedSeconds; second++) {
    await shop.pass(1_000)
    for (const queue of lookQueues)
      for (const { key, due } of await store.listDue(queue, shop.clock.now(), 1_000)) {
        const group = groups.get(key) ?? 'expired'
        const atMs = due.find((each) => each.queue === queue)?.atMs ?? 0
        late[group] = Math.max(late[group], (shop.clock.now() - atMs) / 1_000)
      }
  }
  await shop.run(watching.stop())
  return late
}

describe('looks at groups of checkouts', () => {
  it.each<[string, Setting, Record<Group, number>]>([
    [
      '5 requests a second',
      { perSecond: 5, latencyMs: 50, answersPerSecond: 100 },
      { fresh: 10, seen: 10, expired: 60, final: 15 },
    ],
    [
      'a list that takes 300 ms a page',
      { perSecond: 20, latencyMs: 300, answersPerSecond: 100 },
      { fresh: 8, seen: 8, expired: 45, final: 10 },
    ],
    [
      'a service that answers 5 requests a second and refuses more',
      { perSecond: 20, latencyMs: 50, answersPerSecond: 5 },
      { fresh: 60, seen: 30, expired: 100, final: 15 },
    ],
  ])(
    'do not wait for each other with %s',
    async (_, setting, mostSeconds) => {
      const late = await latest(setting)
      const tooLate = Object.entries(late).filter(([group, seconds]) => !(seconds <= mostSeconds[group as Group]))
      expect(tooLate).toEqual([])
    },
    120_000,
  )
})
