/**
 * Counting as evidence. A request that was answered made one order, and after a while the list shows it: so each such request has an
 * order of its own among those that fit it, and one that was sent after another's answer has a later one. Orders of others and of
 * lost requests may be there or not; they prove nothing.
 */
import {
  type AnsweredRequest,
  type Assign,
  type Budget,
  type CreatedMs,
  createAssign,
  type Fits,
  inOrder,
  matchingOf,
  type Span,
  spanOf,
} from './matching.ts'
import { policy } from './policy.ts'

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
  return [...(count(crowdOf(requests, own).crowd, createdMs)?.possibleOf(0) ?? [])]
}

/**
 * A group with as many possible orders as requests: each of these orders belongs to one of the requests, and only which is whose is
 * open. Undefined where there are more orders than requests, and where it would take too long to find out.
 *
 * @returns The orders of the group that `own` belongs to, by the places of the requests, in one of the ways that are possible.
 */
export function closedGroup(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): ReadonlyMap<number, string> | undefined {
  const { crowd, places } = crowdOf(requests, own)
  const counted = count(crowd, createdMs)
  if (!counted?.oneWay) return undefined
  const { possibleOf, placesOf, oneWay } = counted
  const group = new Set([0])
  const orders = new Set<string>()
  for (const member of group)
    for (const order of possibleOf(member)) {
      if (orders.has(order)) continue
      orders.add(order)
      // An order that fits a request but is certainly another's does not join the two.
      for (const at of placesOf.get(order) ?? []) if (possibleOf(at).has(order)) group.add(at)
    }
  if (orders.size !== group.size) return undefined
  return new Map([...group].map((at) => [places[at] ?? own, oneWay.get(at) ?? '']))
}

/** What counting says of the first of some requests, and of those that are tied to it. */
interface Counted {
  possibleOf(at: number): Fits
  readonly placesOf: PlacesByOrder
  /** One way to give each of those its order; undefined when that would take too long to find. */
  readonly oneWay: ReadonlyMap<number, string> | undefined
}

/** Undefined where the requests cannot all have an order. */
function count(crowd: readonly AnsweredRequest[], createdMs: CreatedMs): Counted | undefined {
  const pruned = prune(crowd, createdMs)
  if (!pruned) return undefined
  const { requests, matched } = pruned
  const placesOf = placesByOrder(requests)
  const budget: Budget = { steps: policy.search.mostSteps }
  const counts = partsOf(requests, placesOf).map((part) => {
    const oneWay = new Map(part.map((at) => [at, matched[at] ?? '']))
    const possibleOf = (at: number) => requests[at]?.fits ?? new Set<string>()
    if (part.every((at) => requests[at]?.after.size === 0)) return { possibleOf, placesOf, oneWay }
    const assign = createAssign(requests, part, createdMs, budget)
    const first = assign()
    if (first === 'none') return undefined
    const found = first === 'unknown' ? undefined : first
    return { possibleOf: createPossibleOf(requests, assign, found), placesOf, oneWay: found }
  })
  return counts.includes(undefined) ? undefined : counts[0]
}

/** Asks for each order whether it can be, unless some way that was found shows it. What takes too long to find out can be. */
function createPossibleOf(
  requests: readonly AnsweredRequest[],
  assign: Assign,
  oneWay: ReadonlyMap<number, string> | undefined,
): (at: number) => Fits {
  const shown = requests.map(() => new Set<string>())
  const note = (way: ReadonlyMap<number, string>) => {
    for (const [at, order] of way) shown[at]?.add(order)
  }
  const canBe = (at: number, order: string) => {
    if (shown[at]?.has(order)) return true
    const way = assign({ at, order })
    if (typeof way !== 'string') note(way)
    return way !== 'none'
  }
  const known = new Map<number, Fits>()
  if (oneWay) note(oneWay)
  return (at) => {
    const possible = known.get(at) ?? new Set([...(requests[at]?.fits ?? [])].filter((order) => canBe(at, order)))
    known.set(at, possible)
    return possible
  }
}

