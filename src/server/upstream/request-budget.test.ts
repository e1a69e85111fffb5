import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createRequestBudget, type Urgency } from './request-budget.ts'

describe('createRequestBudget', () => {
  it('sends at once as many as a second allows, and no more in any second', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 10, clock)
    const times: number[] = []
    const go = async () => {
      if ((await budget.take('other')) === 0) times.push(clock.now())
    }
    await clock.run(Promise.all(Array.from({ length: 30 }, go)))
    // One place in ten is kept for creations.
    expect(times.filter((time) => time === 0)).toHaveLength(9)
    for (const from of times)
      expect(times.filter((time) => time >= from && time < from + 1_000).length).toBeLessThan(10)
    expect(times).toHaveLength(30)
    expect(clock.now()).toBeLessThanOrEqual(3 * 1_060)
  })

  it('serves creations first, then what matters soon, then the rest', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 1, clock)
    const order: string[] = []
    const go = (urgency: Urgency) => budget.take(urgency).then(() => order.push(urgency))
    const all = ['other', 'other', 'other', 'soon', 'soon', 'creation', 'creation'] as const
    await clock.run(Promise.all(all.map(go)))
    expect(order).toEqual(['other', 'creation', 'creation', 'soon', 'soon', 'other', 'other'])
  })

  it.each(['soon', 'other'] as const)('lets a creation through at once, however many %s ones wait', async (urgency) => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 20, clock)
    const waitsMs: number[] = []
    const create = async () => {
      const sinceMs = clock.now()
      await budget.take('creation')
      waitsMs.push(clock.now() - sinceMs)
    }
    const others = Array.from({ length: 100 }, () => budget.take(urgency))
    for (let second = 0; second < 4; second++) {
      await clock.run(Promise.all([create(), create()]))
      await clock.run(clock.sleep(1_060))
    }
    expect(waitsMs).toEqual(Array.from({ length: 8 }, () => 0))
    await clock.run(Promise.all(others))
  })

  it('sends a creation as soon as there is a place, although others wait for a later one', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 10, clock)
    await clock.run(budget.take('creation'))
    await clock.run(clock.sleep(500))
    const others = Array.from({ length: 12 }, () => budget.take('other'))
    await clock.run(clock.sleep(100))
    await clock.run(budget.take('creation'))
    expect(clock.now()).toBeLessThanOrEqual(1_060)
    await clock.run(Promise.all(others))
  })

  it('refuses at once what would wait too long', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 2, clock)
    const waits = Array.from({ length: 12 }, () => budget.take('creation'))
    expect(await Promise.race([waits[11], Promise.resolve('later')])).toBeGreaterThan(3_000)
    const results = await clock.run(Promise.all(waits))
    // Two at once, and two after each second and a twentieth.
    expect(results.filter((waitMs) => waitMs === 0)).toHaveLength(6)
    expect(clock.now()).toBeLessThanOrEqual(3_000)
  })

  it('allows no more when the clock is set', async () => {
    const clock = createVirtualClock(0)
    let aheadMs = 0
    const budget = createRequestBudget(() => 10, { ...clock, now: () => clock.now() + aheadMs, monotonic: clock.now })
    let sent = 0
    const all = Array.from({ length: 30 }, () => budget.take('other').then(() => sent++))
    await clock.run(clock.sleep(0))
    aheadMs = 86_400_000
    void budget.take('other')
    await clock.run(clock.sleep(500))
    expect(sent).toBeLessThanOrEqual(15)
    await clock.run(Promise.all(all))
  })

  it('has no spare requests while one waits, or when half are used up', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 10, clock)
    for (let taken = 0; taken < 5; taken++) await budget.take('other')
    expect(budget.hasSpare()).toBe(true)
    await budget.take('other')
    expect(budget.hasSpare()).toBe(false)
    await clock.run(clock.sleep(1_050))
    expect(budget.hasSpare()).toBe(true)
  })

  it('sends one request in ten seconds if the budget is that small', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(() => 0.1, clock)
    expect(await budget.take('other')).toBe(0)
    expect(await budget.take('other')).toBeGreaterThan(10_000)
  })
})
