import { describe, expect, it } from 'vitest'
import { createTestShop, pay } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'

type Shop = ReturnType<typeof createTestShop>

const read = (shop: Shop) => shop.run(shop.paywindow.health())

describe('health', () => {
  it.each<[string, (now: () => number) => Store]>([
    ['memory', createMemoryStore],
    ['SQLite', () => createSqliteStore(':memory:')],
  ])('of an idle shop on %s', async (_, createStore) => {
    const shop = createTestShop({ store: createStore(() => shop.clock.now()) })
    expect(await read(shop)).toEqual({
      isReady: true,
      isWatched: false,
      canDeliver: true,
      service: { answeredAt: null, refusingSince: null },
      backlog: { open: 0, unresolved: 0, untold: 0, oldestUndeliveredMs: null },
    })
    expect(shop.sandbox.orders()).toEqual([])
    await shop.run(shop.paywindow.close())
  })

  it('counts what waits, and says how long the oldest change has waited', async () => {
    const shop = createTestShop({ hasCallback: false })
    const checkout = await shop.open()
    await shop.settle()
    expect(await read(shop)).toMatchObject({ canDeliver: false, backlog: { open: 1, unresolved: 0, untold: 0 } })
    pay(shop)
    await shop.pass(5_000)
    await shop.poll(checkout)
    await shop.settle()
    const seenAtMs = shop.clock.now()
    await shop.pass(90_000)
    const { backlog, service } = await read(shop)
    expect(backlog).toMatchObject({ unresolved: 0, untold: 1, oldestUndeliveredMs: shop.clock.now() - seenAtMs })
    expect(service).toEqual({ answeredAt: new Date(seenAtMs).toISOString(), refusingSince: null })
  })

  it('counts checkouts whose order is not known', async () => {
    const shop = createTestShop({ sandbox: { appearAfterMs: () => 3_600_000 } })
    await shop.open()
    await shop.settle()
    expect((await read(shop)).backlog).toMatchObject({ open: 1, unresolved: 1 })
  })

  it('says whether somebody watches, and does not keep anybody from it', async () => {
    const shop = createTestShop()
    expect((await read(shop)).isWatched).toBe(false)
    const watching = shop.paywindow.watch()
    await shop.pass(6_000)
    expect((await read(shop)).isWatched).toBe(true)
    await shop.open()
    await shop.settle()
    pay(shop)
    for (let second = 0; second < 30; second += 1) {
      await shop.pass(1_000)
      await read(shop)
    }
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    await shop.run(watching.stop())
    await shop.pass(6_000)
    expect((await read(shop)).isWatched).toBe(false)
  })

  it('says since when the service refuses, and stays ready', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'status', status: 401 })
    await shop.pass(10_000)
    await shop.poll(checkout)
    const refusedAtMs = shop.clock.now()
    await shop.pass(60_000)
    expect(await read(shop)).toMatchObject({
      isReady: true,
      service: { answeredAt: expect.any(String), refusingSince: new Date(refusedAtMs).toISOString() },
    })
  })

  it.each<[string, () => Promise<never>]>([
    ['hangs', () => new Promise(() => undefined)],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('is not ready within two seconds where the store %s, and again when it answers', async (_, list) => {
    const clocked: { shop?: Shop } = {}
    const store = createMemoryStore(() => clocked.shop?.clock.now() ?? 0)
    const state = { isDown: true }
    const shop = createTestShop({
      store: { ...store, list: (...args) => (state.isDown ? list() : store.list(...args)) },
    })
    clocked.shop = shop
    const atMs = shop.clock.now()
    expect(await read(shop)).toMatchObject({ isReady: false, isWatched: null, backlog: null })
    expect(shop.clock.now() - atMs).toBeLessThanOrEqual(2_000)
    state.isDown = false
    await shop.pass(5_000)
    expect(await read(shop)).toMatchObject({ isReady: true })
  })

  it('reads the store once in five seconds, however often it is asked', async () => {
    const clocked: { shop?: Shop } = {}
    const store = createMemoryStore(() => clocked.shop?.clock.now() ?? 0)
    let reads = 0
    const lease: Store['lease'] = (name, ...rest) => {
      if (name === 'watch') reads += 1
      return store.lease(name, ...rest)
    }
    const shop = createTestShop({ store: { ...store, lease } })
    clocked.shop = shop
    await shop.run(Promise.all(Array.from({ length: 100 }, () => shop.paywindow.health())))
    await shop.pass(4_999)
    await read(shop)
    expect(reads).toBe(1)
    await shop.pass(1)
    await read(shop)
    expect(reads).toBe(2)
  })
})
