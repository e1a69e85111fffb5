import { describe, expect, it } from 'vitest'
import { nextLook } from '../core/looks.ts'
import { someCheckout } from '../records/records.testing.ts'
import { createTestShop, order } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { countRequests, fillWithUnpaid, payOrder } from './backlog.testing.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

function shopWithStore(options: Parameters<typeof createTestShop>[0] = {}) {
  const store = createMemoryStore()
  return { store, shop: createTestShop({ store, ...options }) }
}

describe('a backlog of 9,000 open checkouts', () => {
  it('is processed in one round, and does not delay a new payment', async () => {
    const { shop, store } = shopWithStore()
    const ages = Array.from({ length: 9_000 }, (_, at) => 4 * hourMs - at * 1_500)
    const checkouts = await fillWithUnpaid(shop, store, ages, () => shop.clock.now() - minuteMs)
    for (const at of [0, 4_000, 8_999]) payOrder(shop, checkouts[at]?.binding?.orderId ?? '')
    const requests = countRequests(shop)
    await shop.open({ reference: 'fresh' })
    await shop.settle()
    const startedAtMs = shop.clock.now()
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.clock.now() - startedAtMs).toBeLessThanOrEqual(45_000)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await store.listDue('look', shop.clock.now(), 10)).toEqual([])
    expect(requests.total()).toBeLessThan(150)
    payOrder(shop, order(shop, 9_000).id)
    await shop.pass(startedAtMs + minuteMs - shop.clock.now())
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.events.at(-1)).toMatchObject({ status: 'confirmed', reference: 'fresh' })
    expect(requests.mostInASecond()).toBeLessThanOrEqual(20)
  }, 120_000)
})

describe('6,000 checkouts of 60 days that nobody paid', () => {
  const ages = Array.from({ length: 6_000 }, (_, at) => 60 * dayMs - (at * 60 * dayMs) / 6_000)

  it('cost the service less than one request in five seconds', async () => {
    const { shop, store } = shopWithStore()
    // As they are due when they have been followed all along: at some moment of their pause.
    const pauseMs = (ageMs: number) => Math.min(Math.max(ageMs / 10, 5_000), dayMs)
    await fillWithUnpaid(shop, store, ages, (ageMs, at) => shop.clock.now() + ((at * 0.618) % 1) * pauseMs(ageMs))
    const requests = countRequests(shop)
    for (let minute = 0; minute < 60; minute++) {
      await shop.run(shop.paywindow.watchOnce())
      await shop.pass(minuteMs)
    }
    const perSecond = requests.total() / (60 * 60)
    expect(perSecond).toBeLessThan(1 / 5)
    expect(requests.mostInASecond()).toBeLessThanOrEqual(20)
  }, 120_000)

  it('are all looked at again soon after a server was down for months', async () => {
    const { shop, store } = shopWithStore()
    const checkouts = await fillWithUnpaid(shop, store, ages, (ageMs) => shop.clock.now() - ageMs + minuteMs)
    for (const at of [0, 10, 3_000, 5_999]) payOrder(shop, checkouts[at]?.binding?.orderId ?? '')
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.events).toHaveLength(4)
  }, 120_000)
})

describe('what is forgotten', () => {
  it('was looked at before, however long the server was down', async () => {
    const { shop, store } = shopWithStore()
    const [paid, unpaid] = await fillWithUnpaid(shop, store, [100 * dayMs, 99 * dayMs], () => shop.clock.now() - dayMs)
    payOrder(shop, paid?.binding?.orderId ?? '')
    shop.sandbox.faults = () => ({ kind: 'status', status: 500 })
    await shop.run(shop.paywindow.watchOnce())
    expect(await shop.paywindow.checkouts.list()).toHaveLength(2)
    shop.sandbox.faults = undefined
    await shop.pass(15 * minuteMs)
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect((await shop.paywindow.checkouts.list()).map(({ id }) => id)).toEqual([paid?.id])
    expect(await shop.paywindow.checkouts.get(unpaid?.id ?? '')).toBeUndefined()
  })
})

describe('nextLook', () => {
  const phaseOf = { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } as const
  const since = someCheckout().createdAtMs
  it.each([
    ['open', minuteMs, 6_000],
    ['open', hourMs, 6 * minuteMs],
    ['open', 2 * dayMs, 0.2 * dayMs],
    ['open', 60 * dayMs, dayMs],
    ['pending', 300 * dayMs, dayMs],
    ['pending', 366 * dayMs, null],
    ['confirmed', minuteMs, 30 * minuteMs],
    ['confirmed', 2 * dayMs, 0.2 * dayMs],
    ['confirmed', 73 * hourMs, null],
    ['canceled', minuteMs, 30 * minuteMs],
    ['canceled', 80 * hourMs, 8 * hourMs],
    ['canceled', 60 * dayMs, dayMs],
  ] as const)('of one that is %s since %i ms comes after %j ms', (status, ageMs, pauseMs) => {
    const next = nextLook(someCheckout({ status }), since + ageMs, phaseOf)
    if (pauseMs === null) expect(next).toBeNull()
    else {
      expect((next ?? 0) - since - ageMs).toBeGreaterThanOrEqual(pauseMs)
      expect((next ?? 0) - since - ageMs).toBeLessThanOrEqual(pauseMs * 1.2)
    }
  })
})
