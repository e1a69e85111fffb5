/**
 * Looks for the last page of a list that does not say how many it has: in steps that double, then by halving what is left. A page after
 * the last has no orders or is refused, or it is the last one again. Pure rules: nothing is read here.
 */
import { type Answer, shareOrders } from './list-page.ts'

interface Numbered {
  readonly number: number
  /** Undefined where the service said that there is such a page, and it has not been read. */
  readonly answer: Answer | undefined
}

/** Where a search is. */
export interface EndSearch {
  /** The page to be read next. */
  readonly next: number
  /** The highest page that has orders of its own, and the one of which that was known before. */
  readonly low: Numbered
  readonly lower: Numbered
  /** The lowest page that is known to come after the last, or where the last is repeated, to be the last or one after it. */
  readonly high: Numbered | undefined
  /** The last page, where the service repeats it. */
  readonly repeated: Answer | undefined
  readonly step: number
}

/**
 * A search that begins behind the pages that are known.
 *
 * @param likely - The page that was the last in an earlier walk, else 0: it is read first.
 */
export function beginSearch(lower: Numbered, low: Numbered, likely: number): EndSearch {
  const next = Math.max(likely, low.number + 1)
  return { next, low, lower, high: undefined, repeated: undefined, step: 1 }
}

/** The search after the page that was to be read next. */
export function searchOn(search: EndSearch, answer: Answer): EndSearch {
  const { low, lower, high, repeated } = search
  const page = { number: search.next, answer }
  if (!high && low.answer && shareOrders(answer, low.answer))
    return { ...search, low: lower, high: low, repeated: answer, next: low.number - 1 }
  if (answer.orders.length === 0 || (repeated && shareOrders(answer, repeated)))
    return { ...search, high: page, next: (low.number + page.number) >> 1 }
  const found = { ...search, low: page, lower: low }
  return high
    ? { ...found, next: (page.number + high.number) >> 1 }
    : { ...found, next: page.number + search.step, step: search.step * 2 }
}

/** The last page; undefined while the search has to go on. */
export function lastPageOf({ low, high, repeated }: EndSearch): number | undefined {
  if (!high || high.number - low.number > 1) return undefined
  return repeated ? high.number : low.number
}
