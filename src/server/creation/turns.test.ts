import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { parseKeyedCheckout } from '../../contract/parsers.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { policy } from '../core/policy.ts'
import { turnName } from '../core/types.ts'
import { boundTo, mute, orderIdAt } from '../following/binding.testing.ts'
import { createIds } from '../records/ids.ts'
import { someCheckout } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop, requestOf } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createTurns } from './turns.ts'

/**
 * A shop whose service takes 0.2 s for a creation, and whose store tells which turns were asked
 * for.
 */
function busyShop(sandbox: object) {
  const turns: string[] = []
  const opened: KeyedCheckout[] = []
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
      faults: ({ method }) => (method === 'POST' ? { kind: 'latency', beforeMs: 200 } : undefined),
      ...sandbox,
    },
  })
  /** Opens equal carts at once; resolves with how long each payer waited for the panel. */
  const open = (references: readonly string[]): Promise<number[]> => {
    const startedAtMs = shop.clock.now()
    const openOne = async (reference: string) => {
      const answer = await shop.paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference } }))
      expect(answer.status).toBe(200)
      opened.push(parseKeyedCheckout(await answer.json()))
      return shop.clock.now() - startedAtMs
    }
    return shop.run(Promise.all(references.map(openOne)))
  }
  return { shop, turns, open, opened }
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

  it('each have their own order, although the answer to the first request was lost', async () => {
    let requests = 0
    const loseFirst: NonNullable<SandboxOptions['faults']> = ({ method }) => {
      if (method !== 'POST') return undefined
      requests += 1
      return requests === 1 ? { kind: 'reset', workDone: true } : { kind: 'latency', beforeMs: 200 }
    }
    const { shop, open, opened } = busyShop({ ...mute, faults: loseFirst })
    await open(['a', 'b', 'c', 'd'])
    await shop.pass(policy.search.listedWithinMs + 10_000)
    for (const checkout of opened) await shop.poll(checkout)
    await shop.settle()
    const found = await Promise.all(opened.map(async ({ id }) => (await boundTo(shop, id))?.id))
    expect(found).toEqual(opened.map(({ address }) => orderIdAt(shop, address)))
  })

  it('wait no more in a crowd, until none has come for as long as a payer waits', async () => {
    const { mostWaiting, turnPatienceMs, turnAskedEveryMs } = policy.creation
    const { shop, turns, open } = busyShop(mute)
    const crowd = await open(Array.from({ length: mostWaiting + 3 }, (_, at) => `crowd ${at}`))
    expect(crowd.filter((ms) => ms === 200)).toHaveLength(3)
    expect(crowd.filter((ms) => ms <= 200 + turnAskedEveryMs)).toHaveLength(crowd.length)
    await shop.pass(turnPatienceMs - 1_000)
    expect(Math.max(...(await open(['late 1', 'late 2'])))).toBe(200)
    await shop.pass(turnPatienceMs)
    turns.length = 0
    await open(['after 1', 'after 2'])
    expect(turns).not.toEqual([])
  })

  it('wait for each other again when the last order was found without a proof', async () => {
    const isProved = { now: true }
    const { clock, repository, context, checkout } = world()
    const takeTurn = createTurns(context, { searchNow: async (each) => each, provesByTime: () => isProved.now }, noList)
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
    const { clock, repository, context, checkout } = world()
    const takeTurn = createTurns(context, { searchNow: async (each) => each, provesByTime: () => false }, noList)
    const first = await clock.run(takeTurn(checkout))
    const second = await clock.run(takeTurn(checkout))
    await second.end()
    expect(await repository.store.lease(turnName(checkout), 'third', 30_000)).toBe(false)
    await first.end()
    expect(await repository.store.lease(turnName(checkout), 'third', 30_000)).toBe(true)
  })
})

const noList = { since: () => Promise.reject(new Error('not read')), equalTo: () => [] }

function world() {
  const clock = createVirtualClock()
  const repository = createRepository(createMemoryStore(clock.now))
  const ids = createIds((length) => crypto.getRandomValues(new Uint8Array(length)))
  const { now, sleep } = clock
  const context = { repository, ids, now, sleep, serviceNow: now }
  return { clock, repository, context, checkout: someCheckout() }
}
