/**
 * Reads the pending orders alone, with the list's `status` filter, where that works. Nothing says that it does, so it is tried beside pages
 * of the whole list, and checked with every such page from then on. What it shows brings a status sooner. What it does not show means
 * nothing: only the whole list says which orders there are.
 */
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { type ListPages, type PagePlace, pageSize } from './list-pages.ts'

/** The status that few orders have, and only for a while: of a deposit that was seen. */
const wanted = 'pending'
/** Pages read at most in one go. */
const maxPages = 10
/** A filter that does not work is tried again after this time. */
const triedAgainMs = 3_600_000
const maxKnown = 10_000

/** The service's pending orders. */
export interface PendingOrders {
  /** To be called with every page of the whole list. */
  notePage(orders: readonly Order[], place: PagePlace): void
  /** Whether the filter works, or can be tried now. */
  isReadable(): boolean
  /** Pages that the last reading took. */
  pages(): number
  /**
   * Reads the pending orders. Resolves with none where the filter turns out not to work. Rejects with a ServiceError that says nothing
   * about the filter.
   */
  read(): Promise<readonly Order[]>
}

interface Reading {
  readonly orders: readonly Order[]
  readonly pages: number
  /** Whether everything was on one page, so that nothing can have moved between two. */
  readonly isOnePage: boolean
}

const isWanted = ({ status }: Order) => status === wanted

/** The filter counts as not tried at first. @param now - Our clock, ms since the epoch. */
export function createPendingOrders(client: ListPages, now: () => number): PendingOrders {
  /** Orders that the whole list showed as pending, and whether behind its first page: there only a filter that works finds them. */
  const known = new LRUCache<string, { readonly isBehindFirst: boolean }>({ max: maxKnown })
  /** Orders that a reading should have shown, by the time of that reading. */
  const missed = new LRUCache<string, number>({ max: maxKnown })
  let firstNumber: 0 | 1 | undefined
  let isWorking = false
  let tryAfterMs = Number.NEGATIVE_INFINITY
  let pagesRead = 1

  function giveUp(): readonly Order[] {
    isWorking = false
    tryAfterMs = now() + triedAgainMs
    missed.clear()
    return []
  }

  async function readPages(first: number): Promise<Reading> {
    const orders: Order[] = []
    for (let pages = 1; ; pages++) {
      const number = first + pages - 1
      const answer = await client.listOrders({ status: wanted, orderBy: 'created_at', page: number, size: pageSize })
      orders.push(...answer.orders)
      const isLast = answer.orders.length < (answer.size ?? pageSize) || answer.totalPages === pages
      if (isLast || !answer.orders.every(isWanted) || pages === maxPages)
        return { orders, pages, isOnePage: isLast && pages === 1 }
    }
  }

  /** Whether the filter picked what it should have, as far as is known yet. */
  function isRight({ orders }: Reading): boolean {
    const isBehindFirst = ({ id }: Order) => known.get(id)?.isBehindFirst === true
    return orders.every(isWanted) && (isWorking || orders.some(isBehindFirst))
  }

  /** One that was left out may have changed meanwhile: the next page that shows it tells. */
  function noteMissed({ orders, isOnePage }: Reading): void {
    if (!isOnePage) return
    const shown = new Set(orders.map(({ id }) => id))
    for (const id of known.keys()) if (!shown.has(id)) missed.set(id, missed.peek(id) ?? now())
  }

  return {
    notePage: (orders, place) => {
      firstNumber = place.firstNumber
      const isBehindFirst = firstNumber !== undefined && place.number > firstNumber
      for (const { id, status, timing } of orders) {
        if (status === wanted) {
          known.set(id, { isBehindFirst })
          if (timing.sentAtMs > (missed.get(id) ?? Number.POSITIVE_INFINITY)) giveUp()
        } else if (known.delete(id)) missed.delete(id)
      }
    },
    isReadable: () => {
      if (firstNumber === undefined || now() < tryAfterMs) return false
      return isWorking || [...known.values()].some(({ isBehindFirst }) => isBehindFirst)
    },
    pages: () => pagesRead,
    read: async () => {
      if (firstNumber === undefined) return []
      try {
        const reading = await readPages(firstNumber)
        pagesRead = reading.pages
        if (!isRight(reading)) return giveUp()
        isWorking = true
        noteMissed(reading)
        return reading.orders
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'refused') return giveUp()
        throw error
      }
    },
  }
}
