/** Walks through the pages of the service's order list, from the newest to the oldest, one page at a time. */
import { ServiceError } from '../../service/errors.ts'
import type { Order, OrderPage, ServiceClient } from '../../service/types.ts'
import { createdAtMs } from './facts.ts'

/** Items that are asked for with each page. */
export const pageSize = 100
/** Pages read at most in one go, as a bound of memory: 100,000 orders. How often is for `listPagesPerSecond`. */
const maxPages = 1_000
/** Pages that the list can have grown by since it said how many it has. */
const maxNewPages = 20

/** What is asked for pages. */
export type ListPages = Pick<ServiceClient, 'listOrders'>

/** Which page of the list an answer is. */
export interface PagePlace {
  readonly number: number
  /** The number of the first page; undefined until that is known. */
  readonly firstNumber: 0 | 1 | undefined
}

interface Page {
  readonly orders: readonly Order[]
  /** Whether the pages to come hold older orders only. */
  readonly sorted: boolean
}

/** What a walk learns on its way. */
export interface Progress {
  isComplete: boolean
  pages: number
  /** Undefined before the first page. */
  asOfMs: number | null | undefined
}

/**
 * Reads the next page; undefined after the last. Rejects with a ServiceError where the page cannot be read, and reads that same page
 * when it is called again.
 */
export type Walk = () => Promise<Page | undefined>

/** How the pages of the list are numbered, and how many there are. */
interface Pages {
  read(page: number, progress: Progress): Promise<readonly Order[]>
  /** A page that the list may not reach to: without orders, or refused. */
  readIfAny(page: number, progress: Progress): Promise<readonly Order[]>
  /** The first page; on the way, learns once whether pages count from 0 or 1. */
  readFirst(progress: Progress): Promise<readonly Order[]>
  firstNumber(): number
  /** As the last answer said; null where none does. */
  totalPages(): number | null
}

/**
 * Walks from the newest page to the oldest, whichever way the list is sorted.
 *
 * @param onPage - Called with each page when it is answered.
 */
export function createWalks(
  client: ListPages,
  onPage: (page: OrderPage, place: PagePlace) => void,
): (progress: Progress) => Walk {
  const pages = createPages(client, onPage)
  return (progress) => {
    const state: State = { stage: 'first', first: [], isNewestFirst: false, at: 0, last: 0, newPages: 0, progress }
    return async () => {
      for (;;) {
        const page = await steps[state.stage](state, pages)
        if (page !== 'go on') return page
      }
    }
  }
}

function createPages(client: ListPages, onPage: (page: OrderPage, place: PagePlace) => void): Pages {
  let firstNumber: 0 | 1 | undefined
  /** What the last reading made of a page that was refused. */
  let likely: 0 | 1 | undefined
  let totalPages: number | null = null
  let wasFull = false

  async function read(page: number, progress: Progress): Promise<readonly Order[]> {
    progress.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: pageSize })
    onPage(answer, { number: page, firstNumber })
    if (progress.asOfMs === undefined) progress.asOfMs = answer.timing.serviceDateMs
    totalPages = answer.totalPages
    wasFull = answer.orders.length + answer.unreadable >= (answer.size ?? pageSize)
    if (answer.unreadable > 0) progress.isComplete = false
    return answer.orders
  }

  async function readIfAny(page: number, progress: Progress): Promise<readonly Order[]> {
    const tried = await read(page, progress).catch(asRefusal)
    if (!(tried instanceof ServiceError)) return tried
    if (totalPages !== null && page - number() < totalPages) throw tried
    // After a full page there may be more, and this one may have been refused for another reason.
    if (totalPages === null && wasFull) progress.isComplete = false
    return []
  }

  async function readFirst(progress: Progress): Promise<readonly Order[]> {
    if (firstNumber !== undefined) return read(firstNumber, progress)
    const first = await read(1, progress).catch(asRefusal)
    const before = await read(0, progress).catch(asRefusalOrFailure)
    const [one, zero] = [ordersOf(first), ordersOf(before)]
    // With one page refused and no orders on the other the list is empty; else it could not be read.
    if (before instanceof ServiceError && one.length === 0 && (first instanceof ServiceError || !isRefusal(before)))
      throw before
    const error = [before, first].find((page) => page instanceof ServiceError)
    // Page 0 may be answered with the first page, to which an order may have been added between the two.
    const isSamePage = zero.some(({ id }) => one.some((order) => order.id === id))
    const found = zero.length > 0 && !isSamePage ? 0 : 1
    if (one.length > 0 || zero.length > 0) learn(found, error, progress)
    return zero.length > 0 ? zero : one
  }

  /** A page that is refused once, or fails, may have been the first: that is believed when the next reading says the same. */
  function learn(found: 0 | 1, error: ServiceError | undefined, progress: Progress): void {
    if (!error || (likely === found && isRefusal(error))) firstNumber = found
    else progress.isComplete = false
    likely = error && isRefusal(error) ? found : undefined
  }

  const number = () => firstNumber ?? likely ?? 1
  return { read, readIfAny, readFirst, firstNumber: number, totalPages: () => totalPages }
}

