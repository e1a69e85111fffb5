import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Situation, weigh } from '../core/evidence.ts'
import { wasCreatedIn } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { someSituation } from '../core/situation.testing.ts'
import { windowOf } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { someCheckout, someOrder, startMs } from '../records/records.testing.ts'
import { type KnownOrder, marginMs, narrowWindows, withMargin } from './narrow-windows.ts'

/**
 * One request: when it was sent, how long its order and then its answer took, and how far the clock
 * of `Date` is ahead; in ms.
 */
interface Course {
  readonly sentMs: number
  readonly beforeMs: number
  readonly afterMs: number
  readonly dateAheadMs: number
}

const iso = (ms: number) => new Date(ms).toISOString()

/** The order of a request and its checkout, whose price is named by the place. */
function known(place: number, { sentMs, beforeMs, afterMs, dateAheadMs }: Course, price = `${place}.5`): KnownOrder {
  const sentAtMs = startMs + sentMs
  const answeredAtMs = sentAtMs + beforeMs + afterMs
  const serviceDateMs = Math.floor((answeredAtMs + dateAheadMs) / 1_000) * 1_000
  const id = `order-${place}`
  const attempt = { id: 'attempt', sentAtMs, outcome: 'answered' as const, after: [] }
  const base = someCheckout()
  const checkout = {
    ...base,
    id: `c${String(place).padStart(20, '0')}`,
    terms: { ...base.terms, price: { asset: 'USD', amount: price } },
    attempts: [{ ...attempt, window: windowOf({ sentAtMs, answeredAtMs, serviceDateMs }) }],
    binding: { orderId: id, evidence: 'only_candidate' as const, boundAtMs: answeredAtMs, isProvisional: false },
  }
  return { checkout, order: someOrder({ id, targetAmount: price, createdAt: iso(sentAtMs + beforeMs) }) }
}

/** Requests seven seconds and a bit apart, so that they meet every part of a second. */
const many = (count: number, dateAheadMs: number): readonly KnownOrder[] =>
  Array.from({ length: count }, (_, at) => known(at, { sentMs: at * 7_130, beforeMs: 40, afterMs: 60, dateAheadMs }))
const ordersOf = (all: readonly KnownOrder[]) => all.map(({ order }) => order)

describe('the margin of windows', () => {
  it.each([
    [0, 250],
    [100, 250],
    [-100, 250],
    [400, 1_000],
    [-700, 1_000],
  ])('with a Date header %i ms ahead is enough, and %i ms at most', (dateAheadMs, most) => {
    const all = many(40, dateAheadMs)
    const margin = marginMs(all, ordersOf(all))
    expect(margin).toBeGreaterThanOrEqual(Math.min(most, Math.abs(dateAheadMs)))
    expect(margin).toBeLessThanOrEqual(most)
  })

  it('stays a second where few orders are known, or were made to the second', () => {
    const all = many(40, 0)
    expect(marginMs(all.slice(0, 19), ordersOf(all))).toBe(policy.clocks.windowMarginMs)
    const rough = all.map((each) => ({
      ...each,
      order: { ...each.order, createdAt: `${each.order.createdAt?.slice(0, 19)}Z` },
    }))
    expect(marginMs(rough, ordersOf(rough))).toBe(policy.clocks.windowMarginMs)
  })

  it('counts only orders that had no equal one in their windows', () => {
    const all = many(25, 0)
    const twins = all.slice(0, 10).map(({ order }) => ({ ...order, id: `${order.id} again` }))
    expect(marginMs(all, [...ordersOf(all), ...twins])).toBe(policy.clocks.windowMarginMs)
  })

  it('covers the order of every later request, whatever the latencies', () => {
    const latency = fc.record({ beforeMs: fc.nat(4_000), afterMs: fc.nat(4_000), sentMs: fc.nat(3_600_000) })
    const draw = fc.record({
      dateAheadMs: fc.integer({ min: -999, max: 999 }),
      courses: fc.array(latency, { minLength: 60, maxLength: 60 }),
      later: latency,
    })
    let missed = 0
    fc.assert(
      fc.property(draw, ({ dateAheadMs, courses, later }) => {
        const all = courses.map((course, at) => known(at, { ...course, dateAheadMs }))
        const { checkout, order } = known(99, { ...later, dateAheadMs })
        const nearer = withMargin(situationOf(checkout, [order]), marginMs(all, ordersOf(all)))
        if (nearer && !wasCreatedIn(order, nearer.window)) missed += 1
      }),
      { numRuns: 1_000, seed: 1 },
    )
    expect(missed).toBe(0)
  })
})

/** A checkout whose whole list shows these orders. */
function situationOf(checkout: CheckoutRecord, orders: Situation['orders']): Situation {
  const window = checkout.attempts[0]?.window ?? null
  return someSituation(orders, { checkout: { ...checkout, binding: null }, window, isListed: true })
}

describe('narrower windows', () => {
  const course = { sentMs: 500, beforeMs: 40, afterMs: 60, dateAheadMs: 0 }
  const own = known(99, course, '49.9')
  const later = someOrder({ id: 'later', targetAmount: '49.9', createdAt: iso(startMs + 1_900) })
  const situation = situationOf(own.checkout, [own.order, later])
  const readsOf = (all: readonly KnownOrder[]) => ({
    ownersOf: async () => new Map(all.map(({ order, checkout }) => [order.id, checkout.id])),
    readCheckouts: async () => all.map(({ checkout }) => checkout),
  })
  const withKnown = (all: readonly KnownOrder[]) => ({ ...situation, listed: [...situation.listed, ...ordersOf(all)] })

  it('tell an order from an equal one a second later, where the known orders agree with their Date headers', async () => {
    expect(weigh(situation).kind).toBe('unknown')
    const nearer = await narrowWindows(readsOf(many(40, 0)), withKnown(many(40, 0)))
    expect(nearer && weigh(nearer)).toMatchObject({ kind: 'found', orderId: own.order.id, isCertain: true })
  })

  it('are not used where known orders disagree, or were bound by hand or because all were paid', async () => {
    const all = many(40, 0)
    const apart = many(40, 800)
    expect(await narrowWindows(readsOf(apart), withKnown(apart))).toBeUndefined()
    for (const evidence of ['merchant', 'all_paid'] as const) {
      const guessed = all.map(({ order, checkout }) => ({
        order,
        checkout: { ...checkout, binding: checkout.binding && { ...checkout.binding, evidence } },
      }))
      expect(await narrowWindows(readsOf(guessed), withKnown(all))).toBeUndefined()
    }
  })

  it('are not used where they leave a request without an order', () => {
    const early = someOrder({ id: 'early', targetAmount: '49.9', createdAt: iso(startMs - 400) })
    const neither = situationOf(own.checkout, [early, later])
    expect(withMargin(neither, 250)).toBeUndefined()
  })
})
