import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createRequestBudget } from './request-budget.ts'

describe('createRequestBudget', () => {
  it('sends at once as many as a second allows, and no more in any second', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(10, clock)
    const times: number[] = []
    const go = async () => {
      if ((await budget.take('other')) === 0) times.push(clock.now())
    }
    await clock.run(Promise.all(Array.from({ length: 30 }, go)))
    expect(times.filter((time) => time === 0)).toHaveLength(10)
    for (const from of times) expect(times.filter((time) => time >= from && time < from + 1_000).length).toBe(10)
    expect(times).toHaveLength(30)
    expect(clock.now()).toBeLessThanOrEqual(2_200)
  })

  it('serves creations first', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(1, clock)
    const order: string[] = []
    const go = (urgency: 'creation' | 'other') => budget.take(urgency).then(() => order.push(urgency))
    await clock.run(Promise.all([go('other'), go('other'), go('other'), go('creation'), go('creation')]))
    expect(order).toEqual(['other', 'creation', 'creation', 'other', 'other'])
  })

  it('refuses at once what would wait too long', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(2, clock)
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
    const budget = createRequestBudget(10, { ...clock, now: () => clock.now() + aheadMs, monotonic: clock.now })
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
    const budget = createRequestBudget(10, clock)
    for (let taken = 0; taken < 5; taken++) await budget.take('other')
    expect(budget.hasSpare()).toBe(true)
    await budget.take('other')
    expect(budget.hasSpare()).toBe(false)
    await clock.run(clock.sleep(1_050))
    expect(budget.hasSpare()).toBe(true)
  })

  it('sends one request in ten seconds if the budget is that small', async () => {
    const clock = createVirtualClock(0)
    const budget = createRequestBudget(0.1, clock)
    expect(await budget.take('other')).toBe(0)
    expect(await budget.take('other')).toBeGreaterThan(10_000)
  })
})
