import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someOrder } from '../records/records.testing.ts'
import { createInWindow, wasCreatedIn } from './facts.ts'

/** Few times, so that many orders share one and lie on the edges of windows. */
const time = fc.integer({ min: 0, max: 12 })
const createdAt = fc.option(
  time.map((ms) => `2026-11-22T10:00:00.${String(ms).padStart(3, '0')}Z`),
  { nil: null },
)

describe('the orders of a window', () => {
  it('are those that may have been created in it, however the list is sorted', () => {
    const atMs = Date.parse('2026-11-22T10:00:00Z')
    fc.assert(
      fc.property(fc.array(createdAt, { maxLength: 20 }), time, time, (times, from, to) => {
        const orders = times.map((each, at) => someOrder({ id: `order-${at}`, createdAt: each }))
        const window = { fromMs: atMs + from, toMs: atMs + to }
        const found = createInWindow(orders)(window)
        expect(new Set(found)).toEqual(
          new Set(orders.filter((order) => order.createdAt === null || wasCreatedIn(order, window))),
        )
        expect(found).toHaveLength(new Set(found).size)
      }),
    )
  })
})
