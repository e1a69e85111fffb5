/**
 * Reads single pages of the service's list, and learns whether pages count from 0 or 1, and which
 * page size the service takes. `list-walk.ts` chooses the pages.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order, OrderPage, ServiceClient } from '../../service/types.ts'
import { policy } from '../core/policy.ts'

/** The list as one walk knows it. Another walk may learn better numbers meanwhile. */
export interface ListShape {
  from: 0 | 1
  first: Answer
  /** Items per page that are asked for. */
  size: number
  /** Count of pages by the last answer; null if it did not say. */
  total: number | null
  readonly progress: Progress
}

/** Reads pages. All functions that read reject with a ServiceError. */
export type PageReader = ReturnType<typeof createPageReader>

/** @param onPage - Called with each page when it is answered. */
export function createPageReader(client: ListClient, onPage: (page: OrderPage) => void) {
  const firstNumber = createFirstNumber()
  let size = largestPageSize
  /** Items on the longest page before the last; 0 until there was one. */
  let longest = 0

  async function ask(progress: Progress, page: number, asked: number): Promise<Answer> {
    progress.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: asked })
    onPage(answer)
    if (progress.asOfMs === undefined) progress.asOfMs = answer.timing.serviceDateMs
    if (answer.unreadable > 0) progress.isComplete = false
    return answerOf(answer, asked)
  }

  async function read(shape: ListShape, page: number): Promise<Answer> {
    const answer = await ask(shape.progress, page, shape.size)
    shape.total = answer.total
    return answer
  }

  return {
    read,
    /** Reads the first page, and learns its number and the size that the service takes. */
    readFirst: (progress: Progress) =>
      atLargestSize(async (asked) => {
        const found = await firstNumber.read((number) => ask(progress, number, asked))
        if (!found.isCertain) progress.isComplete = false
        size = asked
        return { from: found.number, size: asked, first: found.answer, total: found.answer.total }
      }, size),
    /**
     * Reads a page that may not exist. The answer then has no orders, and `isRefused` is true if
     * the service refused it.
     */
    readIfAny: async (shape: ListShape, page: number): Promise<Answer> => {
      const isBeyond = shape.total !== null && page - shape.from >= shape.total
      const tried = await read(shape, page).catch(isBeyond ? asRefusalOrFailure : asRefusal)
      if (!(tried instanceof ServiceError)) return tried
      if (shape.total !== null && !isBeyond) throw tried
      return noPage(true)
    },
    noteSecond: (first: Answer) => {
      firstNumber.noteSecond()
      longest = Math.max(longest, first.count)
    },
    /** Whether a page is full. The service may silently give fewer items than asked for. */
    isFull: (answer: Answer) => answer.count >= Math.min(answer.size, longest || answer.size),
    /** The last page of a list that begins with the oldest order; 0 until it was found. */
    lastFound: 0,
  }
}

/** The answer to page 0 or 1, or the error in its place. */
type Tried = Answer | ServiceError

/** Learns whether the first page has number 0 or 1. */
function createFirstNumber() {
  let known: 0 | 1 | undefined
  let hasSecond = false
  /** Whether both numbers gave the same page, the only one. */
  let isOnly = false
  let last = { outcome: '', times: 0 }

  /** How many readings in a row have to agree before the number counts for good. */
  function timesNeeded(triedOne: Tried, triedZero: Tried): number {
    if (triedZero instanceof ServiceError && !isRefusal(triedZero)) return policy.list.failuresUntilBelieved
    if (hasNone(triedOne) || hasNone(triedZero)) return policy.list.timesUntilBelieved
    // A service that counts from 0 may answer too high a number with its last page. With a single
    // page, both answers are equal and prove nothing.
    const isProven = hasSecond || (pageOf(triedOne).total ?? 0) > 1
    return isProven || !shareOrders(pageOf(triedOne), pageOf(triedZero)) ? 1 : Number.POSITIVE_INFINITY
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
    /**
     * Reads the first page. Asks for page 0 and page 1 until the number is known. Rejects with a
     * ServiceError. `isCertain` is false if only an error decided the number: pages before this one
     * may then be missing.
     */
    read: async (readPage: (number: 0 | 1) => Promise<Answer>) => {
      if (known !== undefined) return { number: known, answer: await readPage(known), isCertain: true }
      const triedOne = await readPage(1).catch(asRefusal)
      const one = pageOf(triedOne)
      if (isOnly && one.total === 1) return { number: 1, answer: one, isCertain: true } as const
      const triedZero = await readPage(0).catch(asRefusalOrFailure)
      const zero = pageOf(triedZero)
      throwIfUnreadable(triedOne, triedZero)
      isOnly = shareOrders(zero, one)
      // Some services give the last page for an unknown number.
      const isLast = zero.number !== null && zero.number > 1 && zero.number === zero.total
      const isZeroFirst = zero.orders.length > 0 && !isOnly && !isLast
      const number: 0 | 1 = isZeroFirst ? 0 : 1
      const isEmpty = hasNone(triedOne) && hasNone(triedZero)
      if (!isEmpty) learn(number, timesNeeded(triedOne, triedZero))
      const hasFailed = !isEmpty && (triedOne instanceof ServiceError || triedZero instanceof ServiceError)
      // Page 1 was refused or is empty: page 0 may show the orders.
      const answer = isZeroFirst || hasNone(triedOne) ? zero : one
      return { number, answer, isCertain: known !== undefined || !hasFailed }
    },
  }
}

