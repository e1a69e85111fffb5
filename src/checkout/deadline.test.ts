import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteLifetimeMs } from '../contract/quote.ts'
import { clocksDiverged, deadlineFrom, earlierDeadline, type Reading, timeLeftMs } from './deadline.ts'

const at = (monotonicMs: number, wallMs = monotonicMs): Reading => ({ monotonicMs, wallMs })
const anyMs = fc.integer({ min: -10_000_000, max: 10_000_000 })

describe('timeLeftMs', () => {
  it.each([
    { name: 'counts from when the request was sent', sent: at(0), now: at(1500), leftMs: 58_500 },
    {
      name: 'ignores a constant offset of the wall clock',
      sent: at(0, 9e12),
      now: at(1500, 9e12 + 1500),
      leftMs: 58_500,
    },
    { name: 'believes the wall clock when the monotonic one slept', sent: at(0), now: at(100, 60_000), leftMs: 0 },
    {
      name: 'believes the monotonic clock when the wall one was set back',
      sent: at(0),
      now: at(60_000, -5e6),
      leftMs: 0,
    },
  ])('$name', ({ sent, now, leftMs }) => {
    expect(timeLeftMs(deadlineFrom(sent, 60_000), now)).toBe(leftMs)
  })

  it('never starts with more than 20 minutes', () => {
    expect(timeLeftMs(deadlineFrom(at(0), 9e15), at(0))).toBe(quoteLifetimeMs)
  })

  it('is never above the true time left while only sleep and a constant offset disturb the clocks', () => {
    const naps = fc.array(fc.record({ awakeMs: fc.nat(400_000), asleepMs: fc.nat(400_000) }), { maxLength: 8 })
    fc.assert(
      fc.property(anyMs, fc.nat(quoteLifetimeMs), fc.nat(5000), naps, (offsetMs, leftMs, delayMs, pauses) => {
        // The server wrote `leftMs` some time after the request was sent.
        const deadline = deadlineFrom(at(0, offsetMs), leftMs)
        let trueMs = 0
        let monotonicMs = 0
        for (const { awakeMs, asleepMs } of pauses) {
          trueMs += awakeMs + asleepMs
          monotonicMs += awakeMs
          expect(timeLeftMs(deadline, at(monotonicMs, offsetMs + trueMs))).toBeLessThanOrEqual(
            delayMs + leftMs - trueMs,
          )
        }
      }),
    )
  })
})

describe('earlierDeadline', () => {
  it('never moves the end later, whatever the answers and the clocks say', () => {
    const answer = fc.record({ monotonicMs: anyMs, wallMs: anyMs, expiresInMs: anyMs })
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1 }), anyMs, anyMs, (answers, monotonicMs, wallMs) => {
        let deadline = deadlineFrom(at(0), quoteLifetimeMs)
        for (const { expiresInMs, ...sentAt } of answers) {
          const before = timeLeftMs(deadline, at(monotonicMs, wallMs))
          deadline = earlierDeadline(deadline, deadlineFrom(sentAt, expiresInMs))
          expect(timeLeftMs(deadline, at(monotonicMs, wallMs))).toBeLessThanOrEqual(before)
        }
      }),
    )
  })
})

describe('clocksDiverged', () => {
  it.each([
    { name: 'both clocks agree', now: at(1000), diverged: false },
    { name: 'a small correction', now: at(1000, 2900), diverged: false },
    { name: 'the device slept', now: at(1000, 3_600_000), diverged: true },
    { name: 'the wall clock was set back', now: at(1000, -3_600_000), diverged: true },
  ])('$name: $diverged', ({ now, diverged }) => {
    expect(clocksDiverged(at(0), now)).toBe(diverged)
  })
})
