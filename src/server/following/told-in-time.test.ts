import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

const perSecond = 5
const pages = 100
/** A paid order may be on any page, so all have to be read. */
const leastMs = (pages / perSecond) * 1_000

/**
 * Without browsers: 1,000 open orders on 100 pages at a service that answers five requests in a
 * second and refuses more. A tenth, all over the list, are paid at the same time. Resolves with the
 * ms until the last was told.
 */
async function lastTold(afterMs: number): Promise<number> {
  const store = createMemoryStore()
  const shop = createTestShop({ store, serviceRequestsPerSecond: perSecond, sandbox: { maxPageSize: 10 } })
  const ages = Array.from({ length: 1_000 }, (_, at) => 900_000 - at * 900)
  await fillWithUnpaid(shop, store, ages, (_, at) => shop.clock.now() + (at % 50) * 100)
  let left = perSecond
  let second = 0
  shop.sandbox.faults = () => {
    // As a service that counts by its own seconds.
    const now = Math.floor(shop.clock.now() / 1_000)
    if (now !== second) left = perSecond
    second = now
    left -= 1
    return left < 0 ? { kind: 'status', status: 429, retryAfter: '1' } : { kind: 'latency', afterMs: 50 }
  }
  const orders = shop.sandbox.orders()
  const watching = shop.paywindow.watch()
  await shop.pass(afterMs)
  const paidAtMs = shop.clock.now()
  for (let at = 5; at < 1_000; at += 10) {
    const { id, address, sourceAmount } = orders[at] ?? { id: '', address: '', sourceAmount: '' }
    shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
  }
  while (shop.events.length < 100 && shop.clock.now() < paidAtMs + 120_000) await shop.pass(250)
  const tookMs = shop.clock.now() - paidAtMs
  const told = shop.events.length
  await shop.run(watching.stop())
  return told === 100 ? tookMs : Number.POSITIVE_INFINITY
}

describe('payments without browsers, at a service that answers few requests', () => {
  it.each([30_000, 37_000, 43_000, 52_000])(
    'are told in at most 1.5 times the least time, paid after %d ms',
    async (afterMs) => {
      expect(await lastTold(afterMs)).toBeLessThanOrEqual(1.5 * leastMs)
    },
    60_000,
  )
})