/**
 * Throws if both pages failed, or if page 0 failed with more than a refusal and page 1 is empty.
 * One refused page beside an empty one is an empty list.
 */
function throwIfUnreadable(triedOne: Tried, triedZero: Tried): void {
  if (!(triedZero instanceof ServiceError) || !hasNone(triedOne)) return
  // Only if both errors may be about the size, `atLargestSize` tries a smaller one.
  if (triedOne instanceof ServiceError) throw mayRefuseSize(triedOne) ? triedZero : triedOne
  if (!isRefusal(triedZero)) throw triedZero
}

/**
 * Some services that count from 1 answer page 0 with a server error, or with 200 and an error
 * inside.
 */
function asRefusalOrFailure(error: unknown): ServiceError {
  const isFailure = error instanceof ServiceError && ['unavailable', 'invalid_answer'].includes(error.code)
  return isFailure ? error : asRefusal(error)
}

function pageOf(tried: Tried): Answer {
  return tried instanceof ServiceError ? noPage(true) : tried
}

function hasNone(tried: Tried): boolean {
  return pageOf(tried).orders.length === 0
}

/** The part of the service's client that reads pages. */
export type ListClient = Pick<ServiceClient, 'listOrders'>

/** The state of one reading, for its listing. */
export interface Progress {
  isComplete: boolean
  pages: number
  /** The service's time at the first page; null if unknown, undefined before the first page. */
  asOfMs: number | null | undefined
}

/** A page as the service answered it. */
export interface Answer {
  readonly orders: readonly Order[]
  /** Count of items, including unreadable ones. */
  readonly count: number
  /** Items per page by the answer, or else as asked for. */
  readonly size: number
  /** The page's number by the answer; null if it does not say. */
  readonly number: number | null
  /** Count of all pages by the answer; null if it does not say. */
  readonly total: number | null
  readonly isRefused: boolean
}

/** Stands for a page that was refused, or not requested. */
export function noPage(isRefused: boolean): Answer {
  return { orders: [], count: 0, size: 0, number: null, total: null, isRefused }
}

/** @param size - Items per page that were asked for. */
function answerOf({ orders, unreadable, size: told, page, totalPages }: OrderPage, size: number): Answer {
  const count = orders.length + unreadable
  return { orders, count, size: told ?? size, number: page, total: totalPages, isRefused: false }
}

/** Whether two pages have an order in common. */
export function shareOrders({ orders }: Pick<Answer, 'orders'>, other: Pick<Answer, 'orders'>): boolean {
  return orders.some(({ id }) => other.orders.some((order) => order.id === id))
}

/** HTTP statuses with which services answer a page that does not exist. */
const noSuchPage = [400, 404, 416, 422]

/** Whether an error may say that there is no such page. */
function isRefusal({ status }: ServiceError): boolean {
  return status !== undefined && noSuchPage.includes(status)
}

/** Returns an error that may say that there is no such page. @throws Any other error. */
function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && isRefusal(error)) return error
  throw error
}

/** The largest is tried first, because it takes the fewest requests. */
const pageSizes = [100, 50, 20, 10]
const largestPageSize = 100

/** Whether an error may say that the page size is too large. */
function mayRefuseSize(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422)
}

/**
 * Asks with smaller and smaller page sizes until the service accepts one.
 *
 * @param largest - The size that is tried first. Default 100.
 * @throws What `ask` throws. If every size is refused, the first refusal.
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
