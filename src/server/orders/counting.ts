/**
 * Counting as evidence. A request that was answered made one order, and after a while the list shows it: so each such request has an
 * order of its own among those that fit it, and one that was sent after another's answer has a later one. Orders of others and of
 * lost requests may be there or not; they prove nothing.
 */

/** The orders that fit a request, by their ids. */
export type Fits = ReadonlySet<string>

/** A request that was answered so long ago that the list shows its order. */
export interface AnsweredRequest {
  readonly fits: Fits
  /** Places of the requests whose answers were known before this one was sent. */
  readonly after: ReadonlySet<number>
}

/** When the service created an order, ms since its epoch. */
export type CreatedMs = (orderId: string) => number

/** Steps after which a question is left open: many equal requests must not hold up a server. */
const maxSteps = 2_000

/**
 * The orders that may be a request's own, when every request has one: those that leave an order for each of the others that could
 * want it. None if they cannot all have one: then an assumption was wrong.
 *
 * @param own - The place of the request that is asked about.
 */
export function possibleOrders(
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
 * The requests without the orders that are too early for one that was sent after another's answer, or too late for that other one,
 * whichever of its orders each has.
 */
export function inOrder(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const areLater = (fits: Fits, order: string) =>
    fits.size > 0 && [...fits].every((each) => createdMs(each) > createdMs(order))
  const areEarlier = (fits: Fits, order: string) =>
    fits.size > 0 && [...fits].every((each) => createdMs(each) < createdMs(order))
  const canBe = (order: string, at: number, after: ReadonlySet<number>) =>
    requests.every(
      (other, place) =>
        !(after.has(place) && areLater(other.fits, order)) && !(other.after.has(at) && areEarlier(other.fits, order)),
    )
  const left = requests.map(({ fits, after }, at) => ({
    fits: new Set([...fits].filter((order) => canBe(order, at, after))),
    after,
  }))
  return left.some(({ fits }, at) => fits.size !== requests[at]?.fits.size) ? inOrder(left, createdMs) : requests
}

/**
 * A group with as many possible orders as requests: each of these orders belongs to one of the requests, and only which is whose is
 * open. Undefined where there are more orders than requests.
 *
 * @returns The orders of the group that `own` belongs to, by the places of the requests, in one of the ways that are possible.
 */
export function closedGroup(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): ReadonlyMap<number, string> | undefined {
  const group = new Set([own])
  const orders = new Set<string>()
  const known = new Map<number, Fits>()
  const possibleOf = (at: number): Fits => {
    const possible = known.get(at) ?? new Set(possibleOrders(requests, at, createdMs))
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
  return assign(narrowed, [...group], assigned, createdMs) === true ? assigned : undefined
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
 * Gives each of the requests an order of its own, beside what is assigned already; false when that cannot be, `'unknown'` when it would
 * take too long to find out.
 */
function assign(
  requests: readonly AnsweredRequest[],
  places: readonly number[],
  assigned: Map<number, string>,
  createdMs: CreatedMs,
): boolean | 'unknown' {
  let steps = 0
  const isInOrder = (at: number, order: string) =>
    [...assigned].every(([other, theirs]) => {
      if (theirs === order) return false
      if (requests[at]?.after.has(other)) return createdMs(order) >= createdMs(theirs)
      return !requests[other]?.after.has(at) || createdMs(order) <= createdMs(theirs)
    })
  const next = (depth: number): boolean | 'unknown' => {
    const at = places[depth]
    if (at === undefined) return true
    for (const order of requests[at]?.fits ?? []) {
      steps += 1
      if (steps > maxSteps) return 'unknown'
      if (!isInOrder(at, order)) continue
      assigned.set(at, order)
      const found = next(depth + 1)
      if (found !== false) return found
      assigned.delete(at)
    }
    return false
  }
  return next(0)
}
