/** Reads single pages for the walks through the list, and keeps what one walk learns for the next. */
import { ServiceError } from '../../service/errors.ts'
import type { OrderPage } from '../../service/types.ts'
import { createFirstNumber } from './list-first.ts'
import { type Answer, answerOf, asRefusal, type ListPages, noPage, type PagePlace, type Progress } from './list-page.ts'
import { atLargestSize, largestPageSize } from './list-sizes.ts'

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
export function createPages(client: ListPages, onPage: (page: OrderPage, place: PagePlace) => void): Pages {
  const firstNumber = createFirstNumber()
  let size = largestPageSize
  /** Items on the longest page that others come after; 0 until there was one. */
  let longest = 0

  async function ask(progress: Progress, page: number, asked: number): Promise<Answer> {
    progress.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: asked })
    onPage(answer, { number: page, firstNumber: firstNumber.known(), size: asked })
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
