import { describe, expect, it } from 'vitest'
import { storeAround } from '../testing/store-around.testing.ts'
import { createServers } from './many-servers.testing.ts'
import type { Store } from './store/store.ts'

const minuteMs = 60_000

/** Requests in half a minute, of so many servers with 200 open checkouts that browsers poll. */
async function requestsOf(count: number, isWatched: boolean): Promise<number> {
  const { shops, first, requests, browse } = await createServers(count, 200)
  const watching = isWatched ? shops.map(({ paywindow }) => paywindow.watch()) : []
  await browse(10_000)
  requests.splice(0)
  await browse(minuteMs / 2)
  const made = requests.length
  await first.run(Promise.all(watching.map((each) => each.stop())))
  return made
}

const never = new Promise<never>(() => {})

/** Most requests within one second. */
const mostInASecond = (times: readonly number[]) =>
  Math.max(...times.map((from) => times.filter((atMs) => atMs >= from && atMs < from + 1_000).length))

describe('several servers on one store', () => {
  it.each([true, false])(
    'read the list once for all of them, with watching: %s',
    { timeout: 180_000 },
    async (isWatched) => {
      const one = await requestsOf(1, isWatched)
      const two = await requestsOf(2, isWatched)
      const three = await requestsOf(3, isWatched)
      expect(two).toBeLessThanOrEqual(one * 1.2)
      expect(three).toBeLessThanOrEqual(one * 1.2)
    },
  )

  it('show and deliver what any of them has read', { timeout: 60_000 }, async () => {
    const { shops, first, checkouts, requests, browse, phaseAt, pay } = await createServers(3, 100)
    await browse(10_000)
    const [paid] = checkouts.slice(50)
    if (!paid) throw new Error('There is no checkout')
    pay(paid)
    requests.splice(0)
    await browse(10_000)
    expect((await first.run(first.paywindow.checkouts.get(paid.id)))?.status).toBe('confirmed')
    requests.splice(0)
    for (const shop of shops) expect(await phaseAt(shop, paid)).toBe('paid')
    expect(shops.flatMap(({ events }) => events.map(({ status }) => status))).toEqual(['confirmed'])
  })

  it('go on within ten seconds when the one that reads and watches dies', { timeout: 60_000 }, async () => {
    let isDead = false
    const mortal = (store: Store) => storeAround(store, (_, call) => (isDead ? never : call()))
    const { shops, first, checkouts, requests, browse, pay } = await createServers(2, 400, (server, store) =>
      server === 0 ? { store: mortal(store) } : {},
    )
    const [dying, living] = shops
    if (!dying || !living) throw new Error('There are two')
    dying.paywindow.watch()
    await first.pass(3_000)
    const watching = living.paywindow.watch()
    await browse(20_000)
    const pages = requests.filter(({ path }) => path === '/v1/order').slice(-10)
    expect(pages.map(({ server }) => server)).toEqual(Array.from({ length: 10 }, () => 0))
    isDead = true
    const diedAtMs = first.clock.now()
    requests.splice(0)
    if (checkouts[390]) pay(checkouts[390])
    await browse(12_000, [living])
    const next = requests.find(({ server }) => server === 1)
    expect((next?.atMs ?? Number.POSITIVE_INFINITY) - diedAtMs).toBeLessThanOrEqual(10_000)
    expect(living.events.map(({ status }) => status)).toEqual(['confirmed'])
    await first.run(watching.stop())
  })

  it('keep to one budget together', { timeout: 60_000 }, async () => {
    const most = 5
    const { first, requests, browse } = await createServers(3, 100, () => ({ serviceRequestsPerSecond: most }))
    // Orders of this age are asked for one by one.
    await first.pass(35 * minuteMs)
    await browse(10_000)
    requests.splice(0)
    await browse(minuteMs)
    expect(requests.length).toBeGreaterThan(40 * most)
    expect(mostInASecond(requests.map(({ atMs }) => atMs))).toBeLessThanOrEqual(most * 1.2)
  })

  it('all pause when the service asks one of them to', { timeout: 60_000 }, async () => {
    const { first, requests, browse } = await createServers(3, 100)
    await first.pass(35 * minuteMs)
    await browse(10_000)
    let refusedAtMs: number | undefined
    first.sandbox.faults = () => {
      if (refusedAtMs !== undefined) return undefined
      refusedAtMs = first.clock.now()
      return { kind: 'status', status: 429, retryAfter: '30' }
    }
    requests.splice(0)
    await browse(40_000)
    const afterMs = requests.map(({ atMs }) => atMs - (refusedAtMs ?? 0))
    expect(afterMs.filter((ms) => ms > 1_500 && ms < 30_000)).toEqual([])
    expect(afterMs.filter((ms) => ms > 30_000).length).toBeGreaterThan(10)
  })
})
