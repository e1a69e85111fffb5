import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrderStatus } from '../../contract/checkout.ts'
import { someCheckout, startMs } from '../records/records.testing.ts'
import { isStale, type LifecycleRules, withStatus } from './transitions.ts'
import type { CheckoutRecord } from './types.ts'

const minuteMs = 60_000
const rules: LifecycleRules = {
  phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
  eventId: (id, status) => `${id} ${status}`,
}
const fresh = someCheckout()

/** An answer of the service and its times, which are true, in ms from the start. */
interface Answer {
  readonly status: OrderStatus
  readonly sentAtMs: number
  readonly writtenAtMs: number
  readonly arrivesAtMs: number
  readonly dateMs: number
  /** How much older its content is than its writing. */
  readonly behindMs: number
}

/** Takes an answer as it arrives, in a process whose clock is right. */
function take(checkout: CheckoutRecord, { status, sentAtMs, arrivesAtMs, dateMs }: Answer): CheckoutRecord {
  const timing = { asOfMs: startMs + dateMs, sentAtMs: startMs + sentAtMs }
  if (status === checkout.status || isStale(checkout, status, timing)) return checkout
  return { ...withStatus(checkout, status, startMs + arrivesAtMs, rules), statusAsOfMs: timing.asOfMs }
}

/** Often short times, so that answers meet. */
const upTo = (longestMs: number, oftenMs: number) => fc.oneof(fc.nat(longestMs), fc.nat(oftenMs))

/**
 * A service whose status only goes on, whose clock is set now and then, and whose answers take up
 * to four minutes and are a minute behind.
 */
const worlds = fc
  .record({
    seenAtMs: upTo(10 * minuteMs, minuteMs),
    paidAfterMs: upTo(10 * minuteMs, minuteMs),
    jumps: fc.array(
      fc.record({ atMs: fc.nat(20 * minuteMs), byMs: fc.integer({ min: -60 * minuteMs, max: 60 * minuteMs }) }),
      { maxLength: 4 },
    ),
    requests: fc.array(
      fc.record({
        sentAtMs: upTo(25 * minuteMs, 3 * minuteMs),
        thereMs: upTo(2 * minuteMs, 1_000),
        backMs: upTo(2 * minuteMs, 1_000),
        behindMs: fc.nat(minuteMs),
      }),
      { minLength: 2, maxLength: 12 },
    ),
  })
  .map(({ seenAtMs, paidAfterMs, jumps, requests }) =>
    requests
      .map(({ sentAtMs, thereMs, backMs, behindMs }): Answer => {
        const writtenAtMs = sentAtMs + thereMs
        const ofMs = writtenAtMs - behindMs
        const setBy = jumps.filter(({ atMs }) => atMs <= writtenAtMs).reduce((sum, { byMs }) => sum + byMs, 0)
        const status = ofMs < seenAtMs ? 'open' : ofMs < seenAtMs + paidAfterMs ? 'pending' : ('confirmed' as const)
        const dateMs = Math.floor((writtenAtMs + setBy) / 1_000) * 1_000
        return { status, sentAtMs, writtenAtMs, arrivesAtMs: writtenAtMs + backMs, dateMs, behindMs }
      })
      .sort((a, b) => a.arrivesAtMs - b.arrivesAtMs),
  )

it('no answer that is older takes a status back, however the clock of the service was set meanwhile', () => {
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

describe('an answer that was asked for after a status was stored', () => {
  const storedAtMs = startMs + minuteMs
  const stored = (status: OrderStatus) => ({
    ...withStatus(fresh, status, storedAtMs, rules),
    statusAsOfMs: storedAtMs,
  })
  const isStaleAfter = (from: OrderStatus, to: OrderStatus, ms: number) =>
    isStale(stored(from), to, { sentAtMs: storedAtMs + ms, asOfMs: storedAtMs + ms + 1_000 })

  it.each<[OrderStatus, OrderStatus]>([
    ['confirmed', 'open'],
    ['confirmed', 'pending'],
    ['confirmed', 'canceled'],
    ['canceled', 'pending'],
    ['canceled', 'confirmed'],
    ['pending', 'open'],
  ])('may take %s back to %s if that was a minute later', (from, to) => {
    expect(isStaleAfter(from, to, 0)).toBe(true)
    expect(isStaleAfter(from, to, minuteMs - 1)).toBe(true)
    expect(isStaleAfter(from, to, minuteMs)).toBe(false)
  })

  it.each<[OrderStatus, OrderStatus]>([
    ['pending', 'canceled'],
    ['open', 'confirmed'],
  ])('changes %s into %s at once', (from, to) => {
    expect(isStaleAfter(from, to, 0)).toBe(false)
  })
})
