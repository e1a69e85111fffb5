/** Counting by brute force, to compare `counting.ts` with. For tests only. */
import type { AnsweredRequest, CreatedMs, Fits } from './matching.ts'

/**
 * The orders that a request can have while every other request has one, too. None where the
 * requests cannot all have an order: then an assumption was wrong.
 *
 * @param own - The index of the request that is asked about.
 */
export function plainPossibleOrders(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): readonly string[] {
  const order = rivalsFirst(requests, own)
  return [...(requests[own]?.fits ?? [])].filter((wanted) =>
    assign(requests, order, new Map([[own, wanted]]), createdMs),
  )
}

/**
 * Removes from each request the orders that break the sequence in every assignment: earlier than
 * all orders of a preceding request, or later than all orders of a following request.
 */
export function plainInOrder(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const areLater = (fits: Fits, order: string) =>
    fits.size > 0 && [...fits].every((each) => createdMs(each) > createdMs(order))
  const areEarlier = (fits: Fits, order: string) =>
    fits.size > 0 && [...fits].every((each) => createdMs(each) < createdMs(order))
  const canBe = (order: string, at: number, after: ReadonlySet<number>) =>
    requests.every(
      (other, index) =>
        !(after.has(index) && areLater(other.fits, order)) && !(other.after.has(at) && areEarlier(other.fits, order)),
    )
  const left = requests.map(({ fits, after }, at) => ({
    fits: new Set([...fits].filter((order) => canBe(order, at, after))),
    after,
  }))
  return left.some(({ fits }, at) => fits.size !== requests[at]?.fits.size) ? plainInOrder(left, createdMs) : requests
}

/**
 * The group of a request, where it has as many possible orders as requests: then each of these
 * orders certainly belongs to a request of the group. Only which order is whose is open.
 *
 * @returns One possible assignment of the group: an order for the index of each request. Undefined
 *   where there are more orders than requests.
 */
export function plainClosedGroup(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): ReadonlyMap<number, string> | undefined {
  const group = new Set([own])
  const orders = new Set<string>()
  const known = new Map<number, Fits>()
  const possibleOf = (at: number): Fits => {
    const possible = known.get(at) ?? new Set(plainPossibleOrders(requests, at, createdMs))
    known.set(at, possible)
    return possible
  }
  for (const member of group)
    for (const order of possibleOf(member)) {
      orders.add(order)
      // An order that fits a request but is certainly another's does not join the two.
      for (const [at, { fits }] of requests.entries()) if (fits.has(order) && possibleOf(at).has(order)) group.add(at)
    }
  if (orders.size !== group.size) return undefined
  const assigned = new Map<number, string>()
  const narrowed = requests.map(({ fits, after }, at) => ({ fits: known.get(at) ?? fits, after }))
  return assign(narrowed, [...group], assigned, createdMs) ? assigned : undefined
}

/** The requests that could want the same orders as this one, the nearest first. */
function rivalsFirst(requests: readonly AnsweredRequest[], own: number): readonly number[] {
  const near = new Set([own])
  for (const each of near)
    for (const [at, { fits }] of requests.entries())
      if (!near.has(at) && [...fits].some((order) => requests[each]?.fits.has(order))) near.add(at)
  near.delete(own)
  return [...near]
}

/**
 * Gives each of the requests its own order, beside the present assignment; false if that is
 * impossible.
 */
function assign(
  requests: readonly AnsweredRequest[],
  indices: readonly number[],
  assigned: Map<number, string>,
  createdMs: CreatedMs,
): boolean {
  const isInOrder = (at: number, order: string) =>
    [...assigned].every(([other, theirs]) => {
      if (theirs === order) return false
      if (requests[at]?.after.has(other)) return !(createdMs(order) < createdMs(theirs))
      return !requests[other]?.after.has(at) || !(createdMs(order) > createdMs(theirs))
    })
  const next = (depth: number): boolean => {
    const at = indices[depth]
    if (at === undefined) return true
    for (const order of requests[at]?.fits ?? []) {
      if (!isInOrder(at, order)) continue
      assigned.set(at, order)
      if (next(depth + 1)) return true
      assigned.delete(at)
    }
    return false
  }
  return next(0)
}
