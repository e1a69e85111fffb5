/** Reads single pages for the walks through the list, and keeps what one walk learns for the next. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order, OrderPage, ServiceClient } from '../../service/types.ts'
import { policy } from '../core/policy.ts'

/** How a walk numbers its pages. Other walks may learn better numbers meanwhile. */
export interface Place {
  /** The number of the first page, and the first page. */
  from: 0 | 1
  first: Answer
  /** Items that are asked for. */
  size: number
  /** Pages of the list, as the last answer said; null where it did not. */
  total: number | null
  readonly progress: Progress
}

/** The pages of the list. All of its functions that read reject with a ServiceError. */
export interface Pages {
  /** The first page. On the way, learns its number, and which size the service takes. */
  readFirst(progress: Progress): Promise<Omit<Place, 'progress'>>
  read(place: Place, page: number): Promise<Answer>
  /** A page that the list may not reach to: without orders, or refused. */
  readIfAny(place: Place, page: number): Promise<Answer>
  /** To be called when there are more pages after the first. */
  noteSecond(first: Answer): void
  /** Whether a page has as many orders as fit. The service may give fewer than it is asked for without saying so. */
  isFull(answer: Answer): boolean
  /** The last page of a list that is sorted from the oldest to the newest; 0 until one was found. */
  lastFound: number
}

/** Has learnt nothing at first. @param onPage - Called with each page when it is answered. */
export function createPages(client: ListPages, onPage: (page: OrderPage) => void): Pages {
  const firstNumber = createFirstNumber()
  let size = largestPageSize
  /** Items on the longest page that others come after; 0 until there was one. */
  let longest = 0

  async function ask(progress: Progress, page: number, asked: number): Promise<Answer> {
    progress.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: asked })
    onPage(answer)
    if (progress.asOfMs === undefined) progress.asOfMs = answer.timing.serviceDateMs
    if (answer.unreadable > 0) progress.isComplete = false
    return answerOf(answer, asked)
  }

  async function read(place: Place, page: number): Promise<Answer> {
    const answer = await ask(place.progress, page, place.size)
    place.total = answer.total
    return answer
  }

  return {
    read,
    readFirst: (progress) =>
      atLargestSize(async (asked) => {
        const found = await firstNumber.read((number) => ask(progress, number, asked))
        if (!found.isCertain) progress.isComplete = false
        size = asked
        return { from: found.number, size: asked, first: found.answer, total: found.answer.total }
      }, size),
    readIfAny: async (place, page) => {
      const tried = await read(place, page).catch(asRefusal)
      if (!(tried instanceof ServiceError)) return tried
      if (place.total !== null && page - place.from < place.total) throw tried
      return noPage(true)
    },
    noteSecond: (first) => {
      firstNumber.noteSecond()
      longest = Math.max(longest, first.count)
    },
    isFull: (answer) => answer.count >= Math.min(answer.size, longest || answer.size),
    lastFound: 0,
  }
}

// Looks for the last page of a list that does not say how many it has: in steps that double, then by halving what is left. A page after the
// last has no orders or is refused, or it is the last one again. Pure rules: nothing is read here.

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

/** The first page, as far as one reading can tell. */
interface FirstPage {
  readonly number: 0 | 1
  readonly answer: Answer
  /** False where an error has decided, and may not the next time: pages before this one may be missing. */
  readonly isCertain: boolean
}

/** Which page is the first. */
interface FirstNumber {
  /** Reads the first page, until its number is known by asking for both. Rejects with a ServiceError. */
  read(readPage: (number: 0 | 1) => Promise<Answer>): Promise<FirstPage>
  /** To be called when the list has a second page. */
  noteSecond(): void
}

type Tried = Answer | ServiceError

/** Knows nothing at first. */
function createFirstNumber(): FirstNumber {
  let known: 0 | 1 | undefined
  let hasSecond = false
  /** Whether both numbers were answered with the same page, the only one. */
  let isOnly = false
  let last = { outcome: '', times: 0 }

  /** How often in a row the same has to be found before it counts for good. */
  function timesNeeded(first: Tried, before: Tried): number {
    if (before instanceof ServiceError && !isRefusal(before)) return policy.list.failuresUntilBelieved
    if (hasNone(first) || hasNone(before)) return policy.list.timesUntilBelieved
    // A service that counts from 0 may answer 1 with the last page, which is page 0 until there is a second.
    const isProven = hasSecond || (pageOf(first).total ?? 0) > 1
    return isProven || !shareOrders(pageOf(first), pageOf(before)) ? 1 : Number.POSITIVE_INFINITY
  }

  function learn(number: 0 | 1, needed: number): void {
    const outcome = `${number} ${needed}`
    last = { outcome, times: outcome === last.outcome ? last.times + 1 : 1 }
    if (last.times >= needed) known = number
  }

  return {
    noteSecond: () => {
      hasSecond = true
    },
    read: async (readPage) => {
      if (known !== undefined) return { number: known, answer: await readPage(known), isCertain: true }
      const first = await readPage(1).catch(asRefusal)
      const one = pageOf(first)
      if (isOnly && one.total === 1) return { number: 1, answer: one, isCertain: true }
      const before = await readPage(0).catch(asRefusalOrFailure)
      const zero = pageOf(before)
      throwIfUnreadable(first, before)
      isOnly = shareOrders(zero, one)
      const isFirst = zero.orders.length > 0 && !isOnly && !saysLast(zero)
      const number = isFirst ? 0 : 1
      const isEmpty = hasNone(first) && hasNone(before)
      if (!isEmpty) learn(number, timesNeeded(first, before))
      const hasFailed = !isEmpty && (first instanceof ServiceError || before instanceof ServiceError)
      // Where page 1 is refused, page 0 may show the same.
      const answer = isFirst || hasNone(first) ? zero : one
      return { number, answer, isCertain: known !== undefined || !hasFailed }
    },
  }
}

