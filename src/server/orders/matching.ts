/**
 * Gives each request an order of its own (augmenting paths), and finds at once all orders that each can have in some way of doing so:
 * a request can have the order of another where the two are on one circle of exchanges (strongly connected components, Tarjan), or
 * where that other one can move on, by exchanges, to an order that is left over.
 */
import type { Fits } from './in-order.ts'

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