/** With these some services answer a page that the list does not reach to. */
const noSuchPage = [400, 404, 416, 422]

function isRefusal({ status }: ServiceError): boolean {
  return status !== undefined && noSuchPage.includes(status)
}

function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && isRefusal(error)) return error
  throw error
}

/** A negative offset is an error of the database of some. */
function asRefusalOrFailure(error: unknown): ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable' ? error : asRefusal(error)
}

function ordersOf(page: readonly Order[] | ServiceError): readonly Order[] {
  return page instanceof ServiceError ? [] : page
}

/** Where a walk is. It changes only when a page was read, so that a page that could not be read is read the next time. */
interface State {
  stage: Stage
  first: readonly Order[]
  isNewestFirst: boolean
  /** The page that is read next. */
  at: number
  /** The highest page that is known. */
  last: number
  newPages: number
  readonly progress: Progress
}

type Stage = 'first' | 'second' | 'new pages' | 'up' | 'down' | 'end'

type Step = (state: State, pages: Pages) => Promise<Page | 'go on' | undefined>

const steps: Readonly<Record<Stage, Step>> = {
  first: async (state, pages) => {
    state.first = await pages.readFirst(state.progress)
    state.stage = state.first.length > 0 ? 'second' : 'end'
    return 'go on'
  },

  second: async (state, pages) => {
    const from = pages.firstNumber()
    const second = pages.totalPages() === 1 ? [] : await pages.readIfAny(from + 1, state.progress)
    const orders = [...state.first, ...second]
    const direction = directionOf(orders)
    if (direction === 'up' && second.length > 0) {
      state.last = Math.max(from + 1, from + (pages.totalPages() ?? 0) - 1)
      state.stage = 'new pages'
      return 'go on'
    }
    state.stage = second.length > 0 ? 'down' : 'end'
    state.at = from + 2
    state.isNewestFirst = direction === 'down'
    return { orders, sorted: state.isNewestFirst }
  },

  down: async (state, pages) => {
    const from = pages.firstNumber()
    if (state.at >= from + maxPages) return cut(state)
    const total = pages.totalPages()
    const orders = total !== null && state.at >= from + total ? [] : await pages.readIfAny(state.at, state.progress)
    state.at += 1
    if (orders.length > 0) return { orders, sorted: state.isNewestFirst }
    state.stage = 'end'
    return undefined
  },

  /** The list grows while it is read; and a service that answers every number with its last page must not hold us here. */
  'new pages': async (state, pages) => {
    const orders = state.newPages < maxNewPages ? await pages.readIfAny(state.last + 1, state.progress) : []
    state.newPages += 1
    if (orders.length > 0) {
      state.last += 1
      return { orders, sorted: false }
    }
    state.stage = 'up'
    state.at = state.last
    return 'go on'
  },

  up: async (state, pages) => {
    if (state.at <= pages.firstNumber()) {
      state.stage = 'end'
      return { orders: state.first, sorted: true }
    }
    if (state.last - state.at >= maxPages) return cut(state)
    const orders = await pages.read(state.at, state.progress)
    state.at -= 1
    return { orders, sorted: true }
  },

  end: async () => undefined,
}

function cut(state: State): undefined {
  state.progress.isComplete = false
  state.stage = 'end'
}

/** Which way the times of a page run; `unknown` when they are all equal or in no order. */
export function directionOf(orders: readonly Order[]): 'up' | 'down' | 'unknown' {
  const times = orders.map(createdAtMs)
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  const up = steps.some((step) => step > 0)
  const down = steps.some((step) => step < 0)
  return up && !down ? 'up' : down && !up ? 'down' : 'unknown'
}