/** With one page refused and no orders on the other the list is empty; else it could not be read. */
function throwIfUnreadable(first: Tried, before: Tried): void {
  if (!(before instanceof ServiceError) || !hasNone(first)) return
  // That of a size which is refused has to be refused as both pages were.
  if (first instanceof ServiceError) throw mayRefuseSize(first) ? before : first
  if (!isRefusal(before)) throw before
}

/** Page 0 may be answered with the last page. */
function saysLast({ number, total }: Answer): boolean {
  return number !== null && number > 1 && number === total
}

/** A negative offset is an error of the database of some. */
function asRefusalOrFailure(error: unknown): ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable' ? error : asRefusal(error)
}

function pageOf(tried: Tried): Answer {
  return tried instanceof ServiceError ? noPage(true) : tried
}

function hasNone(tried: Tried): boolean {
  return pageOf(tried).orders.length === 0
}

/** What is asked for pages. */
export type ListPages = Pick<ServiceClient, 'listOrders'>

/** What a walk learns on its way. */
export interface Progress {
  isComplete: boolean
  pages: number
  /** Undefined before the first page. */
  asOfMs: number | null | undefined
}

/** A page as it was answered. */
export interface Answer {
  readonly orders: readonly Order[]
  /** Items, with those that cannot be read. */
  readonly count: number
  /** Items that a page has, as far as the answer says. */
  readonly size: number
  /** The page's number in the service's words; null where it does not say. */
  readonly number: number | null
  /** Pages of the whole list; null where the service does not say. */
  readonly total: number | null
  readonly isRefused: boolean
}

/** In place of a page that was refused, or not asked for. */
export function noPage(isRefused: boolean): Answer {
  return { orders: [], count: 0, size: 0, number: null, total: null, isRefused }
}

/** What a walk needs of a page. @param size - Items that were asked for. */
function answerOf({ orders, unreadable, size: told, page, totalPages }: OrderPage, size: number): Answer {
  const count = orders.length + unreadable
  return { orders, count, size: told ?? size, number: page, total: totalPages, isRefused: false }
}

/** Whether some order is on both. */
export function shareOrders({ orders }: Pick<Answer, 'orders'>, other: Pick<Answer, 'orders'>): boolean {
  return orders.some(({ id }) => other.orders.some((order) => order.id === id))
}

/** With these some services answer a page that the list does not reach to. */
const noSuchPage = [400, 404, 416, 422]

/** Whether an error may say that there is no such page. */
function isRefusal({ status }: ServiceError): boolean {
  return status !== undefined && noSuchPage.includes(status)
}

/** The error, if it may say that there is no such page. @throws The error, if it may not. */
export function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && isRefusal(error)) return error
  throw error
}

/** The largest is tried first, because it takes the fewest requests. */
const pageSizes = [100, 50, 20, 10]

/** The size that is tried first. */
const largestPageSize = 100

/** With these a service may say that a page has too many items. */
function mayRefuseSize(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422)
}

/**
 * Asks with smaller and smaller sizes while that is refused.
 *
 * @param largest - The first to be tried. Default 100.
 * @throws What `ask` throws; the first refusal where no size is accepted.
 */
export async function atLargestSize<Result>(
  ask: (size: number) => Promise<Result>,
  largest = largestPageSize,
): Promise<Result> {
  const refusals: unknown[] = []
  for (const size of pageSizes.filter((each) => each <= largest)) {
    try {
      return await ask(size)
    } catch (error) {
      if (!mayRefuseSize(error)) throw error
      refusals.push(error)
    }
  }
  throw refusals[0]
}

/** For the merchant's `onError`. @param what - Begins the sentence, such as `The order list`. */
export function unread(what: string, cause: ServiceError): PaywindowError {
  const code = cause.code === 'invalid_answer' ? 'service_invalid' : 'service_unavailable'
  return new PaywindowError(code, `${what} could not be read: ${cause.message}`, { cause })
}

/** Whether the service has answered, and will most likely give the same answer again. */
export function isLasting({ code }: ServiceError): boolean {
  return code === 'invalid_answer' || code === 'forbidden' || code === 'refused'
}

/** What a reading of the list showed. */
export interface Listing {
  /** Newest first, after orders without a readable time. */
  readonly orders: readonly Order[]
  /** False when items could not be read, the list was longer than is read in one go, or it lacks what it had shown: an order may be missing. */
  readonly isComplete: boolean
  /** Pages that were asked for. */
  readonly pages: number
  /** How far back it went, by the service's clock. */
  readonly fromMs: number
  /** When the first page was written, by the service's clock; null when it does not say. */
  readonly asOfMs: number | null
  /** When its first page was asked for, and when its last was answered, by our clock. */
  readonly beganAtMs: number
  readonly endedAtMs: number
}
