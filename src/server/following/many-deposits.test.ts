import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

const minuteMs = 60_000

/**
 * 600 open orders on 60 pages, of which a server may read four in a second; then 20 of them, far
 * apart, get their deposits.
 */
async function deposits() {
  const store = createMemoryStore()
  const shop = createTestShop({ store, serviceRequestsPerSecond: 5, sandbox: { maxPageSize: 10 } })
  const ages = Array.from({ length: 600 }, (_, at) => 15 * minuteMs - at * 1_000)
  await fillWithUnpaid(shop, store, ages, (_, at) => shop.clock.now() + at * 10)
  shop.sandbox.faults = () => ({ kind: 'latency', afterMs: 50 })
  const orders = shop.sandbox.orders()
  const deposit = (at: number) =>
    shop.sandbox.payer.deposit({ address: orders[at]?.address ?? '', amount: orders[at]?.sourceAmount ?? '' })
  const watching = shop.paywindow.watch()
  deposit(300)
  await shop.pass(minuteMs)
  const before = shop.events.length
  const paidAtMs = shop.clock.now()
  for (let at = 10; at < 600; at += 30) deposit(at)
  for (let waits = 0; shop.events.length < before + 20 && waits < 600; waits++) await shop.pass(100)
  const tookMs = shop.clock.now() - paidAtMs
  await shop.run(watching.stop())
  return { told: shop.events.length - before, tookMs }
}

describe('deposits of many open orders', () => {
  it('are told once the whole list was read', async () => {
    const { told, tookMs } = await deposits()
    expect(told).toBe(20)
    expect(tookMs).toBeLessThan(30_000)
  })
})
