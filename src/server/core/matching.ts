/**
 * Assigns orders to requests, for `counting.ts`. Without a sequence between the requests this is a
 * bipartite matching (augmenting paths). All orders that a request can have then follow from one
 * matching: orders of the same strongly connected component (Tarjan), and orders whose holder can
 * move to an order that nobody holds.
 *
 * With a sequence (a request that was sent after another's answer has a later order) no fast method
 * is known, so a search with a bound tries the assignments.
 */
import { policy } from './policy.ts'
import type { TimeWindow } from './types.ts'

/**
 * `matched`: an order for each request. `possible`: all orders that each request can have in some
 * matching. Undefined where the requests cannot all have an order. For F pairs of a request and a
 * fitting order it usually takes O(F) steps, at worst O(F · requests).
 */
export function matchingOf(fits: readonly Fits[]) {
  const holders = match(fits)
  if (!holders) return undefined
  const matched = fits.map(() => '')
  for (const [order, at] of holders) matched[at] = order
  const moves = fits.map((each) => [...each].flatMap((order) => holders.get(order) ?? []))
  const components = componentsOf(moves)
  const before = turned(moves)
  const free = [...fits.keys()].filter((at) => [...(fits[at] ?? [])].some((order) => !holders.has(order)))
  const canMoveOn = reachedFrom(free, (at) => before[at] ?? [])
  const canHave = (at: number, order: string) => {
    const holder = holders.get(order)
    return holder === undefined || holder === at || components[holder] === components[at] || canMoveOn.has(holder)
  }
  const possible = fits.map((each, at) => new Set([...each].filter((order) => canHave(at, order))))
  return { matched, possible }
}

/** The index of the request that holds each order. */
function match(fits: readonly Fits[]): ReadonlyMap<string, number> | undefined {
  const holders = new Map<string, number>()
  const find = (at: number, tried: Set<string>): boolean => {
    const own = [...(fits[at] ?? [])]
    const isGivenUp = (order: string) => {
      if (tried.has(order)) return false
      tried.add(order)
      const holder = holders.get(order)
      return holder !== undefined && find(holder, tried)
    }
    const order = own.find((each) => !holders.has(each)) ?? own.find(isGivenUp)
    if (order === undefined) return false
    holders.set(order, at)
    return true
  }
  return fits.every((_, at) => find(at, new Set())) ? holders : undefined
}

/** Numbers the strongly connected components: equal for nodes that reach each other. */
function componentsOf(next: readonly (readonly number[])[]): readonly number[] {
  const component: number[] = []
  const found: number[] = []
  const low: number[] = []
  const open: number[] = []
  let count = 0
  const visit = (at: number): number => {
    const own = count++
    found[at] = own
    low[at] = own
    open.push(at)
    for (const to of next[at] ?? []) {
      if (found[to] === undefined) low[at] = Math.min(low[at] ?? own, visit(to))
      else if (component[to] === undefined) low[at] = Math.min(low[at] ?? own, found[to])
    }
    if (low[at] === own) for (const member of open.splice(open.lastIndexOf(at))) component[member] = own
    return low[at] ?? own
  }
  for (const at of next.keys()) if (found[at] === undefined) visit(at)
  return component
}

/** The reversed graph: for each node, the nodes whose `next` has it. */
export function turned(next: readonly Iterable<number>[]): Neighbours {
  const before: number[][] = next.map(() => [])
  for (const [at, each] of next.entries()) for (const to of each) before[to]?.push(at)
  return before
}

/** The nodes that can be reached from some nodes, these first. */
export function reachedFrom(starts: Iterable<number>, next: (at: number) => readonly number[]): ReadonlySet<number> {
  const reached = new Set(starts)
  for (const each of reached) for (const at of next(each)) reached.add(at)
  return reached
}

/** The steps that are left for this search and the following ones. */
export interface StepBudget {
  steps: number
}

/** An order for the index of each request. `'unknown'`: finding out would take too long. */
type Assignment = ReadonlyMap<number, string> | 'none' | 'unknown'

/** Finds an assignment in which the request at `wanted.at`, if given, has `wanted.order`. */
export type Assign = (wanted?: { readonly at: number; readonly order: string }) => Assignment

/**
 * Searches for assignments that keep to the sequence of the requests.
 *
 * @param indices - The requests that need an order. The others are ignored.
 */
