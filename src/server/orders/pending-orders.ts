/**
 * Reads the pending orders alone, with the list's `status` filter, where that works. Nothing says that it does, so it is tried beside pages
 * of the whole list, and checked with every such page from then on. What it shows brings a status sooner. What it does not show means
 * nothing: only the whole list says which orders there are.
 */
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'
import { asRefusal, type ListPages, type PagePlace } from './list-reader.ts'

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
  /** Whether all was read, and on one page, so that nothing can have moved between two. */
  readonly isWhole: boolean
}

/** Items that pages of the whole list are asked for, and orders on the longest: the service may give fewer without saying so. */
interface PageForm {
  readonly size: number
  readonly longest: number
}

const none: Reading = { orders: [], pages: 1, isWhole: true }

const isWanted = ({ status }: Order) => status === wanted

/** The filter counts as not tried at first. @param now - Our clock, ms since the epoch. */
export function createPendingOrders(client: ListPages, now: () => number): PendingOrders {
  /** Orders that the whole list showed as pending, and whether behind its first page: there only a filter that works finds them. */
  const known = new LRUCache<string, { readonly isBehindFirst: boolean }>(growingTo(maxKnown))
  /** Orders that a reading should have shown, by the time of that reading. */
  const missed = new LRUCache<string, number>(growingTo(maxKnown))
  let firstNumber: 0 | 1 | undefined
  let form: PageForm = { size: 0, longest: 0 }
  let isWorking = false
  let tryAfterMs = Number.NEGATIVE_INFINITY
  let pagesRead = 1

  function giveUp(): readonly Order[] {
    isWorking = false
    tryAfterMs = now() + triedAgainMs
    missed.clear()
    return []
  }

  /** Whether the filter picked what it should have, as far as is known yet. */
  function isRight({ orders }: Reading): boolean {
    const isBehindFirst = ({ id }: Order) => known.get(id)?.isBehindFirst === true
    return orders.every(isWanted) && (isWorking || orders.some(isBehindFirst))
  }

  /** One that was left out may have changed meanwhile: the next page that shows it tells. */
  function noteMissed({ orders, isWhole }: Reading): void {
    if (!isWhole) return
    const shown = new Set(orders.map(({ id }) => id))
    for (const id of known.keys()) if (!shown.has(id)) missed.set(id, missed.peek(id) ?? now())
  }

  return {
    notePage: (orders, place) => {
      firstNumber = place.firstNumber
      form = { size: place.size, longest: Math.max(form.longest, orders.length) }
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
      const reading = await readPages(client, firstNumber, form).catch((error: unknown) => {
        if (!refusesFilter(error)) throw error
        // Nothing is pending: some say that with 404.
        return isWorking && error.code === 'not_found' ? none : undefined
      })
      if (!reading || !isRight(reading)) return giveUp()
      pagesRead = reading.pages
      isWorking = true
      noteMissed(reading)
      return reading.orders
    },
  }
}

async function readPages(client: ListPages, first: 0 | 1, { size, longest }: PageForm): Promise<Reading> {
  const found = new Map<string, Order>()
  for (let pages = 1; ; pages++) {
    const page = first + pages - 1
    const asked = client.listOrders({ status: wanted, orderBy: 'created_at', page, size })
    const answer = await (pages === 1 ? asked : asked.catch(asRefusal))
    // The list does not reach to it, or it was refused for another reason.
    if (answer instanceof ServiceError) return { orders: [...found.values()], pages, isWhole: false }
    const { orders, unreadable, totalPages } = answer
    const before = found.size
    for (const order of orders) found.set(order.id, order)
    const isLast = orders.length + unreadable < Math.min(longest, answer.size ?? size) || totalPages === pages
    // A page after the last may be answered with the last.
    if (isLast || found.size === before || !orders.every(isWanted) || pages === maxPages)
      return { orders: [...found.values()], pages, isWhole: isLast && pages === 1 && unreadable === 0 }
  }
}

/** A request that took the service too long is refused, too, and that says nothing about the filter. */
function refusesFilter(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.status === 408) return false
  return error.code === 'refused' || error.code === 'not_found'
}
