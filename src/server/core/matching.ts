/**
 * Gives each request an order of its own (augmenting paths), and finds all orders that each can have
 * in some way of doing so. A request can have the order of another where both are on one circle of
 * exchanges (strongly connected components, Tarjan), or where the other can move on, by exchanges, to
 * an order that is left over. A request that was sent after another's answer has a later order.
 */
import { policy } from './policy.ts'

/** One way to give each request its own order, and all orders that each can have. */
interface Matching {
  readonly matched: readonly string[]
  readonly possible: readonly Fits[]
}

/** Undefined where there is no way. Takes as many steps as there are fits, and in the worst case that many for each request. */
export function matchingOf(fits: readonly Fits[]): Matching | undefined {
  const holders = match(fits)
  if (!holders) return undefined
  const matched = fits.map(() => '')
  for (const [order, at] of holders) matched[at] = order
  const moves = fits.map((each) => [...each].flatMap((order) => holders.get(order) ?? []))
  const circles = circlesOf(moves)
  const free = fits.map((each) => [...each].some((order) => !holders.has(order)))
  const canMoveOn = reaching(moves, free)
  const canHave = (at: number, order: string) => {
    const holder = holders.get(order)
    return holder === undefined || holder === at || circles[holder] === circles[at] || canMoveOn[holder] === true
  }
  const possible = fits.map((each, at) => new Set([...each].filter((order) => canHave(at, order))))
  return { matched, possible }
}

/** Which request has each order. */
function match(fits: readonly Fits[]): ReadonlyMap<string, number> | undefined {
  const holders = new Map<string, number>()
  const find = (at: number, tried: Set<string>): boolean => {
    const own = fits[at] ?? new Set()
    for (const order of own)
      if (!holders.has(order)) {
        holders.set(order, at)
        return true
      }
    for (const order of own) {
      if (tried.has(order)) continue
      tried.add(order)
      const holder = holders.get(order)
      if (holder === undefined || find(holder, tried)) {
        holders.set(order, at)
        return true
      }
    }
    return false
  }
  return fits.every((_, at) => find(at, new Set())) ? holders : undefined
}

/** Numbers the strongly connected components of a graph: equal for two places that reach each other. */
function circlesOf(next: readonly (readonly number[])[]): readonly number[] {
  const circle: number[] = []
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
      else if (circle[to] === undefined) low[at] = Math.min(low[at] ?? own, found[to])
    }
    if (low[at] === own) for (const member of open.splice(open.lastIndexOf(at))) circle[member] = own
    return low[at] ?? own
  }
  for (const at of next.keys()) if (found[at] === undefined) visit(at)
  return circle
}

/** From which places one of the goals is reached. */
function reaching(next: readonly (readonly number[])[], goals: readonly boolean[]): readonly boolean[] {
  const before: number[][] = next.map(() => [])
  for (const [at, each] of next.entries()) for (const to of each) before[to]?.push(at)
  const reaches = [...goals]
  const waiting = [...goals.keys()].filter((at) => goals[at])
  for (const at of waiting)
    for (const from of before[at] ?? [])
      if (!reaches[from]) {
        reaches[from] = true
        waiting.push(from)
      }
  return reaches
}

// Gives each of some requests an order of its own where their sequence counts, too. There is no fast way to do that in every case, so it is
// tried, with a bound.

/** Steps that are left for a search and those after it. */
export interface Budget {
  steps: number
}

/** A way to give each of the places its order; `'none'` when there is none, `'unknown'` when it would take too long to find out. */
type Found = ReadonlyMap<number, string> | 'none' | 'unknown'

/** Assigns orders to all places, with one of them given. */
export type Assign = (wanted?: { readonly at: number; readonly order: string }) => Found

/** @param places - The requests that have to have an order. The sequence counts between these only. */
export function createAssign(
  requests: readonly AnsweredRequest[],
  places: readonly number[],
  createdMs: CreatedMs,
  budget: Budget,
): Assign {
  const { before, after } = neighboursOf(requests, places)
  const choices = requests.map(({ fits }) => byTime(fits, createdMs))
  const sorted = mostUrgentFirst(requests, places, before, createdMs)
  /** When the orders that are assigned were made. */
  const atMs: (number | undefined)[] = []
  const assigned = new Map<string, number>()

  const isInOrder = (at: number, ownMs: number): boolean => {
    for (const each of before[at] ?? []) {
      const theirs = atMs[each]
      if (theirs !== undefined && !(ownMs >= theirs)) return false
    }
    for (const each of after[at] ?? []) {
      const theirs = atMs[each]
      if (theirs !== undefined && !(ownMs <= theirs)) return false
    }
    return true
  }

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

/** Which of the places were answered before each was sent, and which were sent after each was answered. */
function neighboursOf(requests: readonly AnsweredRequest[], places: readonly number[]) {
  const before: number[][] = requests.map(() => [])
  const after: number[][] = requests.map(() => [])
  const among = new Set(places)
  for (const at of places)
    for (const other of requests[at]?.after ?? [])
      if (among.has(other)) {
        before[at]?.push(other)
        after[other]?.push(at)
      }
  return { before, after }
}

/**
 * Those whose last order is the earliest come first, and each after those that were before it: where the orders of each are all of a
 * span of time, giving each the earliest that is left then never has to be taken back.
 */
function mostUrgentFirst(
  requests: readonly AnsweredRequest[],
  places: readonly number[],
  before: Neighbours,
  createdMs: CreatedMs,
): readonly number[] {
  const untilMs = new Map(places.map((at) => [at, spanOf(requests[at]?.fits ?? new Set(), createdMs).toMs]))
  const sorted = [...places].sort((a, b) => (untilMs.get(a) ?? 0) - (untilMs.get(b) ?? 0))
  const seen = new Set<number>()
  const order: number[] = []
  const add = (at: number) => {
    if (seen.has(at)) return
    seen.add(at)
    for (const each of before[at] ?? []) add(each)
    order.push(at)
  }
  for (const at of sorted) add(at)
  return order
}

function byTime(fits: Fits, createdMs: CreatedMs) {
  return [...fits].map((order) => ({ order, ms: createdMs(order) })).sort((a, b) => a.ms - b.ms)
}

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

/**
 * The requests without the orders that are too early for one that was sent after another's answer, or too late for that other one,
 * whichever of its orders each has.
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

/** The times of the first and the last of some orders; `NaN` where one of them has none. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Unlimited where there are no orders. */
export function spanOf(fits: Fits, createdMs: CreatedMs): Span {
  if (fits.size === 0) return { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const order of fits) {
    fromMs = Math.min(fromMs, createdMs(order))
    toMs = Math.max(toMs, createdMs(order))
  }
  return { fromMs, toMs }
}

/** Between which times the order of each request was made, as the requests before and after it say. A time that is not known says nothing. */
function boundsOf(requests: readonly AnsweredRequest[], spans: readonly Span[]): readonly Span[] {
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
