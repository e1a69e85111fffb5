/** Walks through the pages of the service's order list, from the newest to the oldest, one page at a time. */
import type { Order, OrderPage } from '../../service/types.ts'
import { createdByMs } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import {
  type Answer,
  beginSearch,
  createPages,
  type EndSearch,
  type ListPages,
  lastPageOf,
  noPage,
  type Pages,
  type Place,
  type Progress,
  searchOn,
  shareOrders,
} from './list-reader.ts'

/** Where the end of a list is looked for at most. */
const maxLastPage = 1_000_000

interface Page {
  readonly orders: readonly Order[]
  /** Whether the pages to come hold older orders only. */
  readonly sorted: boolean
}

/**
 * Reads the next page; undefined after the last. Rejects with a ServiceError where the page cannot be read, and reads that same page
 * when it is called again.
 */
export type Walk = () => Promise<Page | undefined>

/**
 * Walks from the newest page to the oldest, whichever way the list is sorted.
 *
 * @param onPage - Called with each page when it is answered.
 */
export function createWalks(client: ListPages, onPage: (page: OrderPage) => void): (progress: Progress) => Walk {
  const pages = createPages(client, onPage)
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

/** Where a walk is. It changes only when a page was read, so that a page that could not be read is read the next time. */
interface State extends Place {
  stage: Stage
  isNewestFirst: boolean
  /** The page that is read next. */
  at: number
  /** Of a list that begins with the oldest: the last page, and the search for it. */
  last: number
  search: EndSearch
  /** The page before the next, the ids of all, and whether one of them was another than the first. */
  before: Answer
  readonly met: Set<string>
  isPaged: boolean
  /** Whether the page before brought nothing new. */
  isRepetition: boolean
}

type Stage = 'first' | 'second' | 'search' | 'up' | 'down' | 'repetition' | 'end'

type Step = (state: State, pages: Pages) => Promise<Page | 'go on' | undefined>

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
    const second = state.total === 1 ? noPage(false) : await readNext(state, pages, from + 1)
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
    const { at, from, total } = state
    if (at >= from + policy.list.mostPages) return cut(state)
    const answer = total !== null && at >= from + total ? noPage(false) : await readNext(state, pages, at)
    state.at += 1
    state.stage = stageAfter(state, answer)
    return { orders: answer.orders, sorted: state.isNewestFirst }
  },

  /** A service may answer pages after the last with that again, or every number with the same page: then one far away is the same, too. */
  repetition: async (state, pages) => {
    const far = await pages.readIfAny(state, state.at + policy.list.mostPages)
    state.stage = isRepetition(state, far) ? 'end' : 'down'
    // Where every number brings the first page, or fewer pages than there are said to be, the others cannot be read.
    const isUnpaged = !state.isPaged && pages.isFull(state.first)
    if (state.stage === 'end' && (state.total !== null || isUnpaged)) state.progress.isComplete = false
    return 'go on'
  },

  search: async (state, pages) => {
    const { from, progress } = state
    const answer = await pages.readIfAny(state, state.search.next)
    const isAfterLast = answer.total !== null && state.search.next - from >= answer.total
    state.search = searchOn(state.search, isAfterLast ? noPage(false) : answer)
    const { low, high, next } = state.search
    const last = lastPageOf(state.search)
    if (last === undefined) return next > maxLastPage ? cut(state) : 'go on'
    if (high?.answer?.isRefused && low.answer && mayHaveMore(state, pages, low.answer)) progress.isComplete = false
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

/** Reads the page after the one before. Says that the reading is not complete where it cannot tell whether the list ends there. */
async function readNext(state: State, pages: Pages, page: number): Promise<Answer> {
  const answer = await pages.readIfAny(state, page)
  if (answer.isRefused && mayHaveMore(state, pages, state.before)) state.progress.isComplete = false
  if (answer.orders.length > 0) notePage(state, answer)
  return answer
}

function stageAfter({ isRepetition }: State, { orders }: Answer): Stage {
  if (orders.length === 0) return 'end'
  return isRepetition ? 'repetition' : 'down'
}

/** After a full page there may be more: the one after it may have been refused for another reason. */
function mayHaveMore({ total }: State, pages: Pages, answer: Answer): boolean {
  return total === null && pages.isFull(answer)
}

/** Whether a page brings nothing new and overlaps the one before: it is that again, or orders that came have moved it to this number. */
function isRepetition({ met, before }: State, answer: Answer): boolean {
  return answer.orders.every(({ id }) => met.has(id)) && shareOrders(answer, before)
}

function notePage(state: State, answer: Answer): void {
  state.isRepetition = isRepetition(state, answer)
  state.isPaged ||= state.met.size > 0 && !shareOrders(answer, state.first)
  for (const { id } of answer.orders) state.met.add(id)
  state.before = answer
}

/** A search after the last page that the service names, or else after the second. */
function searchFrom({ from, first, total }: State, second: Answer, lastFound: number): EndSearch {
  const two = { number: from + 1, answer: second }
  const told = from + (total ?? 0) - 1
  if (told > two.number) return beginSearch(two, { number: told, answer: undefined }, 0)
  return beginSearch({ number: from, answer: first }, two, total === null ? lastFound : 0)
}

function cut(state: State): undefined {
  state.progress.isComplete = false
  state.stage = 'end'
}

/** Which way the times of a page run; `unknown` when they are all equal or in no order. */
export function directionOf(orders: readonly Order[]): 'up' | 'down' | 'unknown' {
  const times = orders.map(createdByMs)
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  const up = steps.some((step) => step > 0)
  const down = steps.some((step) => step < 0)
  return up && !down ? 'up' : down && !up ? 'down' : 'unknown'
}
