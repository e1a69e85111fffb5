import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steady } from './work.ts'

/**
 * A machine with two manual clocks: each step is the time that passed, and a change of the wall
 * clock.
 */
function machine() {
  let wall = 1_000_000
  let uptime = 5
  return {
    clock: { now: () => wall, monotonic: () => uptime },
    pass: (ms: number, setBy = 0, asleep = false) => {
      wall += ms + setBy
      if (!asleep) uptime += ms
    },
  }
}

describe('steady', () => {
  it('keeps its own pace when the clock is set back', () => {
    const { clock, pass } = machine()
    const now = steady(clock)
    const start = now()
    pass(1_000, -3_600_000)
    pass(500)
    expect(now() - start).toBe(1_500)
  })

  it('counts the time a machine slept', () => {
    const { clock, pass } = machine()
    const now = steady(clock)
    const start = now()
    pass(60_000, 0, true)
    expect(now() - start).toBe(60_000)
  })

  it('never runs backwards, and never slower than time', () => {
    const step = fc.record({ ms: fc.nat(10_000), setBy: fc.integer({ min: -1e7, max: 1e7 }), asleep: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { clock, pass } = machine()
        const now = steady(clock)
        let before = now()
        for (const { ms, setBy, asleep } of steps) {
          pass(ms, asleep ? 0 : setBy, asleep)
          const after = now()
          expect(after).toBeGreaterThanOrEqual(before + (asleep ? 0 : ms))
          before = after
        }
      }),
    )
  })
})
