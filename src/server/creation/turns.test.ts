import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { policy } from '../core/policy.ts'
import { turnName } from '../core/types.ts'
import { mute } from '../following/binding.testing.ts'
import { createIds } from '../records/ids.ts'
import { someCheckout } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createTurns } from './turns.ts'

/** A shop whose service takes 0.2 s for a creation, and whose store tells which turns were asked for. */
function busyShop(sandbox: object) {
  const turns: string[] = []
  const memory = createMemoryStore(() => shop.clock.now())
  const store: typeof memory = {
    ...memory,
    lease: (name, holder, forMs) => {
      if (name.startsWith('turn of ')) turns.push(name)
      return memory.lease(name, holder, forMs)
    },
  }
  const shop: ReturnType<typeof createTestShop> = createTestShop({
    store,
    sandbox: {
      ...sandbox,
      faults: ({ method }) => (method === 'POST' ? { kind: 'latency', beforeMs: 200 } : undefined),
    },
  })
  /** Opens equal carts at once; resolves with how long each payer waited for the panel. */
  const open = (references: readonly string[]): Promise<number[]> => {
    const startedAtMs = shop.clock.now()
    const openOne = async (reference: string) => {
      const body = JSON.stringify({ reference })
      const headers = { 'content-type': 'application/json' }
      const url = 'https://shop.example/paywindow/checkouts'
      const answer = await shop.paywindow.fetch(new Request(url, { method: 'POST', headers, body }))
      expect(answer.status).toBe(200)
      return shop.clock.now() - startedAtMs
    }
    return shop.run(Promise.all(references.map(openOne)))
  }
  return { shop, turns, open }
}

describe('equal carts at the same moment', () => {
  it.each([
    ['a time of the answer', { dateTime: 'created' }],
    ['an id in the answer', { ...mute, creationId: true }],
  ])('do not wait for each other once %s has proved an order', async (_, sandbox) => {
    const { shop, turns, open } = busyShop(sandbox)
    await shop.open({ reference: 'before' })
    await shop.settle()
    expect(turns).not.toEqual([])
    turns.length = 0
    expect(await open(['a', 'b', 'c', 'd'])).toEqual([200, 200, 200, 200])
    expect(turns).toEqual([])
  })

  it('go one after another where nothing proves an order, for as long as a payer waits', async () => {
    const { shop, turns, open } = busyShop(mute)
    await shop.open({ reference: 'before' })
    await shop.settle()
    turns.length = 0
    const waitedMs = await open(['a', 'b', 'c', 'd'])
    expect(new Set(waitedMs).size).toBe(4)
    expect(Math.min(...waitedMs)).toBe(200)
    expect(Math.max(...waitedMs)).toBeLessThanOrEqual(policy.creation.turnPatienceMs + 200)
    expect(turns).not.toEqual([])
  })

  it('do not wait once eight have come within four seconds', async () => {
    const { shop, open } = busyShop(mute)
    const waitedMs = await open(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
    // The first has the turn, and those after the seventh go at once.
    expect(waitedMs.filter((ms) => ms === 200)).toHaveLength(4)
    expect(Math.max(...waitedMs)).toBeLessThanOrEqual(policy.creation.turnPatienceMs + 450)
    await shop.settle()
    await shop.pass(4_000)
    expect(new Set(await open(['k', 'l', 'm'])).size).toBe(3)
  })

  it('wait for each other again when the last order was found without a proof', async () => {
    const isProved = { now: true }
    const { clock, repository, ids, checkout } = world()
    const takeTurn = createTurns(
      { repository, ids, now: clock.now, sleep: clock.sleep },
      { searchNow: async (each) => each, provesByTime: () => isProved.now },
    )
    await repository.store.lease(turnName(checkout), 'another', 30_000)
    const startedAtMs = clock.now()
    await clock.run(takeTurn(checkout))
    expect(clock.now() - startedAtMs).toBe(0)
    isProved.now = false
    await clock.run(takeTurn(checkout))
    expect(clock.now() - startedAtMs).toBe(policy.creation.turnPatienceMs)
  })
})

describe('a turn', () => {
  it('that was waited for in vain ends without ending that of the other', async () => {
    const { clock, repository, ids, checkout } = world()
    const takeTurn = createTurns(
      { repository, ids, now: clock.now, sleep: clock.sleep },
      { searchNow: async (each) => each, provesByTime: () => false },
    )
    const first = await clock.run(takeTurn(checkout))
    const second = await clock.run(takeTurn(checkout))
    await second.end()
    expect(await repository.store.lease(turnName(checkout), 'third', 30_000)).toBe(false)
    await first.end()
    expect(await repository.store.lease(turnName(checkout), 'third', 30_000)).toBe(true)
  })
})

function world() {
  const clock = createVirtualClock()
  const repository = createRepository(createMemoryStore(clock.now))
  const ids = createIds((length) => crypto.getRandomValues(new Uint8Array(length)))
  return { clock, repository, ids, checkout: someCheckout() }
}