/** Takes away orders that are too early, too late, or certainly another's, until there are no more; undefined where too many are. */
function prune(
  requests: readonly AnsweredRequest[],
  createdMs: CreatedMs,
): { readonly requests: readonly AnsweredRequest[]; readonly matched: readonly string[] } | undefined {
  const ordered = inOrder(requests, createdMs)
  const matching = matchingOf(ordered.map(({ fits }) => fits))
  if (!matching) return undefined
  const left = ordered.map((request, at) => ({ ...request, fits: matching.possible[at] ?? request.fits }))
  const isSame = left.every(({ fits }, at) => fits.size === ordered[at]?.fits.size)
  return isSame ? { requests: withoutIdle(ordered, createdMs), matched: matching.matched } : prune(left, createdMs)
}

/** Leaves out which requests came before others where their orders did in any case. */
function withoutIdle(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const spans = requests.map(({ fits }) => spanOf(fits, createdMs))
  const isIdle = (own: Span | undefined, before: Span | undefined) => own && before && own.fromMs >= before.toMs
  return requests.map(({ fits, after }, at) => ({
    fits,
    after: new Set([...after].filter((place) => !isIdle(spans[at], spans[place]))),
  }))
}

/** The places of the requests that each order fits. */
type PlacesByOrder = ReadonlyMap<string, readonly number[]>

/** In the sequence of the requests. */
function placesByOrder(requests: readonly AnsweredRequest[]): PlacesByOrder {
  const places = new Map<string, number[]>()
  for (const [at, { fits }] of requests.entries())
    for (const order of fits) {
      const known = places.get(order)
      if (known) known.push(at)
      else places.set(order, [at])
    }
  return places
}

/** The requests that could want the same orders as one of them, directly or through others, and their places. That one is the first. */
function crowdOf(
  requests: readonly AnsweredRequest[],
  own: number,
): { readonly crowd: readonly AnsweredRequest[]; readonly places: readonly number[] } {
  const places = reachedFrom(own, createSharing(requests, placesByOrder(requests)))
  const newPlaces = new Map(places.map((place, at) => [place, at]))
  const crowd = places
    .flatMap((place) => requests[place] ?? [])
    .map(({ fits, after }) => ({ fits, after: new Set([...after].flatMap((place) => newPlaces.get(place) ?? [])) }))
  return { crowd, places }
}

/** Parts of a crowd between which nothing is shared and no sequence counts, by their places; that of the first comes first. */
function partsOf(requests: readonly AnsweredRequest[], placesOf: PlacesByOrder): readonly (readonly number[])[] {
  const later: number[][] = requests.map(() => [])
  for (const [at, { after }] of requests.entries()) for (const before of after) later[before]?.push(at)
  const sharing = createSharing(requests, placesOf)
  const next = (at: number) => [...sharing(at), ...(requests[at]?.after ?? []), ...(later[at] ?? [])]
  const done = new Set<number>()
  return [...requests.keys()].flatMap((at) => {
    if (done.has(at)) return []
    const part = reachedFrom(at, next)
    for (const each of part) done.add(each)
    return [part]
  })
}

/** The requests that share an order with one. Each order is looked at once: who shares it is known by then. */
function createSharing(requests: readonly AnsweredRequest[], placesOf: PlacesByOrder): (at: number) => number[] {
  const seen = new Set<string>()
  return (at) => {
    const fresh = [...(requests[at]?.fits ?? [])].filter((order) => !seen.has(order))
    for (const order of fresh) seen.add(order)
    return fresh.flatMap((order) => placesOf.get(order) ?? [])
  }
}

function reachedFrom(own: number, next: (at: number) => readonly number[]): readonly number[] {
  const reached = new Set([own])
  for (const each of reached) for (const at of next(each)) reached.add(at)
  return [...reached]
}
