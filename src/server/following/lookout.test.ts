import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

describe('a list that the service limits', () => {
  it('causes three single requests a second, and no flood of them', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const ages = Array.from({ length: 300 }, (_, at) => 300_000 - at * 1_000)
    await fillWithUnpaid(shop, store, ages, () => shop.clock.now())
    const details: number[] = []
    shop.sandbox.faults = ({ url }) => {
      if (!url.includes('/details/')) return { kind: 'status', status: 429 }
      details.push(shop.clock.now())
      return undefined
    }
    const watching = shop.paywindow.watch()
    await shop.pass(60_000)
    await shop.run(watching.stop())
    // The others stay due. Some go on, because the limit may be one of the list only.
    expect(details.length).toBeGreaterThan(60)
    for (const from of details)
      expect(details.filter((atMs) => atMs >= from && atMs < from + 1_000).length).toBeLessThan(8)
    expect(details.length).toBeLessThan(3 * 60 * 1.1)
  })
})
