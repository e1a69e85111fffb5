import { describe, expect, it } from 'vitest'
import { someOf } from '../../testing/tier.testing.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

const pageMs = 50

/**
 * A shop that watches so many open checkouts, none older than a quote, where a page of the list
 * takes 50 ms.
 */
async function watchedShop(count: number) {
  const store = createMemoryStore()
  const told = new Map<string, number>()
  const shop = createTestShop({
    store,
    onStatusChange: ({ checkout }) => {
      told.set(checkout.order?.id ?? '', shop.clock.now())
    },
  })
  const ages = Array.from({ length: count }, (_, at) => 20 * 60_000 * (1 - at / count))
  const open = await fillWithUnpaid(shop, store, ages, (ageMs, at) => {
    return shop.clock.now() + ((at * 0.618) % 1) * Math.max(5_000, ageMs / 10)
  })
  shop.sandbox.faults = () => ({ kind: 'latency', beforeMs: pageMs / 2, afterMs: pageMs / 2 })
  const orders = new Map(shop.sandbox.orders().map((order) => [order.id, order]))
  const pay = (at: number) => {
    const { id = '', address, sourceAmount = '' } = orders.get(open[at]?.binding?.orderId ?? '') ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
    const paidAtMs = shop.clock.now()
    return () => (told.get(id) ?? Number.POSITIVE_INFINITY) - paidAtMs
  }
  return { shop, pay }
}

describe('1,000 open checkouts that no browser polls', () => {
  // All eight in `npm run test:money`; three of them, one from each third, in `npm test`.
  it.each(someOf([0, 1_300, 2_600, 3_900, 5_200, 6_500, 7_800, 9_100], 3))(
    'are told within six seconds of being paid, also %i ms into a cycle of the watcher',
    async (phaseMs) => {
      const { shop, pay } = await watchedShop(1_000)
      const watching = shop.paywindow.watch()
      await shop.pass(20_000 + phaseMs)
      const agesMs = Array.from({ length: 20 }, (_, at) => pay(at * 50 + 7))
      await shop.pass(25_000)
      expect(Math.max(...agesMs.map((ageMs) => ageMs()))).toBeLessThanOrEqual(6_000)
      await shop.run(watching.stop())
    },
  )
})
