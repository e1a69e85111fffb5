import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDelayMs, type PollSituation } from './polling.ts'

const calm: PollSituation = {
  view: 'waiting',
  shownForMs: 0,
  hidden: false,
  failures: 0,
  retryAfterMs: 0,
  jitter: 0.5,
}

describe('nextDelayMs', () => {
  it.each<[string, Partial<PollSituation>, number | false]>([
    ['while waiting', {}, 5000],
    ['after a deposit was seen', { view: 'seen' }, 5000],
    ['after expiry', { view: 'expired' }, 10_000],
    ['long after expiry', { view: 'expired', shownForMs: 4_000_000 }, 30_000],
    ['when the cart is settled elsewhere', { view: 'settledElsewhere' }, 30_000],
    ['when paid', { view: 'paid' }, false],
    ['when ended', { view: 'ended' }, false],
    ['when refused, while it is asked for', { view: 'refused', failures: 1 }, 2000],
    ['in a hidden tab', { hidden: true }, 30_000],
    ['after one failure', { failures: 1 }, 10_000],
    ['after many failures', { failures: 30 }, 60_000],
    ['while the server asks for more time', { retryAfterMs: 45_000 }, 45_000],
    ['before anything is shown', { view: 'preparing', failures: 1 }, 2000],
  ])('%s', (_name, changes, delayMs) => {
    expect(nextDelayMs({ ...calm, ...changes })).toBe(delayMs)
  })

  it('is never before Retry-After and never more often than every four seconds while a checkout is shown', () => {
    const situation = fc.record({
      view: fc.constantFrom('waiting', 'seen', 'expired', 'settledElsewhere'),
      shownForMs: fc.nat(),
      hidden: fc.boolean(),
      failures: fc.nat(2000),
      retryAfterMs: fc.integer({ min: -300_000, max: 300_000 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    } satisfies Record<keyof PollSituation, unknown>)
    fc.assert(
      fc.property(situation, (one) => {
        const delayMs = nextDelayMs(one)
        expect(delayMs).not.toBe(false)
        expect(Number(delayMs)).toBeGreaterThanOrEqual(Math.max(4000, one.retryAfterMs))
      }),
    )
  })
})
