import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createPeers } from './request-budget.ts'

/** Servers with one record, of which each may have a clock of its own. */
function setUp(most = 20) {
  const clock = createVirtualClock()
  const store = createMemoryStore()
  const { updateServers } = createRepository(store)
  let isBroken = false
  let isHung = false
  const holds = new Map<string, number>()
  const serverOf = (id: string, aheadMs = 0) => {
    const peers = createPeers({
      id,
      requestsPerSecond: most,
      clock: { ...clock, now: () => clock.now() + aheadMs, monotonic: clock.now },
      updateServers: async (change) => {
        if (isBroken) throw new Error('The store is read-only')
        if (isHung) await new Promise<never>(() => {})
        return updateServers(change)
      },
      ownHoldMs: () => holds.get(id) ?? 0,
      inBackground: () => {},
    })
    return peers
  }
  /** So many requests in a second, of each, for so many seconds. */
  const ask = async (seconds: number, ...rates: (readonly [ReturnType<typeof serverOf>, number])[]) => {
    for (let second = 0; second < seconds; second++) {
      for (const [peers, count] of rates) for (let at = 0; at < count; at++) await peers.ready()
      await clock.run(clock.sleep(1_000))
    }
  }
  const servers = async () => {
    const { value = '{"servers":{}}' } = (await store.read('servers')) ?? {}
    const record: { readonly servers: Readonly<Record<string, unknown>> } = JSON.parse(value)
    return record.servers
  }
  /** Writes an entry as another version would. */
  const breakStore = () => (isBroken = true)
  const hangStore = () => (isHung = true)
  return { clock, serverOf, ask, holds, breakStore, hangStore, servers }
}

describe('the budget of servers that share a store', () => {
  it('is a fifth after three seconds where the store does not answer: a payer waits', async () => {
    const { clock, serverOf, hangStore } = setUp()
    hangStore()
    const one = serverOf('one')
    const startedAtMs = clock.now()
    await clock.run(one.ready())
    expect(clock.now() - startedAtMs).toBe(3_000)
    await clock.run(one.ready())
    expect(clock.now() - startedAtMs).toBe(3_000)
    expect(one.sharePerSecond()).toBe(4)
  })

  it('is that of its only server', async () => {
    const { serverOf, ask } = setUp()
    const one = serverOf('one')
    await ask(1, [one, 1])
    expect(one.sharePerSecond()).toBe(20)
    expect(one.isAlone()).toBe(true)
  })

  it('is shared by what each asks for, and never more than all have together', async () => {
    const { serverOf, ask } = setUp()
    const [one, two, three] = [serverOf('one'), serverOf('two'), serverOf('three')]
    await ask(2, [one, 30])
    // A new server gets a little, until the others have made room.
    await Promise.all(Array.from({ length: 9 }, two.ready))
    expect([one.sharePerSecond(), two.sharePerSecond()]).toEqual([20, 4])
    await ask(4, [one, 30], [two, 2], [three, 2])
    const shares = [one, two, three].map((each) => each.sharePerSecond())
    expect(shares[0]).toBeGreaterThanOrEqual(10)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(4)
    expect(shares.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(20)
    await ask(4, [one, 30], [two, 30], [three, 30])
    expect([one, two, three].map((each) => each.sharePerSecond()).sort()).toEqual([6, 7, 7])
    expect(one.isAlone()).toBe(false)
  })

  it('is whole again four seconds after the others have gone', async () => {
    const { serverOf, ask, servers } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two')]
    await ask(4, [one, 30], [two, 30])
    expect(one.sharePerSecond()).toBe(10)
    await ask(6, [one, 30])
    expect(one.sharePerSecond()).toBe(20)
    expect(Object.keys(await servers())).toEqual(['one'])
  })

  it('is shared by servers whose clocks are a day apart', async () => {
    const { serverOf, ask } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two', 86_400_000)]
    await ask(4, [one, 30], [two, 30])
    expect([one.sharePerSecond(), two.sharePerSecond()]).toEqual([10, 10])
  })

  it('is a fifth for a server that cannot read what the others have', async () => {
    const { serverOf, ask, breakStore } = setUp()
    const one = serverOf('one')
    await ask(2, [one, 30])
    breakStore()
    await ask(4, [one, 30])
    expect(one.sharePerSecond()).toBe(4)
  })
})

describe('a pause that the service asked of one server', () => {
  it('is kept by the others within a second, and for two more', async () => {
    const { serverOf, ask, holds } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two')]
    await ask(2, [one, 1], [two, 1])
    expect(two.heldMs()).toBe(0)
    holds.set('one', 30_000)
    one.announce()
    await ask(1, [two, 1])
    await two.ready()
    expect(two.heldMs()).toBeGreaterThan(30_000)
    expect(two.heldMs()).toBeLessThanOrEqual(32_000)
    expect(one.heldMs()).toBe(0)
  })

  it('is over for the others when the one is answered', async () => {
    const { serverOf, ask, holds } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two')]
    holds.set('one', 30_000)
    await ask(3, [one, 1], [two, 1])
    expect(two.heldMs()).toBeGreaterThan(0)
    holds.set('one', 0)
    await ask(2, [one, 1], [two, 1])
    expect(two.heldMs()).toBe(0)
  })

  it('is kept by the others for five minutes where that server is refused again and again', async () => {
    const { clock, serverOf, ask, holds } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two')]
    await ask(3, [one, 2], [two, 2])
    const heldFor = async (minutes: number) => {
      for (let pause = 0; pause < minutes; pause++) {
        holds.set('one', 58_000)
        await ask(2, [one, 1], [two, 1])
        if (two.heldMs() === 0) return pause
        await clock.run(clock.sleep(56_000))
        holds.set('one', 0)
        await ask(2, [one, 1], [two, 1])
      }
      return minutes
    }
    expect(await heldFor(10)).toBe(5)
    holds.set('one', 0)
    await ask(60, [one, 1], [two, 1])
    expect(await heldFor(3)).toBe(3)
  })

  it('lasts although that server has died', async () => {
    const { serverOf, ask, holds } = setUp()
    const [one, two] = [serverOf('one'), serverOf('two')]
    holds.set('one', 30_000)
    await ask(2, [one, 1], [two, 1])
    await ask(10, [two, 1])
    expect(two.heldMs()).toBeGreaterThan(15_000)
  })
})