export function createAssign(
  requests: readonly AnsweredRequest[],
  indices: readonly number[],
  createdMs: CreatedMs,
  budget: StepBudget,
): Assign {
  const among = new Set(indices)
  // For each request: the requests answered before it was sent, and those sent after its answer.
  const before = requests.map(({ after }, at) => (among.has(at) ? [...after].filter((other) => among.has(other)) : []))
  const after = turned(before)
  const choices = requests.map(({ fits }) =>
    [...fits].map((order) => ({ order, ms: createdMs(order) })).sort((a, b) => a.ms - b.ms),
  )
  const sorted = mostUrgentFirst(requests, indices, before, createdMs)
  /** When the order that each request has now was created. */
  const atMs: (number | undefined)[] = []
  const assigned = new Map<string, number>()

  // Not known, or not assigned: no bound.
  const mayFollow = (firstMs = Number.NaN, thenMs = Number.NaN) => !(firstMs > thenMs)
  const isInOrder = (at: number, ownMs: number): boolean =>
    (before[at] ?? []).every((each) => mayFollow(atMs[each], ownMs)) &&
    (after[at] ?? []).every((each) => mayFollow(ownMs, atMs[each]))

  return (wanted) => {
    if (budget.steps <= 0) return 'unknown'
    const spare = Math.max(0, budget.steps - policy.search.mostStepsOfOne)
    const given = wanted ? [{ order: wanted.order, ms: createdMs(wanted.order) }] : []
    const next = (depth: number): boolean | 'unknown' => {
      const at = wanted && depth < 0 ? wanted.at : sorted[depth]
      if (at === undefined) return true
      if (depth >= 0 && at === wanted?.at) return next(depth + 1)
      for (const { order, ms } of depth < 0 ? given : (choices[at] ?? [])) {
        if (assigned.has(order)) continue
        if (budget.steps <= spare) return 'unknown'
        budget.steps -= 1
        if (!isInOrder(at, ms)) continue
        assigned.set(order, at)
        atMs[at] = ms
        const found = next(depth + 1)
        if (found !== false) return found
        assigned.delete(order)
        atMs[at] = undefined
      }
      return false
    }
    assigned.clear()
    atMs.length = 0
    const found = next(wanted ? -1 : 0)
    if (found !== true) return found === false ? 'none' : found
    return new Map([...assigned].map(([order, at]) => [at, order]))
  }
}

type Neighbours = readonly (readonly number[])[]

/**
 * The requests in the sequence of the search: the earliest deadline first, but none before a
 * request that precedes it. The deadline is the time of a request's last order. The search never
 * backtracks if each request fits all orders of a span of time.
 */
function mostUrgentFirst(
  requests: readonly AnsweredRequest[],
  indices: readonly number[],
  before: Neighbours,
  createdMs: CreatedMs,
): readonly number[] {
  const untilMs = new Map(indices.map((at) => [at, spanOf(requests[at]?.fits ?? new Set(), createdMs).toMs]))
  const sorted = [...indices].sort((a, b) => (untilMs.get(a) ?? 0) - (untilMs.get(b) ?? 0))
  const seen = new Set<number>()
  const sequence: number[] = []
  const add = (at: number) => {
    if (seen.has(at)) return
    seen.add(at)
    for (const each of before[at] ?? []) add(each)
    sequence.push(at)
  }
  for (const at of sorted) add(at)
  return sequence
}

/** The ids of the orders that fit a request. */
export type Fits = ReadonlySet<string>

/** A request whose order the list shows, because it was answered long enough ago. */
export interface AnsweredRequest {
  readonly fits: Fits
  /** Indices of the requests that were answered before this one was sent. */
  readonly after: ReadonlySet<number>
}

/** When the service created an order, in ms since the epoch; NaN where that is not known. */
export type CreatedMs = (orderId: string) => number

/**
 * Removes from each request the orders that break the sequence in every assignment: earlier than
 * all orders of a preceding request, or later than all orders of a following request.
 */
export function inOrder(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const spans = requests.map(({ fits }) => spanOf(fits, createdMs))
  const bounds = boundsOf(requests, spans)
  const left = requests.map((request, at): AnsweredRequest => {
    const [span, bound] = [spans[at], bounds[at]]
    if (!span || !bound || (span.fromMs >= bound.fromMs && span.toMs <= bound.toMs)) return request
    const canBe = (atMs: number) => !(atMs < bound.fromMs) && !(atMs > bound.toMs)
    return { ...request, fits: new Set([...request.fits].filter((order) => canBe(createdMs(order)))) }
  })
  return left.some(({ fits }, at) => fits.size !== requests[at]?.fits.size) ? inOrder(left, createdMs) : requests
}

/**
 * The times of the first and the last order of a set; NaN where an order has no known time.
 * Unlimited where there are no orders.
 */
export function spanOf(fits: Fits, createdMs: CreatedMs): TimeWindow {
  if (fits.size === 0) return { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const order of fits) {
    fromMs = Math.min(fromMs, createdMs(order))
    toMs = Math.max(toMs, createdMs(order))
  }
  return { fromMs, toMs }
}

/**
 * Between which times the order of each request was created, as the preceding and following
 * requests show. A comparison with NaN is false, so a time that is not known sets no bound.
 */
function boundsOf(requests: readonly AnsweredRequest[], spans: readonly TimeWindow[]): readonly TimeWindow[] {
  const bounds = requests.map(() => ({ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }))
  for (const [at, { after }] of requests.entries())
    for (const before of after) {
      const [own, others] = [bounds[at], bounds[before]]
      const [span, othersSpan] = [spans[at], spans[before]]
      if (!own || !others || !span || !othersSpan) continue
      if (othersSpan.fromMs > own.fromMs) own.fromMs = othersSpan.fromMs
      if (span.toMs < others.toMs) others.toMs = span.toMs
    }
  return bounds
}
