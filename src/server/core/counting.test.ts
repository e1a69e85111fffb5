import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedGroup, possibleOrders } from './counting.ts'
import { plainClosedGroup, plainInOrder, plainPossibleOrders } from './counting-oracle.testing.ts'
import { type AnsweredRequest, inOrder } from './matching.ts'

/** Orders are named in the order in which they were created. */
const createdMs = (order: string) => order.codePointAt(0) ?? 0

/** All ways to give each request an order of its own, one by one. */
function assignments(requests: readonly AnsweredRequest[], given: readonly string[] = []): string[][] {
  const request = requests[given.length]
  if (!request) return [[...given]]
  return [...request.fits]
    .filter((order) => !given.includes(order))
    .filter((order) => given.every((theirs, at) => !request.after.has(at) || createdMs(order) >= createdMs(theirs)))
    .flatMap((order) => assignments(requests, [...given, order]))
}

const request = (orders: string, ...after: number[]): AnsweredRequest => ({
  fits: new Set(orders),
  after: new Set(after),
})

/**
 * Every world of so many requests and orders: each subset of orders may fit each request, each may
 * have come after those before.
 */
function* allWorlds(requests: number, orders: string): Generator<readonly AnsweredRequest[]> {
  const subsets = 2 ** orders.length
  for (let world = 0; world < subsets ** requests; world++)
    for (const inOrder of [false, true])
      yield Array.from({ length: requests }, (_, at) => {
        const subset = Math.floor(world / subsets ** at) % subsets
        const fits = [...orders].filter((_, bit) => (subset >> bit) & 1).join('')
        return request(fits, ...(inOrder ? Array.from({ length: at }, (_, before) => before) : []))
      })
}

const largerWorlds = fc
  .array(fc.tuple(fc.subarray([...'abcde']), fc.subarray([0, 1, 2])), { minLength: 4, maxLength: 4 })
  .map((drawn) => drawn.map(([orders, after], at) => request(orders.join(''), ...after.filter((each) => each < at))))

/** Up to six requests and six orders: each may have come after any before it. */
const randomWorlds = fc
  .array(fc.tuple(fc.subarray([...'abcdef']), fc.subarray([0, 1, 2, 3, 4])), { minLength: 1, maxLength: 6 })
  .map((drawn) => drawn.map(([orders, after], at) => request(orders.join(''), ...after.filter((each) => each < at))))

/** Two orders each at the same time. */
const inPairs = (order: string) => Math.floor(createdMs(order) / 2)

/** Every other order shows no time. */
const inPart = (order: string) => (createdMs(order) % 2 === 0 ? createdMs(order) : Number.NaN)

/**
 * The requests that could want the same orders, directly or through others; their places count
 * anew.
 */
function componentOf(requests: readonly AnsweredRequest[], own: number): readonly number[] {
  const places = requests.map((_, at) => at)
  let component = [own]
  for (const _ of places)
    component = places.filter(
      (at) =>
        component.includes(at) ||
        component.some((each) => [...(requests[at]?.fits ?? [])].some((order) => requests[each]?.fits.has(order))),
    )
  return component
}

function only(requests: readonly AnsweredRequest[], places: readonly number[]): readonly AnsweredRequest[] {
  return places.map((place) => {
    const { fits, after } = requests[place] ?? request('')
    return { fits, after: new Set(places.flatMap((each, at) => (after.has(each) ? [at] : []))) }
  })
}

function checkPossible(requests: readonly AnsweredRequest[]): void {
  for (const [own] of requests.entries()) {
    const component = componentOf(requests, own)
    const possibleAssignments = assignments(only(requests, component))
    const possible = new Set(possibleOrders(requests, own, createdMs))
    const expected = new Set(possibleAssignments.map((each) => each[component.indexOf(own)]))
    if (possible.size !== expected.size || ![...possible].every((order) => expected.has(order)))
      expect({ requests, own, possible }).toEqual({ requests, own, possible: expected })
  }
}

