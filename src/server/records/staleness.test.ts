import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OrderStatus } from '../../contract/checkout.ts'
import type { LifecycleRules } from './transitions.ts'
import { isStale, newCheckout, withStatus } from './transitions.ts'
import type { CheckoutRecord } from './types.ts'

const startMs = Date.parse('2026-11-21T10:00:00Z')
const minuteMs = 60_000
const rules: LifecycleRules = {
  phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
  eventId: (id, status) => `${id} ${status}`,
}
const fresh = newCheckout({
  reference: 'cart-42',
  method: {} as never,
  terms: {} as never,
  test: true,
  nowMs: startMs,
  id: 'id',
  key: 'key',
})

/** What the service wrote into one answer, and when; times are true ones in ms from the start. */
interface Answer {
  readonly status: OrderStatus
  readonly sentAtMs: number
  readonly writtenAtMs: number
  readonly arrivesAtMs: number
  readonly dateMs: number
}

/** Takes an answer as it arrives, in a process whose clock is right. */
function take(checkout: CheckoutRecord, { status, sentAtMs, arrivesAtMs, dateMs }: Answer): CheckoutRecord {
  const timing = { asOfMs: startMs + dateMs, sentAtMs: startMs + sentAtMs }
  if (status === checkout.status || isStale(checkout, status, timing)) return checkout
  return { ...withStatus(checkout, status, startMs + arrivesAtMs, rules), statusAsOfMs: timing.asOfMs }
}

/** A service whose status only goes on, whose clock is set now and then, and whose answers take up to four minutes. */
const worlds = fc
  .record({
    seenAtMs: fc.nat(10 * minuteMs),
    paidAfterMs: fc.nat(10 * minuteMs),
    jumps: fc.array(
      fc.record({ atMs: fc.nat(20 * minuteMs), byMs: fc.integer({ min: -60 * minuteMs, max: 60 * minuteMs }) }),
      { maxLength: 4 },
    ),
    requests: fc.array(
      fc.record({
        sentAtMs: fc.nat(25 * minuteMs),
        thereMs: fc.nat(2 * minuteMs),
        backMs: fc.nat(2 * minuteMs),
      }),
      { minLength: 2, maxLength: 12 },
    ),
  })
  .map(({ seenAtMs, paidAfterMs, jumps, requests }) =>
    requests
      .map(({ sentAtMs, thereMs, backMs }): Answer => {
        const writtenAtMs = sentAtMs + thereMs
        const setBy = jumps.filter(({ atMs }) => atMs <= writtenAtMs).reduce((sum, { byMs }) => sum + byMs, 0)
        const status =
          writtenAtMs < seenAtMs ? 'open' : writtenAtMs < seenAtMs + paidAfterMs ? 'pending' : ('confirmed' as const)
        const dateMs = Math.floor((writtenAtMs + setBy) / 1_000) * 1_000
        return { status, sentAtMs, writtenAtMs, arrivesAtMs: writtenAtMs + backMs, dateMs }
      })
      .sort((a, b) => a.arrivesAtMs - b.arrivesAtMs),
  )

it('no answer that was written earlier takes a status back, however the clock of the service was set meanwhile', () => {
  const rank = { open: 0, pending: 1, confirmed: 2, canceled: 2 }
  fc.assert(
    fc.property(worlds, (answers) => {
      let checkout = fresh
      for (const answer of answers) {
        const after = take(checkout, answer)
        expect(rank[after.status]).toBeGreaterThanOrEqual(rank[checkout.status])
        checkout = after
      }
    }),
    { numRuns: 2_000 },
  )
})
