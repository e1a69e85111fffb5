import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createMemoryStore } from './memory.ts'
import { whileLeased } from './with-lease.ts'

function setUp() {
  const clock = createVirtualClock()
  const store = createMemoryStore(clock.now)
  const lease = (holder: string, work: (lost: AbortSignal) => Promise<unknown>) =>
    whileLeased(store, clock, { name: 'watch', holder }, work)
  return { clock, store, lease }
}

describe('whileLeased', () => {
  it('keeps the lease for as long as the work lasts, and lets it run out within ten seconds after that', async () => {
    const { clock, store, lease } = setUp()
    const taken: boolean[] = []
    const other = async () => {
      for (let at = 0; at < 7; at++) {
        await clock.sleep(4_900)
        taken.push(await store.lease('watch', 'other', 1))
      }
    }
    await clock.run(Promise.all([lease('one', () => clock.sleep(20_000)), other()]))
    expect(taken).toEqual([false, false, false, false, false, true, true])
  })

  it('lets one that tries every second take over early enough to have worked ten seconds after a kill', async () => {
    const { clock, store, lease } = setUp()
    const never = () => new Promise<never>(() => undefined)
    void whileLeased(store, { now: clock.now, sleep: never }, { name: 'watch', holder: 'killed' }, never)
    const killedAtMs = clock.now()
    const takeOver = async () => {
      // The worst moment: a try comes just before the lease has run out.
      await clock.sleep(999)
      while (!(await lease('next', async () => true))) await clock.sleep(1_000)
      return clock.now() - killedAtMs
    }
    expect(await clock.run(takeOver())).toBeLessThan(9_000)
  })

  it('does no work while another holds the lease', async () => {
    const { store, clock, lease } = setUp()
    await store.lease('watch', 'other', 60_000)
    expect(await clock.run(lease('one', async () => 'worked'))).toBeUndefined()
  })

  it('signals the work when another has taken the lease, as after a pause of the process', async () => {
    const { clock, store, lease } = setUp()
    const lostAtMs = await clock.run(
      lease('one', async (lost) => {
        await store.release('watch', 'one')
        await store.lease('watch', 'other', 60_000)
        const beganMs = clock.now()
        await new Promise((resolve) => lost.addEventListener('abort', resolve))
        return clock.now() - beganMs
      }),
    )
    expect(lostAtMs).toBe(2_500)
  })

  it('survives a short failure of the store to renew it', async () => {
    const { clock, store } = setUp()
    let calls = 0
    const flaky = {
      ...store,
      lease: async (name: string, holder: string, forMs: number) => {
        calls += 1
        if (calls === 2) throw new Error('the store has gone away')
        return store.lease(name, holder, forMs)
      },
    }
    const isLost = await clock.run(
      whileLeased(flaky, clock, { name: 'watch', holder: 'one' }, async (lost) => {
        await clock.sleep(10_000)
        return lost.aborted
      }),
    )
    expect([isLost, calls]).toEqual([false, 4])
  })

  it('renews it although one renewal never ends', async () => {
    const { clock, store } = setUp()
    let calls = 0
    const hanging = {
      ...store,
      lease: (name: string, holder: string, forMs: number) => {
        calls += 1
        return calls === 2 ? clock.sleep(30_000).then(() => true) : store.lease(name, holder, forMs)
      },
    }
    const taken = await clock.run(
      whileLeased(hanging, clock, { name: 'watch', holder: 'one' }, async (lost) => {
        await clock.sleep(20_000)
        return [lost.aborted, await store.lease('watch', 'other', 1)]
      }),
    )
    expect(taken).toEqual([false, false])
  })

  it('signals the work when it is over because no renewal ends, before another can take it', async () => {
    const { clock, store } = setUp()
    let calls = 0
    const hanging = {
      ...store,
      lease: (name: string, holder: string, forMs: number) => {
        calls += 1
        return calls > 1 ? clock.sleep(30_000).then(() => true) : store.lease(name, holder, forMs)
      },
    }
    const beganMs = clock.now()
    const lostAfterMs = await clock.run(
      whileLeased(hanging, clock, { name: 'watch', holder: 'one' }, async (lost) => {
        await new Promise((resolve) => lost.addEventListener('abort', resolve))
        return clock.now() - beganMs
      }),
    )
    expect(lostAfterMs).toBe(8_000)
  })
})
