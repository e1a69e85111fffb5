/**
 * One walk through the service's list of orders: chooses the pages, from the newest to the oldest.
 * `page-reader.ts` reads a page; `order-list.ts` decides how far a walk goes and who shares it.
 */
import type { Order, OrderPage } from '../../service/types.ts'
import { createdByMs } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import {
  type Answer,
  createPageReader,
  type ListClient,
  type ListShape,
  noPage,
  type PageReader,
  type Progress,
  shareOrders,
} from './page-reader.ts'

/** The search for the last page gives up beyond this number. */
const maxLastPage = 1_000_000

interface Page {
  readonly orders: readonly Order[]
  /** Whether all further pages hold only older orders. */
  readonly sorted: boolean
}

/**
 * Reads the next page; undefined after the last. Rejects with a ServiceError if the page cannot be
 * read. The next call then reads the same page.
 */
export type Walk = () => Promise<Page | undefined>

/** Begins walks. */
export type Walks = ReturnType<typeof createWalks>

/**
 * Makes walks from the newest page to the oldest, whichever way the list is sorted.
 *
 * @param onPage - Called with each page when it is answered.
 */
export function createWalks(client: ListClient, onPage: (page: OrderPage) => void): (progress: Progress) => Walk {
  const pages = createPageReader(client, onPage)
  return (progress) => {
    const state = beginState(progress)
    return async () => {
      for (;;) {
        const page = await steps[state.stage](state, pages)
        if (page !== 'go on') return page
      }
    }
  }
}

/**
 * The position of a walk. It changes only after a page was read, so a failed page is read again.
 */
interface State extends ListShape {
  stage: Stage
  isNewestFirst: boolean
  at: number
  /** The last page, in a list that begins with the oldest order. */
  last: number
  search: EndSearch
  before: Answer
  /** The ids of all orders on pages read so far. */
  readonly met: Set<string>
  /** Whether some page shared no order with the first, which proves several pages. */
  isPaged: boolean
  /** Whether the last page brought nothing new. */
  isRepetition: boolean
}

/** `search` and `up` are for a list that begins with the oldest order, `down` for all others. */
type Stage = 'first' | 'second' | 'search' | 'up' | 'down' | 'repetition' | 'end'

type Step = (state: State, pages: PageReader) => Promise<Page | 'go on' | undefined>

function beginState(progress: Progress): State {
  const page = noPage(false)
  const nowhere = { number: 0, answer: page }
  return {
    stage: 'first',
    from: 1,
    size: 0,
    first: page,
    total: null,
    isNewestFirst: false,
    at: 0,
    last: 0,
    search: beginSearch(nowhere, nowhere, 0),
    before: page,
    met: new Set(),
    isPaged: false,
    isRepetition: false,
    progress,
  }
}

const steps: Readonly<Record<Stage, Step>> = {
  first: async (state, pages) => {
    Object.assign(state, await pages.readFirst(state.progress))
    notePage(state, state.first)
    state.stage = state.first.orders.length > 0 ? 'second' : 'end'
    return 'go on'
  },

  second: async (state, pages) => {
    const { from, first } = state
    const second = isAfterLast(state, pages, first, 1) ? noPage(false) : await readNext(state, pages, from + 1)
    const orders = [...first.orders, ...second.orders]
    const direction = directionOf(orders)
    if (state.isPaged) pages.noteSecond(first)
    if (direction === 'up' && second.orders.length > 0) {
      state.search = searchFrom(state, second, pages.lastFound)
      state.stage = 'search'
      return 'go on'
    }
    state.stage = stageAfter(state, second)
    state.at = from + 2
    state.isNewestFirst = direction === 'down'
    return { orders, sorted: state.isNewestFirst }
  },

  down: async (state, pages) => {
    const { at, from, before } = state
    if (at >= from + policy.list.mostPages) return cut(state)
    const answer = isAfterLast(state, pages, before, at - from) ? noPage(false) : await readNext(state, pages, at)
    state.at += 1
    state.stage = stageAfter(state, answer)
    return { orders: answer.orders, sorted: state.isNewestFirst }
  },

  /**
   * Some services repeat the last page for every higher number, others give one page for all
   * numbers. A number far beyond shows both.
   */
  repetition: async (state, pages) => {
    const far = await pages.readIfAny(state, state.at + policy.list.mostPages)
    state.stage = isRepetition(state, far) ? 'end' : 'down'
    // Pages may be missing: the service announced more, or its only page is full.
    const { total, at, from } = state
    const mayLack = total === null ? !state.isPaged && pages.isFull(state.first) : at - 1 - from < total
    if (state.stage === 'end' && mayLack) state.progress.isComplete = false
    return 'go on'
  },

  search: async (state, pages) => {
    const { from, progress, search } = state
    const isEnd = isAfterLast(state, pages, search.low.answer, search.next - from)
    state.search = searchOn(search, isEnd ? noPage(false) : await pages.readIfAny(state, search.next))
    const { low, high, next } = state.search
    const last = lastPageOf(state.search)
    if (last === undefined) return next > maxLastPage ? cut(state) : 'go on'
    if (high?.answer.isRefused && mayHaveMore(state, pages, low.answer)) progress.isComplete = false
    pages.lastFound = last
    Object.assign(state, { stage: 'up', at: last, last })
    return 'go on'
  },

  up: async (state, pages) => {
    if (state.at <= state.from) {
      state.stage = 'end'
      return { orders: state.first.orders, sorted: true }
    }
    if (state.last - state.at >= policy.list.mostPages) return cut(state)
    const { orders } = await pages.read(state, state.at)
    state.at -= 1
    return { orders, sorted: true }
  },

  end: async () => undefined,
}