describe('possibleOrders', () => {
  it.each([
    [4, 'ab'],
    [3, 'abc'],
    [2, 'abcde'],
  ])('are those that some assignment gives, in every world of %d requests and the orders %s', (requests, orders) => {
    for (const world of allWorlds(requests, orders)) checkPossible(world)
  })

  it('are those that some assignment gives, in worlds of four requests and five orders', () => {
    fc.assert(fc.property(largerWorlds, checkPossible), { numRuns: 1_500 })
  })

  it('leaves one order when another request can have only the other one', () => {
    expect(possibleOrders([request('ab'), request('a')], 0, createdMs)).toEqual(['b'])
  })

  it('gives the later order to the request that was sent after the answer to the other', () => {
    expect(possibleOrders([request('ab'), request('ab', 0)], 1, createdMs)).toEqual(['b'])
    expect(possibleOrders([request('ab'), request('ab')], 1, createdMs)).toEqual(['a', 'b'])
  })

  it('knows of forty requests and 39 orders that an assumption was wrong', () => {
    const crowd = Array.from({ length: 40 }, () => request('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM'))
    expect(possibleOrders(crowd, 0, createdMs)).toEqual([])
  })

  it.each([
    ['orders were made at the same time', inPairs],
    ['some orders show no time', inPart],
    ['no order shows a time', () => Number.NaN],
  ])('are those that trying all ways finds, also where %s', (_, timeOf) => {
    fc.assert(
      fc.property(randomWorlds, fc.nat(5), (requests, drawn) => {
        const own = drawn % requests.length
        expect(possibleOrders(requests, own, timeOf)).toEqual(plainPossibleOrders(requests, own, timeOf))
      }),
      { numRuns: 2_000 },
    )
  })

  it('are not limited by a sequence of orders that show no time', () => {
    const timeless = () => Number.NaN
    expect(possibleOrders([request('ab'), request('ab', 0)], 0, timeless)).toEqual(['a', 'b'])
    expect(possibleOrders([request('ab'), request('b', 0)], 0, timeless)).toEqual(['a'])
    expect(closedGroup([request('ab'), request('ab', 0)], 0, timeless)?.size).toBe(2)
  })
})

describe('inOrder', () => {
  it('removes no order that a request has in some assignment', () => {
    fc.assert(
      fc.property(largerWorlds, (requests) => {
        const left = inOrder(requests, createdMs)
        const all = assignments(requests)
        expect(assignments(left)).toEqual(all)
      }),
      { numRuns: 500 },
    )
  })

  it('removes the same orders as looking at each with each', () => {
    fc.assert(
      fc.property(randomWorlds, (requests) => {
        expect(inOrder(requests, inPairs)).toEqual(plainInOrder(requests, inPairs))
      }),
      { numRuns: 1_000 },
    )
  })

  it('removes an order older than that of a request that was answered before this one was sent', () => {
    const fitsOf = (...requests: AnsweredRequest[]) =>
      inOrder(requests, createdMs).map(({ fits }) => [...fits].join(''))
    expect(fitsOf(request('ac', 1), request('b'))).toEqual(['c', 'b'])
    expect(fitsOf(request('ac'), request('b', 0))).toEqual(['a', 'b'])
    expect(fitsOf(request('b'), request('ac', 0), request('bd', 1))).toEqual(['b', 'c', 'd'])
    expect(fitsOf(request('ac', 1), request(''))).toEqual(['ac', ''])
  })
})

