import { describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../sandbox/index.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { fillWithUnpaid } from '../upstream/backlog.testing.ts'

const minuteMs = 60_000

/** 600 open orders on 60 pages, of which a server may read four in a second; then 20 of them, far apart, get their deposits. */
async function deposits(sandbox: SandboxOptions) {
  const store = createMemoryStore()
  const shop = createTestShop({ store, serviceRequestsPerSecond: 5, sandbox: { maxPageSize: 10, ...sandbox } })
  const ages = Array.from({ length: 600 }, (_, at) => 15 * minuteMs - at * 1_000)
  await fillWithUnpaid(shop, store, ages, (_, at) => shop.clock.now() + at * 10)
  const requests: { url: string; atMs: number }[] = []
  shop.sandbox.faults = ({ url }) => {
    requests.push({ url, atMs: shop.clock.now() })
    return { kind: 'latency', afterMs: 50 }
  }
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
  const pages = requests.filter(({ url, atMs }) => url.includes('/v1/order?') && atMs >= paidAtMs).length
  const filtered = requests.filter(({ url }) => url.includes('status=')).length
  return { told: shop.events.length - before, tookMs, pages, filtered }
}

describe('deposits of many open orders', () => {
  it('are told within seconds where the status filter works', async () => {
    const { told, tookMs, pages } = await deposits({ statusFilter: 'works' })
    expect(told).toBe(20)
    expect(tookMs).toBeLessThan(5_000)
    expect(pages).toBeLessThan(50)
  })

  it.each(['ignored', 'after-paging', 'refused'] as const)(
    'are told once the whole list was read where the filter is %s, which costs one request',
    async (statusFilter) => {
      const { told, tookMs, filtered } = await deposits({ statusFilter })
      expect([told, filtered]).toEqual([20, 1])
      expect(tookMs).toBeGreaterThan(10_000)
      expect(tookMs).toBeLessThan(30_000)
    },
  )
})
