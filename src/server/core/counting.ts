/**
 * Finds orders by counting. Each answered request has made exactly one order, and after a while the
 * list shows it. So each request has its own order among the orders that fit it. A request that was
 * sent after another's answer has a later order. Orders of strangers and of lost requests may be in
 * the list, too.
 *
 * `matching.ts` gives each request an order; this file asks what holds in every such assignment.
 */
import {
  type AnsweredRequest,
  type Assign,
  type CreatedMs,
  createAssign,
  type Fits,
  inOrder,
  matchingOf,
  reachedFrom,
  type StepBudget,
  spanOf,
  turned,
} from './matching.ts'
import { policy } from './policy.ts'
import type { TimeWindow } from './types.ts'

/**
 * The orders that a request can have while every other request has one, too. None where the
 * requests cannot all have an order: then an assumption was wrong.
 *
 * @param own - The index of the request that is asked about.
 */
export function possibleOrders(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): readonly string[] {
  return [...(count(competitorsOf(requests, own).competitors, createdMs)?.possibleOf(0) ?? [])]
}

/**
 * The group of a request, if it has as many possible orders as requests. Each of these orders then
 * certainly belongs to a request of the group, but nobody knows to which.
 *
 * @returns One possible assignment of the group: an order for the index of each request. Undefined
 *   where there are more orders than requests, or where counting would take too long.
 */
export function closedGroup(
  requests: readonly AnsweredRequest[],
  own: number,
  createdMs: CreatedMs,
): ReadonlyMap<number, string> | undefined {
  const { competitors, indices } = competitorsOf(requests, own)
  const counted = count(competitors, createdMs)
  if (!counted?.oneWay) return undefined
  const { possibleOf, indicesOf, oneWay } = counted
  const group = new Set([0])
  const orders = new Set<string>()
  for (const member of group)
    for (const order of possibleOf(member)) {
      if (orders.has(order)) continue
      orders.add(order)
      // A request that the order fits, but that cannot have it, does not join the group.
      for (const at of indicesOf.get(order) ?? []) if (possibleOf(at).has(order)) group.add(at)
    }
  if (orders.size !== group.size) return undefined
  return new Map([...group].map((at) => [indices[at] ?? own, oneWay.get(at) ?? '']))
}

/**
 * The result for the part of the requests that contains the first one; undefined where the requests
 * cannot all have an order. `possibleOf`: the orders that a request can have while every other
 * request has one, too. `oneWay`: one possible assignment; undefined where finding one would take
 * too long.
 */
function count(competitors: readonly AnsweredRequest[], createdMs: CreatedMs) {
  const pruned = prune(competitors, createdMs)
  if (!pruned) return undefined
  const { requests, matched } = pruned
  const indicesOf = indicesByOrder(requests)
  const budget: StepBudget = { steps: policy.search.mostSteps }
  const counts = partsOf(requests, indicesOf).map((part) => {
    const oneWay = new Map(part.map((at) => [at, matched[at] ?? '']))
    const possibleOf = (at: number) => requests[at]?.fits ?? new Set<string>()
    if (part.every((at) => requests[at]?.after.size === 0)) return { possibleOf, indicesOf, oneWay }
    const assign = createAssign(requests, part, createdMs, budget)
    const first = assign()
    if (first === 'none') return undefined
    const found = first === 'unknown' ? undefined : first
    return { possibleOf: createPossibleOf(requests, assign, found), indicesOf, oneWay: found }
  })
  return counts.includes(undefined) ? undefined : counts[0]
}

/**
 * Tries for each order whether the request can have it, unless an earlier assignment shows it. An
 * order whose trial takes too long stays possible.
 */
function createPossibleOf(
  requests: readonly AnsweredRequest[],
  assign: Assign,
  oneWay: ReadonlyMap<number, string> | undefined,
): (at: number) => Fits {
  const shown = requests.map(() => new Set<string>())
  const note = (assignment: ReadonlyMap<number, string>) => {
    for (const [at, order] of assignment) shown[at]?.add(order)
  }
  const canBe = (at: number, order: string) => {
    if (shown[at]?.has(order)) return true
    const found = assign({ at, order })
    if (typeof found !== 'string') note(found)
    return found !== 'none'
  }
  const known = new Map<number, Fits>()
  if (oneWay) note(oneWay)
  return (at) => {
    const possible = known.get(at) ?? new Set([...(requests[at]?.fits ?? [])].filter((order) => canBe(at, order)))
    known.set(at, possible)
    return possible
  }
}

