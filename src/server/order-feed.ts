/**
 * Reads the new end of the service's order list. Whether the list is sorted up or down and whether its pages count from 0 or 1
 * is not stated, so both are found out from what comes.
 */

import { ServiceError } from '../service/errors.ts'
import type { Order, ServiceClient } from '../service/types.ts'
import { serviceTimeMs } from './evidence.ts'

const pageSize = 100
/** Pages read at most in one go: more would be a burden for the service. */
const maxPages = 100
/** Pages that the list can have grown by since it told how many it has. */
const maxNewPages = 20
/** Orders whose first listing is remembered. */
const maxRemembered = 10_000

/** What a reading of the list showed. */
interface Listing {
  /** In no order. */
  readonly orders: readonly Order[]
  /** False when items could not be read, or the list was longer than is read in one go: an order may be missing. */
  readonly isComplete: boolean
  /** Pages that were asked for. */
  readonly pages: number
}

export interface OrderFeed {
  /** Reads the orders created since a time by the service's clock; orders without a readable time are included. */
  since(fromMs: number): Promise<Listing>
  /** When each order was first listed, by our clock: an order listed before a request was sent is not its answer. */
  firstListedAt(orderId: string): number | undefined
}

export function createOrderFeed(client: Pick<ServiceClient, 'listOrders'>, now: () => number): OrderFeed {
  const firstListed = new Map<string, number>()
  const pages = createPages(client)
  let inFlight: { fromMs: number; listing: Promise<Listing> } | undefined

  async function read(fromMs: number): Promise<Listing> {
    const startedAt = now()
    const orders = new Map<string, Order>()
    const reading = { isComplete: true, pages: 0 }
    for await (const page of pages.newestFirst(reading)) {
      for (const order of page.orders) orders.set(order.id, order)
      const times = page.orders.map(({ createdAt }) => serviceTimeMs(createdAt)).filter((time) => !Number.isNaN(time))
      if (page.sorted && Math.min(...times) < fromMs) break
    }
    for (const id of orders.keys()) if (!firstListed.has(id)) firstListed.set(id, startedAt)
    for (const id of firstListed.keys()) {
      if (firstListed.size <= maxRemembered) break
      firstListed.delete(id)
    }
    const recent = [...orders.values()].filter(({ createdAt }) => !(serviceTimeMs(createdAt) < fromMs))
    return { orders: recent, ...reading }
  }

  return {
    since: (fromMs) => {
      // One reading at a time serves all who ask for no more than it reads.
      if (inFlight && inFlight.fromMs <= fromMs) return inFlight.listing
      const listing = read(fromMs).finally(() => {
        if (inFlight?.listing === listing) inFlight = undefined
      })
      inFlight = { fromMs, listing }
      return listing
    },
    firstListedAt: (orderId) => firstListed.get(orderId),
  }
}

interface Page {
  readonly orders: readonly Order[]
  /** Whether the pages to come hold older orders only. */
  readonly sorted: boolean
}

/** What a reading finds out on its way. */
interface Reading {
  isComplete: boolean
  pages: number
}

function createPages(client: Pick<ServiceClient, 'listOrders'>) {
  let firstNumber: 0 | 1 | undefined
  let totalPages: number | null = null

  async function readPage(page: number, reading: Reading): Promise<readonly Order[]> {
    reading.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: pageSize })
    totalPages = answer.totalPages
    if (answer.unreadable > 0) reading.isComplete = false
    return answer.orders
  }

  /** The first page; on the way, learns once whether pages count from 0 or 1. */
  async function readFirst(reading: Reading): Promise<readonly Order[]> {
    if (firstNumber !== undefined) return readPage(firstNumber, reading)
    const one = await readPage(1, reading)
    const zero = await readPage(0, reading).catch((error: unknown) => {
      // A service that counts from 1 may answer page 0 with an error.
      if (error instanceof ServiceError && error.code === 'refused') return []
      throw error
    })
    // Page 0 may be answered with the first page, to which an order may have been added between the two.
    const isSamePage = zero.some(({ id }) => one.some((order) => order.id === id))
    if (zero.length > 0 && !isSamePage) firstNumber = 0
    else if (one.length > 0) firstNumber = 1
    return zero.length > 0 ? zero : one
  }

  return {
    async *newestFirst(reading: Reading): AsyncGenerator<Page> {
      const first = await readFirst(reading)
      if (first.length === 0) return
      const from = firstNumber ?? 1
      const second = totalPages === 1 ? [] : await readPage(from + 1, reading)
      const direction = directionOf([...first, ...second])
      if (direction === 'up' && second.length > 0) {
        let last = totalPages === null ? from + 1 : Math.max(from + 1, from + totalPages - 1)
        // The list grows while it is read; and a service that answers every number with its last page must not hold us here.
        for (let walked = 0; walked < maxNewPages; walked++) {
          const orders = await readPage(last + 1, reading)
          if (orders.length === 0) break
          yield { orders, sorted: false }
          last++
        }
        for (let page = last; page > from; page--) {
          if (last - page >= maxPages) return cut(reading)
          yield { orders: await readPage(page, reading), sorted: true }
        }
        yield { orders: first, sorted: true }
        return
      }
      const sorted = direction === 'down'
      yield { orders: first, sorted }
      if (second.length > 0) yield { orders: second, sorted }
      for (let page = from + 2; second.length > 0; page++) {
        if (page >= from + maxPages) return cut(reading)
        const orders = totalPages !== null && page >= from + totalPages ? [] : await readPage(page, reading)
        if (orders.length === 0) return
        yield { orders, sorted }
      }
    },
  }
}

function cut(reading: Reading): void {
  reading.isComplete = false
}

/** Which way the times of a page run; `unknown` when they are all equal or in no order. */
function directionOf(orders: readonly Order[]): 'up' | 'down' | 'unknown' {
  const times = orders.map(({ createdAt }) => serviceTimeMs(createdAt))
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  const up = steps.some((step) => step > 0)
  const down = steps.some((step) => step < 0)
  return up && !down ? 'up' : down && !up ? 'down' : 'unknown'
}
