import { describe, expect, it } from 'vitest'
import { withBinding, withoutBinding, withStatus } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { someCheckout, startMs } from '../records/records.testing.ts'
import { changesOf } from './observed-repository.ts'

const phaseOf = { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } as const
const rules = { phaseOf, eventId: (_: string, status: string) => `event-${status}` }
const about = { checkoutId: 'c0000000000000000000a' }
const nowMs = startMs + 5_000

const changes = (before: CheckoutRecord | undefined, after: CheckoutRecord, atMs = nowMs) =>
  changesOf(before, after, { nowMs: atMs, phaseOf })

const fresh = someCheckout({ attempts: [], instructions: null })
const open = someCheckout()
const bound = withBinding(open, { orderId: 'order-1', evidence: 'timestamp', isCertain: true }, nowMs)
const seen = withStatus(bound, 'pending', nowMs, rules)

describe('changesOf', () => {
  it('names a new checkout, its instructions, its order and a status, each with the time since the order was requested', () => {
    expect(changes(undefined, fresh)).toEqual([
      { kind: 'checkout_created', ...about, asset: 'BTC', network: 'bitcoin' },
    ])
    expect(changes(fresh, open)).toEqual([{ kind: 'instructions_received', ...about }])
    expect(changes(open, bound)).toEqual([
      {
        kind: 'order_bound',
        ...about,
        orderId: 'order-1',
        evidence: 'timestamp',
        isProvisional: false,
        afterMs: 5_000,
      },
    ])
    expect(changes(bound, seen)).toEqual([
      {
        kind: 'status_changed',
        ...about,
        orderId: 'order-1',
        status: 'pending',
        previousStatus: 'open',
        phase: 'seen',
        previousPhase: 'waiting',
        afterMs: 5_000,
      },
    ])
  })

  it('names the release of an order together with the status that came from it', () => {
    const released = { ...withoutBinding(seen, 'order-1', nowMs, rules), excluded: ['order-1'] }
    expect(changes(seen, released)).toEqual([
      { kind: 'order_released', ...about, orderId: 'order-1' },
      expect.objectContaining({ kind: 'status_changed', status: 'open', orderId: 'order-1' }),
    ])
  })

  it('names a delivery when an event leaves the record, with the time since the change', () => {
    expect(changes(seen, { ...seen, events: [] }, nowMs + 700)).toEqual([
      { kind: 'change_delivered', ...about, eventId: 'event-pending', status: 'pending', afterMs: 700 },
    ])
  })

  it('names no delivery when a call failed, or when two waiting events become one', () => {
    const failed = { ...seen, events: seen.events.map((event) => ({ ...event, failures: 1, nextTryAtMs: nowMs })) }
    expect(changes(seen, failed)).toEqual([])
    const kinds = (before: CheckoutRecord, after: CheckoutRecord) => changes(before, after).map(({ kind }) => kind)
    const many = Array.from({ length: 200 }, (_, index) => ({ ...failed.events[0], eventId: `event-${index}` }))
    const full: CheckoutRecord = { ...seen, events: many as CheckoutRecord['events'] }
    const merged = withStatus(full, 'confirmed', nowMs, rules)
    expect(merged.events).toHaveLength(200)
    expect(kinds(full, merged)).toEqual(['status_changed'])
  })

  it('says nothing of a record that only waits for another time', () => {
    expect(changes(seen, { ...seen, nextLookAtMs: nowMs, candidates: ['order-2'], unresolvedTold: true })).toEqual([])
  })

  it('gives no time below zero where another server has a clock that is ahead', () => {
    expect(changes(bound, seen, startMs - 60_000)).toMatchObject([{ afterMs: 0 }])
  })
})
