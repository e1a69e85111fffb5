import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { createServiceClock } from './service-gate.ts'

/** Where ours is 0, the service's time is how far it is ahead of ours. */
const createClock = () => createServiceClock({ now: () => 0, monotonic: () => 0 })

const floored = (ms: number) => Math.floor(ms / 1_000) * 1_000

/**
 * An answer of a service that is `aheadMs` ahead, which wrote its header `beforeMs` after the
 * request and `afterMs` before we had it.
 */
function answer(sentAtMs: number, aheadMs: number, beforeMs: number, afterMs: number) {
  const writtenMs = sentAtMs + beforeMs
  return { dateMs: floored(writtenMs + aheadMs), sentAtMs, answeredAtMs: writtenMs + afterMs }
}

describe('the service clock', () => {
  it('is unknown before the first answer', () => {
    expect(createClock().time().serviceNowMs).toBeNull()
  })

  it('does not mistake a slow answer for a clock that is behind', () => {
    const clock = createClock()
    clock.note(answer(1_700_000_000_000, 0, 0, 9_000))
    expect(clock.time().serviceNowMs).toBe(0)
  })

  it('is at most a second behind the service, however long the answers took', () => {
    const latency = fc.record({ gapMs: fc.nat(60_000), beforeMs: fc.nat(15_000), afterMs: fc.nat(15_000) })
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(latency, { minLength: 1, maxLength: 20 }),
        (aheadMs, answers) => {
          const clock = createClock()
          let nowMs = 1_700_000_000_123
          for (const { gapMs, beforeMs, afterMs } of answers) {
            nowMs += gapMs
            clock.note(answer(nowMs, aheadMs, beforeMs, afterMs))
            expect(clock.time().serviceNowMs).toBeGreaterThanOrEqual(aheadMs - 1_000)
            nowMs += beforeMs + afterMs
          }
        },
      ),
    )
  })

  it('starts again when a clock was set, once a second answer confirms it', () => {
    const clock = createClock()
    let nowMs = 1_700_000_000_000
    const note = (aheadMs: number) => {
      nowMs += 10_000
      clock.note(answer(nowMs, aheadMs, 20, 20))
    }
    note(0)
    note(90_000)
    expect(clock.time().serviceNowMs).toBe(0)
    note(90_000)
    expect(clock.time().serviceNowMs).toBeGreaterThanOrEqual(89_000)
    note(-90_000)
    note(90_000)
    note(-90_000)
    expect(clock.time().serviceNowMs).toBeGreaterThanOrEqual(89_000)
    note(-90_000)
    expect(clock.time().serviceNowMs).toBeLessThanOrEqual(-89_000)
  })

  it('ignores the time of a page that is not from the service', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    await shop.pass(5_000)
    shop.sandbox.clock.advance(3_600_000)
    shop.sandbox.faults = () => ({ kind: 'html' })
    await shop.poll(checkout)
    shop.sandbox.clock.advance(-3_600_000)
    shop.sandbox.faults = undefined
    expect((await shop.poll(checkout)).expiresInMs).toBeGreaterThan(19 * 60_000)
  })
})
