/** Learns from the answers whether the pages of the list count from 0 or from 1. */
import { ServiceError } from '../../service/errors.ts'
import { type Answer, asRefusal, isRefusal, noPage, shareOrders } from './list-page.ts'
import { mayRefuseSize } from './list-sizes.ts'

/** A page that is refused, or has no orders, may be so by chance: that is believed when the next reading says the same. */
const timesUntilBelieved = 2
/** An outage may last for some readings. */
const failuresUntilBelieved = 5

/** The first page, as far as one reading can tell. */
interface FirstPage {
  readonly number: 0 | 1
  readonly answer: Answer
  /** False where an error has decided, and may not the next time: pages before this one may be missing. */
  readonly isCertain: boolean
}

/** Which page is the first. */
export interface FirstNumber {
  /** Undefined until it is known for good. */
  known(): 0 | 1 | undefined
  /** Reads the first page, until its number is known by asking for both. Rejects with a ServiceError. */
  read(readPage: (number: 0 | 1) => Promise<Answer>): Promise<FirstPage>
  /** To be called when the list has a second page. */
  noteSecond(): void
}

type Tried = Answer | ServiceError

/** Knows nothing at first. */
export function createFirstNumber(): FirstNumber {
  let known: 0 | 1 | undefined
  let hasSecond = false
  /** Whether both numbers were answered with the same page, the only one. */
  let isOnly = false
  let last = { outcome: '', times: 0 }

  /** How often in a row the same has to be found before it counts for good. */
  function timesNeeded(first: Tried, before: Tried): number {
    if (before instanceof ServiceError && !isRefusal(before)) return failuresUntilBelieved
    if (hasNone(first) || hasNone(before)) return timesUntilBelieved
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
    known: () => known,
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
