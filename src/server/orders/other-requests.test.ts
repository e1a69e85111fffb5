import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windowOf } from '../core/transitions.ts'
import { someCheckout, startMs } from '../records/records.testing.ts'
import { rivalsOf } from './other-requests.ts'

/**
 * A request as our clock saw it, and when its order was made by the service's, which is `aheadMs`
 * ahead.
 */
const request = (sentAtMs: number, beforeMs: number, afterMs: number, aheadMs: number) => {
  const madeAtMs = sentAtMs + beforeMs + aheadMs
  const serviceDateMs = Math.floor(madeAtMs / 1_000) * 1_000
  return { madeAtMs, timing: { sentAtMs, answeredAtMs: sentAtMs + beforeMs + afterMs, serviceDateMs } }
}

describe('the window of a lost request', () => {
  it('has the moment in which its order was made, however far apart the clocks are', () => {
    const delayMs = fc.nat(9_000)
    const aheadMs = fc.oneof(fc.integer({ min: -3_000, max: 3_000 }), fc.integer({ min: -1e8, max: 1e8 }))
    const draw = fc.record({ aheadMs, sentMs: fc.nat(3_000), beforeMs: delayMs, afterMs: delayMs, lostMs: delayMs })
    fc.assert(
      fc.property(draw, ({ aheadMs, sentMs, beforeMs, afterMs, lostMs }) => {
        const own = request(startMs + sentMs, beforeMs, afterMs, aheadMs)
        const lost = request(startMs, lostMs, 0, aheadMs)
        const attempt = { id: 'own', sentAtMs: startMs + sentMs, outcome: 'answered' as const, after: [] }
        const lostAttempt = { id: 'lost', sentAtMs: startMs, outcome: 'lost' as const, after: [], window: null }
        const checkout = someCheckout({ id: 'c0000000000000000000b', attempts: [lostAttempt], instructions: null })
        const { rivals } = rivalsOf([checkout], { ...attempt, window: windowOf(own.timing) }, startMs + 20_000)
        expect(rivals).toHaveLength(1)
        expect(rivals[0]?.fromMs).toBeLessThanOrEqual(lost.madeAtMs)
        expect(rivals[0]?.toMs).toBeGreaterThanOrEqual(lost.madeAtMs)
      }),
    )
  })
})
