/** Servers of a store that are asked about the same order at the same time. */
import { describe, expect, it } from 'vitest'
import { createServers } from '../many-servers.testing.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { mute } from './binding.testing.ts'

const never = new Promise<never>(() => {})

/** Servers with one open checkout, which know of each other. */
async function createAcquainted(count: number, optionsOf?: Parameters<typeof createServers>[2]) {
  const servers = await createServers(count, 1, optionsOf)
  const [checkout] = servers.checkouts
  const [one, two = one] = servers.shops
  if (!checkout || !one || !two) throw new Error('There is one')
  /** Polls come to all servers at the same moment. */
  const pollAll = () => servers.first.run(Promise.all(servers.shops.map((shop) => servers.poll(shop, checkout))))
  for (let round = 0; round < 4; round++) {
    await pollAll()
    await servers.first.pass(5_000)
  }
  servers.requests.splice(0)
  return { ...servers, checkout, one, two, pollAll, details: () => servers.requests.filter(isDetails) }
}

const isDetails = ({ path }: { readonly path: string }) => path.includes('details')

/** Details requests in a minute in which a poll comes to each server every five seconds. */
async function detailsInAMinute(count: number): Promise<number> {
  const { first, pollAll, details } = await createAcquainted(count)
  for (let round = 0; round < 12; round++) {
    expect(new Set(await pollAll())).toEqual(new Set(['waiting']))
    await first.pass(5_000)
  }
  return details().length
}

describe('an order that is polled at several servers', () => {
  it('is asked for by one of them at a time', async () => {
    expect([await detailsInAMinute(1), await detailsInAMinute(2), await detailsInAMinute(3)]).toEqual([12, 12, 12])
  })

  it('is asked for by one of them also after minutes in which the other needed nothing', async () => {
    const { first, one, checkout, phaseAt, pollAll, details, requests } = await createAcquainted(2)
    for (let round = 0; round < 24; round++) {
      await phaseAt(one, checkout)
      await first.pass(5_000)
    }
    requests.splice(0)
    await pollAll()
    expect(details()).toHaveLength(1)
  })

  it('is shown by all as the one that asked has stored it', async () => {
    const { one, two, checkout, phaseAt, pay, details } = await createAcquainted(2)
    pay(checkout)
    expect(await phaseAt(one, checkout)).toBe('paid')
    expect(await phaseAt(two, checkout)).toBe('paid')
    expect(details().map(({ server }) => server)).toEqual([0])
    expect(one.events.concat(two.events).map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('is asked for by the other 2.5 seconds later when one dies while it asks', async () => {
    let isDead = false
    const mortal = (store: Store): Store =>
      new Proxy(store, { get: (target, name: keyof Store) => (isDead ? () => never : target[name]) })
    const { first, one, two, checkout, requests, poll, phaseAt, pay, details } = await createAcquainted(
      2,
      (server, store) => (server === 0 ? { store: mortal(store) } : {}),
    )
    first.sandbox.faults = () => (requests.at(-1)?.server === 0 ? { kind: 'hang' } : undefined)
    const dying = expect(poll(one, checkout)).rejects.toThrow('A poll was answered with 500')
    await first.pass(50)
    expect(details().map(({ server }) => server)).toEqual([0])
    isDead = true
    pay(checkout)
    const diedAtMs = first.clock.now()
    while (details().length < 2 && first.clock.now() < diedAtMs + 10_000) {
      await phaseAt(two, checkout)
      await first.pass(50)
    }
    expect(details().map(({ server }) => server)).toEqual([0, 1])
    expect((details()[1]?.atMs ?? Number.POSITIVE_INFINITY) - diedAtMs).toBeLessThanOrEqual(2_550)
    expect(await phaseAt(two, checkout)).toBe('paid')
    await first.pass(60_000)
    await dying
  })

  it('is asked for by the other at once when one cannot reach the service', async () => {
    const { one, two, checkout, first, requests, phaseAt, pay, details } = await createAcquainted(2)
    first.sandbox.faults = () => (requests.at(-1)?.server === 0 ? { kind: 'status', status: 500 } : undefined)
    pay(checkout)
    expect(await phaseAt(one, checkout)).toBe('waiting')
    expect(await phaseAt(two, checkout)).toBe('paid')
    expect(details().map(({ server }) => server)).toEqual([0, 1])
  })

  it('is asked for by a server that has heard nothing from the service yet: it has to learn its time', async () => {
    const { shops, first, checkouts, requests, poll } = await createServers(3, 1)
    const [checkout] = checkouts
    if (!checkout) throw new Error('There is one')
    const pollAt = (some: readonly TestShop[]) => first.run(Promise.all(some.map((shop) => poll(shop, checkout))))
    for (let round = 0; round < 4; round++) {
      await pollAt(shops.slice(0, 2))
      await first.pass(5_000)
    }
    requests.splice(0)
    await pollAt(shops)
    expect(requests.filter(isDetails).map(({ server }) => server)).toEqual([0, 2])
  })
})

describe('one server alone', () => {
  it('takes no turns', async () => {
    const leases: string[] = []
    const noting = (store: Store): Store => ({
      ...store,
      lease: (name, holder, forMs) => {
        leases.push(name)
        return store.lease(name, holder, forMs)
      },
    })
    const { checkout, phaseAt, one, details } = await createAcquainted(1, (_, store) => ({ store: noting(store) }))
    await phaseAt(one, checkout)
    expect(details()).toHaveLength(1)
    expect(leases.filter((name) => /^(ask|search) /.test(name))).toEqual([])
  })
})

describe('a checkout whose order is not known', () => {
  /**
   * Opened at the first of two servers, at a service that shows its order for the first time now.
   */
  async function createUnbound() {
    const requests: number[] = []
    const store = createMemoryStore(() => first.clock.now())
    const first: TestShop = createTestShop({ store, sandbox: { ...mute, appearAfterMs: () => 90_000 } })
    const second = createTestShop({ beside: { shop: first, store } })
    for (const [server, shop] of [first, second].entries()) shop.onRequest = () => requests.push(server)
    const checkout = await first.open()
    await first.settle()
    for (let poll = 0; poll < 20; poll++) {
      for (const shop of [first, second]) await shop.poll(checkout)
      await first.pass(4_000)
    }
    first.sandbox.faults = () => ({ kind: 'latency', beforeMs: 500 })
    requests.splice(0)
    return { first, second, checkout, requests }
  }

  it('is searched by one server at a time', async () => {
    const { first, second, checkout, requests } = await createUnbound()
    await Promise.all([first, second].map((shop) => shop.poll(checkout)))
    expect(new Set(requests)).toEqual(new Set([0]))
  })

  it('is searched by the next as soon as one has found nothing', async () => {
    const { first, second, checkout, requests } = await createUnbound()
    await first.poll(checkout)
    await second.poll(checkout)
    expect(new Set(requests)).toEqual(new Set([0, 1]))
  })
})