/**
 * Reads the next page. Marks the reading as incomplete if a refusal leaves open whether the list
 * ends here.
 */
async function readNext(state: State, pages: PageReader, page: number): Promise<Answer> {
  const answer = await pages.readIfAny(state, page)
  if (answer.isRefused && mayHaveMore(state, pages, state.before)) state.progress.isComplete = false
  if (answer.orders.length > 0) notePage(state, answer)
  return answer
}

/**
 * Whether the service says that the page before was the last. A full page may not be: some services
 * count their pages wrongly.
 *
 * @param index - The number of pages before.
 */
function isAfterLast({ total }: State, pages: PageReader, before: Answer, index: number): boolean {
  return total !== null && index >= total && !pages.isFull(before)
}

function stageAfter({ isRepetition }: State, { orders }: Answer): Stage {
  if (orders.length === 0) return 'end'
  return isRepetition ? 'repetition' : 'down'
}

/**
 * Whether more pages may follow, because this one is full: then a refusal of the next need not mean
 * the end.
 */
function mayHaveMore({ total }: State, pages: PageReader, answer: Answer): boolean {
  return total === null && pages.isFull(answer)
}

/**
 * Whether a page brings nothing new and overlaps the page before: a repetition, or new orders have
 * moved known ones here.
 */
function isRepetition({ met, before }: State, answer: Answer): boolean {
  return answer.orders.every(({ id }) => met.has(id)) && shareOrders(answer, before)
}

function notePage(state: State, answer: Answer): void {
  state.isRepetition = isRepetition(state, answer)
  state.isPaged ||= state.met.size > 0 && !shareOrders(answer, state.first)
  for (const { id } of answer.orders) state.met.add(id)
  state.before = answer
}

/** Begins the search at the last page that the service names, or else where it ended before. */
function searchFrom({ from, first, total }: State, second: Answer, lastFound: number): EndSearch {
  const likely = total === null ? lastFound : from + total - 1
  return beginSearch({ number: from, answer: first }, { number: from + 1, answer: second }, likely)
}

function cut(state: State): undefined {
  state.progress.isComplete = false
  state.stage = 'end'
}

/**
 * The direction in which the times of a page run; `unknown` if they are all equal or in no order.
 */
export function directionOf(orders: readonly Order[]): 'up' | 'down' | 'unknown' {
  const times = orders.map(createdByMs)
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  const up = steps.some((step) => step > 0)
  const down = steps.some((step) => step < 0)
  return up && !down ? 'up' : down && !up ? 'down' : 'unknown'
}

// The search for the last page of a list that does not say how many pages it has: steps that
// double, then halving. A page after the last is empty, refused, or a repetition of the last. These
// rules are pure: the walk reads the pages.

interface Numbered {
  readonly number: number
  readonly answer: Answer
}

interface EndSearch {
  readonly next: number
  /** The highest page known to have orders of its own. */
  readonly low: Numbered
  /** The page that was `low` before. */
  readonly lower: Numbered
  /**
   * The lowest page known to come after the last or, where the service repeats it, the last itself.
   */
  readonly high: Numbered | undefined
  /** The content of the last page, if the service repeats it. */
  readonly repeated: Answer | undefined
  readonly step: number
}

/**
 * A search that begins behind the two known pages.
 *
 * @param likely - The last page of an earlier walk, which is read first; 0 if there is none.
 */
function beginSearch(lower: Numbered, low: Numbered, likely: number): EndSearch {
  const next = Math.max(likely, low.number + 1)
  return { next, low, lower, high: undefined, repeated: undefined, step: 1 }
}

/** The search after page `next` was answered. */
function searchOn(search: EndSearch, answer: Answer): EndSearch {
  const { low, lower, high, repeated } = search
  const page = { number: search.next, answer }
  if (!high && shareOrders(answer, low.answer))
    return { ...search, low: lower, high: low, repeated: answer, next: low.number - 1 }
  if (answer.orders.length === 0 || (repeated && shareOrders(answer, repeated)))
    return { ...search, high: page, next: (low.number + page.number) >> 1 }
  const found = { ...search, low: page, lower: low }
  return high
    ? { ...found, next: (page.number + high.number) >> 1 }
    : { ...found, next: page.number + search.step, step: search.step * 2 }
}

/** The number of the last page; undefined while the search has to go on. */
function lastPageOf({ low, high, repeated }: EndSearch): number | undefined {
  if (!high || high.number - low.number > 1) return undefined
  return repeated ? high.number : low.number
}
