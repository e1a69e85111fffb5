import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedGroup, type Fits, possibleOrders } from './counting.ts'

/** All ways to give each request an order of its own, one by one. */
function assignments(requests: readonly Fits[], taken: readonly string[] = []): string[][] {
  const [first, ...rest] = requests
  if (!first) return [[]]
  return [...first]
    .filter((order) => !taken.includes(order))
    .flatMap((order) => assignments(rest, [...taken, order]).map((others) => [order, ...others]))
}

const fits = (...orders: string[]): Fits => new Set(orders)
const worlds = fc.array(
  fc.subarray(['a', 'b', 'c', 'd', 'e']).map((orders) => new Set(orders)),
  { minLength: 1, maxLength: 4 },
)

describe('possibleOrders', () => {
  it('are those that some assignment gives, in every world of up to four requests and five orders', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (requests, nat) => {
        const own = nat % requests.length
        const truth = new Set(assignments(requests).map((each) => each[own]))
        expect(new Set(possibleOrders(requests, own))).toEqual(truth)
      }),
      { numRuns: 5_000 },
    )
  })

  it('leaves one where another request can have no other', () => {
    expect(possibleOrders([fits('a', 'b'), fits('a')], 0)).toEqual(['b'])
  })
})

describe('closedGroup', () => {
  it('has as many orders as requests in every assignment', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (requests, nat) => {
        const own = nat % requests.length
        const all = assignments(requests)
        const group = closedGroup(requests, own)
        const places = [...(group?.keys() ?? [])]
        if (group === undefined) {
          const orders = all.flat()
          // Somewhere an order is left over that a request of the group may have.
          expect(all.length === 0 || requests.length < new Set(orders).size).toBe(true)
          return
        }
        expect(places).toContain(own)
        expect(new Set(group.values()).size).toBe(places.length)
        for (const each of all) expect(new Set(places.map((at) => each[at]))).toEqual(new Set(group.values()))
      }),
      { numRuns: 5_000 },
    )
  })

  it('is open where one order more than requests may be theirs', () => {
    expect(closedGroup([fits('a', 'b')], 0)).toBeUndefined()
    expect(closedGroup([fits('a', 'b'), fits('a', 'b')], 0)?.size).toBe(2)
  })
})