describe('closedGroup', () => {
  it('has the same orders in every assignment', () => {
    fc.assert(
      fc.property(largerWorlds, fc.nat(3), (requests, own) => {
        const group = closedGroup(requests, own, createdMs)
        fc.pre(group !== undefined)
        const places = [...group.keys()]
        const component = componentOf(requests, own)
        const all = assignments(only(requests, component))
        expect(places).toContain(own)
        expect(all.length).toBeGreaterThan(0)
        for (const each of all)
          expect(new Set(places.map((at) => each[component.indexOf(at)]))).toEqual(new Set(group.values()))
      }),
      { numRuns: 300 },
    )
  })

  it('is found wherever some requests have the same orders in every assignment', () => {
    fc.assert(
      fc.property(largerWorlds, fc.nat(3), (requests, own) => {
        const component = componentOf(requests, own)
        const all = assignments(only(requests, component))
        fc.pre(all.length > 0)
        const others = component.filter((place) => place !== own)
        const isClosed = Array.from({ length: 2 ** others.length }, (_, bits) => [
          own,
          ...others.filter((_, at) => (bits >> at) & 1),
        ]).some((group) => {
          const between = all.map((each) => group.map((place) => each[component.indexOf(place)] ?? '').sort())
          return new Set(between.map((orders) => orders.join(''))).size === 1
        })
        expect(closedGroup(requests, own, createdMs) !== undefined).toBe(isClosed)
      }),
      { numRuns: 500 },
    )
  })

  it('is the one that trying all ways finds, each with an order that it can have', () => {
    fc.assert(
      fc.property(randomWorlds, fc.nat(5), (requests, drawn) => {
        const own = drawn % requests.length
        const [group, plain] = [closedGroup(requests, own, inPairs), plainClosedGroup(requests, own, inPairs)]
        expect(group && [...group.keys()].sort()).toEqual(plain && [...plain.keys()].sort())
        expect(group && [...group.values()].sort()).toEqual(plain && [...plain.values()].sort())
        for (const [at, order] of group ?? []) expect(possibleOrders(requests, at, inPairs)).toContain(order)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is not extended by a request that can have none of its orders', () => {
    const group = closedGroup([request('ab'), request('ab'), request('bcd')], 0, createdMs)
    expect([...(group?.values() ?? [])].sort()).toEqual(['a', 'b'])
  })

  it('is undefined when there is one possible order more than requests', () => {
    expect(closedGroup([request('ab')], 0, createdMs)).toBeUndefined()
    expect(closedGroup([request('ab'), request('ab')], 0, createdMs)?.size).toBe(2)
  })
})

describe('many equal requests', () => {
  const orders = Array.from({ length: 200 }, (_, at) => `order ${String(at).padStart(3, '0')}`)
  const atMs = (order: string) => Number(order.slice(-3)) * 50
  /**
   * Each request, except the last few, fits 60 orders around its own, and was sent after the
   * answers to twenty requests.
   */
  const crowd = (isInSequence: boolean, spare = 0) =>
    Array.from({ length: 200 - spare }, (_, at): AnsweredRequest => {
      const before = Array.from({ length: 20 }, (_, back) => at - 10 - back).filter((place) => place >= 0)
      const fits = new Set(orders.slice(Math.max(0, at - 30), at + 30))
      return { fits, after: new Set(isInSequence ? before : []) }
    })

  it.each([
    ['without a sequence, of as many orders', false, 0],
    ['without a sequence, of more orders', false, 5],
    ['in sequence, of as many orders', true, 0],
    ['in sequence, of more orders', true, 5],
  ])('are counted in less than 50 ms of the processor: %s', (_, isInSequence, spare) => {
    const requests = inOrder(crowd(isInSequence, spare), atMs)
    const takenMs = () => {
      const before = process.cpuUsage()
      const group = closedGroup(requests, 100, atMs)
      const possible = possibleOrders(requests, 100, atMs)
      const { user, system } = process.cpuUsage(before)
      // Requests in the middle need neither the first nor the last order.
      expect(possible.length).toBeGreaterThan(1)
      if (spare > 0) expect(group).toBeUndefined()
      else expect(group?.size).toBeGreaterThan(1)
      return (user + system) / 1_000
    }
    // A neighbour on the same core can double the time of one attempt.
    let tookMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 20 && tookMs >= 50; attempt++) tookMs = Math.min(tookMs, takenMs())
    expect(tookMs).toBeLessThan(50)
  })
})