/**
 * Removes from each request the orders that are too early, too late or certainly another's, until
 * none is left to remove. Undefined where the requests cannot all have an order.
 */
function prune(
  requests: readonly AnsweredRequest[],
  createdMs: CreatedMs,
): { readonly requests: readonly AnsweredRequest[]; readonly matched: readonly string[] } | undefined {
  const ordered = inOrder(requests, createdMs)
  const matching = matchingOf(ordered.map(({ fits }) => fits))
  if (!matching) return undefined
  const left = ordered.map((request, at) => ({ ...request, fits: matching.possible[at] ?? request.fits }))
  const isSame = left.every(({ fits }, at) => fits.size === ordered[at]?.fits.size)
  return isSame ? { requests: withoutImplied(ordered, createdMs), matched: matching.matched } : prune(left, createdMs)
}

/** Drops the sequence of two requests where all their orders are in that sequence anyway. */
function withoutImplied(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const spans = requests.map(({ fits }) => spanOf(fits, createdMs))
  const isImplied = (own: TimeWindow | undefined, before: TimeWindow | undefined) =>
    own && before && own.fromMs >= before.toMs
  return requests.map(({ fits, after }, at) => ({
    fits,
    after: new Set([...after].filter((index) => !isImplied(spans[at], spans[index]))),
  }))
}

/** The indices of the requests that each order fits. */
type IndicesByOrder = ReadonlyMap<string, readonly number[]>

function indicesByOrder(requests: readonly AnsweredRequest[]): IndicesByOrder {
  const pairs = requests.flatMap(({ fits }, at) => [...fits].map((order) => ({ order, at })))
  const byOrder = Map.groupBy(pairs, ({ order }) => order)
  return new Map([...byOrder].map(([order, ofOrder]) => [order, ofOrder.map(({ at }) => at)]))
}

/**
 * The requests that compete with `own` for orders, directly or through other requests, and their
 * indices in `requests`. The first is `own` itself.
 */
function competitorsOf(requests: readonly AnsweredRequest[], own: number) {
  const indices = [...reachedFrom([own], createSharing(requests, indicesByOrder(requests)))]
  const newIndices = new Map(indices.map((index, at) => [index, at]))
  const competitors = indices
    .flatMap((index) => requests[index] ?? [])
    .map(({ fits, after }) => ({ fits, after: new Set([...after].flatMap((index) => newIndices.get(index) ?? [])) }))
  return { competitors, indices }
}

/**
 * Splits the requests into parts that share no order and have no sequence between them. The first
 * part contains the first request.
 */
function partsOf(requests: readonly AnsweredRequest[], indicesOf: IndicesByOrder): readonly (readonly number[])[] {
  const later = turned(requests.map(({ after }) => after))
  const sharing = createSharing(requests, indicesOf)
  const next = (at: number) => [...sharing(at), ...(requests[at]?.after ?? []), ...(later[at] ?? [])]
  const done = new Set<number>()
  return [...requests.keys()].flatMap((at) => {
    if (done.has(at)) return []
    const part = [...reachedFrom([at], next)]
    for (const each of part) done.add(each)
    return [part]
  })
}

/**
 * The requests that share an order with a request. Looks up each order only once, because the
 * caller then knows all requests of the order.
 */
function createSharing(requests: readonly AnsweredRequest[], indicesOf: IndicesByOrder): (at: number) => number[] {
  const seen = new Set<string>()
  return (at) => {
    const fresh = [...(requests[at]?.fits ?? [])].filter((order) => !seen.has(order))
    for (const order of fresh) seen.add(order)
    return fresh.flatMap((order) => indicesOf.get(order) ?? [])
  }
}
