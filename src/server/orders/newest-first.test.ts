import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someOrder } from '../records/records.testing.ts'
import { createNewestFirst } from './order-list.ts'

const atSecond = (second: number | null) =>
  second === null ? null : new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString()

describe('createNewestFirst', () => {
  it('has orders without a time first, then the newest, whatever came in which order', () => {
    const second = fc.option(fc.nat(20), { nil: null })
    fc.assert(
      fc.property(fc.array(second), (seconds) => {
        const sorted = createNewestFirst()
        for (const [at, each] of seconds.entries()) sorted.add(someOrder({ id: `${at}`, createdAt: atSecond(each) }))
        const rank = (each: number | null) => each ?? Number.POSITIVE_INFINITY
        const expected = [...seconds.entries()].sort(([, a], [, b]) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
        expect(sorted.orders.map(({ id }) => id)).toEqual(expected.map(([at]) => `${at}`))
      }),
    )
  })

  it('has an order once, as it was added last', () => {
    const sorted = createNewestFirst()
    sorted.add(someOrder({ id: 'a', createdAt: atSecond(5), status: 'open' }))
    sorted.add(someOrder({ id: 'b', createdAt: atSecond(4) }))
    sorted.add(someOrder({ id: 'a', createdAt: atSecond(5), status: 'pending' }))
    expect(sorted.orders.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'pending'],
      ['b', 'open'],
    ])
    sorted.add(someOrder({ id: 'a', createdAt: atSecond(3), status: 'confirmed' }))
    expect(sorted.orders.map(({ id, status }) => [id, status])).toEqual([
      ['b', 'open'],
      ['a', 'confirmed'],
    ])
  })
})
