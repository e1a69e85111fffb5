/**
 * Reads the new end of the service's order list, for all who ask, and not more often than a service can be asked. Whether the list is
 * sorted up or down and whether its pages count from 0 or 1 is not stated, so both are found out from what comes.
 */

import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../service/errors.ts'
import type { Order, OrderPage, ServiceClient } from '../../service/types.ts'
import type { Settings } from '../options.ts'
import { serviceTimeMs } from '../time/service-times.ts'

const pageSize = 100
/** Pages read at most in one go, as a bound of memory: 100,000 orders. How often is for `listPagesPerSecond`. */
const maxPages = 1_000
/** Pages that the list can have grown by since it said how many it has. */
const maxNewPages = 20
/** Orders and requests that are remembered: the oldest are forgotten first. */
const maxRemembered = 10_000
/** A reading begins at the earliest so long after the one before, and later the more pages that took. */
const leastMs = 1_000

/** Pages of the list that readings may take in a second: half of the budget, so that creations and single orders have the rest. */
export function listPagesPerSecond({ serviceRequestsPerSecond }: Pick<Settings, 'serviceRequestsPerSecond'>): number {
  return serviceRequestsPerSecond / 2
}

/** What a reading of the list showed. */
export interface Listing {
  /** In no order. */
  readonly orders: readonly Order[]
  /** False when items could not be read, or the list was longer than is read in one go: an order may be missing. */
  readonly isComplete: boolean
  /** Pages that were asked for. */
  readonly pages: number
  /** When the first page was written, by the service's clock; null when it does not say. */
  readonly asOfMs: number | null
}

/** The service's list of orders, read once for all who ask at the same time. */
export interface OrderList {
  /**
   * Reads the orders created since a time by the service's clock; orders without a readable time are included. All who ask in the
   * meantime share the next reading.
   *
   * @param maxAgeMs - How long ago the reading may have begun. Default 0: a new one.
   */
  since(fromMs: number, maxAgeMs?: number): Promise<Listing>
  /** To be called before a creation request is sent: what was listed by then is not its order. */
  noteSending(requestId: string): void
  /** Whether a page that showed the order had been answered when this process sent the request. False for requests of others. */
  wasListedBefore(orderId: string, requestId: string): boolean
}

/** What a reading showed, for all who share it: each takes what it asked for. */
interface Read {
  /** Newest first, after orders without a readable time. */
  readonly whole: Listing
  /** When the orders were created; NaN where that is not readable. */
  readonly timesMs: readonly number[]
}

interface Reading {
  readonly fromMs: number
  readonly beganAtMs: number
  readonly listing: Promise<Read>
}

/** Learns from the answers which way the list is sorted and from which number its pages count. */
export function createOrderList(
  client: Pick<ServiceClient, 'listOrders'>,
  now: () => number,
  sleep: (ms: number) => Promise<void>,
  pagesPerSecond = 5,
): OrderList {
  // Counted, not timed: clocks of two servers say nothing about what came first.
  let pagesAnswered = 0
  const firstListed = new LRUCache<string, number>({ max: maxRemembered })
  const sentAfter = new LRUCache<string, number>({ max: maxRemembered })
  const pages = createPages(client, ({ orders }) => {
    pagesAnswered += 1
    for (const { id } of orders) if (!firstListed.has(id)) firstListed.set(id, pagesAnswered)
  })
  let last: Reading | undefined
  let next: { fromMs: number; readonly listing: Promise<Read> } | undefined

  async function read(fromMs: number): Promise<Read> {
    const orders = new Map<string, Order>()
    const reading: Progress = { isComplete: true, pages: 0, asOfMs: undefined }
    for await (const page of pages.newestFirst(reading)) {
      for (const order of page.orders) orders.set(order.id, order)
      const times = page.orders.map(({ createdAt }) => serviceTimeMs(createdAt)).filter((time) => !Number.isNaN(time))
      if (page.sorted && Math.min(...times) < fromMs) break
    }
    const newestFirst = sortedByTime([...orders.values()])
    const whole = { orders: newestFirst.map(({ order }) => order), ...reading, asOfMs: reading.asOfMs ?? null }
    return { whole, timesMs: newestFirst.map(({ atMs }) => atMs) }
  }

  function begin(fromMs: number): Promise<Read> {
    next = undefined
    last = { fromMs, beganAtMs: now(), listing: read(fromMs) }
    return last.listing
  }

  /** Begins the next reading when the one before has ended, and was long enough ago. */
  async function beginAfter({ beganAtMs, listing }: Reading, wanted: { readonly fromMs: number }): Promise<Read> {
    // Those who asked for a reading know that it failed.
    const pagesRead = await listing.then(
      (read) => read.whole.pages,
      () => 0,
    )
    const waitMs = beganAtMs + Math.max(leastMs, (pagesRead * 1_000) / pagesPerSecond) - now()
    if (waitMs > 0) await sleep(waitMs)
    return begin(wanted.fromMs)
  }

  function join(fromMs: number, maxAgeMs: number): Promise<Read> {
    const ageMs = last ? now() - last.beganAtMs : Number.POSITIVE_INFINITY
    if (last && last.fromMs <= fromMs && (ageMs === 0 || ageMs < maxAgeMs)) return last.listing
    if (!last) return begin(fromMs)
    if (next) {
      next.fromMs = Math.min(next.fromMs, fromMs)
      return next.listing
    }
    const wanted = { fromMs }
    next = Object.assign(wanted, { listing: beginAfter(last, wanted) })
    return next.listing
  }

  return {
    since: async (fromMs, maxAgeMs = 0) => {
      const { whole, timesMs } = await join(fromMs, maxAgeMs)
      const end = timesMs.findIndex((atMs) => atMs < fromMs)
      return end < 0 ? whole : { ...whole, orders: whole.orders.slice(0, end) }
    },
    noteSending: (requestId) => {
      if (!sentAfter.has(requestId)) sentAfter.set(requestId, pagesAnswered)
    },
    wasListedBefore: (orderId, requestId) => {
      const [listed, sent] = [firstListed.get(orderId), sentAfter.get(requestId)]
      return listed !== undefined && sent !== undefined && listed <= sent
    },
  }
}

interface Page {
  readonly orders: readonly Order[]
  /** Whether the pages to come hold older orders only. */
  readonly sorted: boolean
}

/** What a reading finds out on its way. */
interface Progress {
  isComplete: boolean
  pages: number
  /** Undefined before the first page. */
  asOfMs: number | null | undefined
}

/** @param onPage - Called with each page when it is answered. */
function createPages(client: Pick<ServiceClient, 'listOrders'>, onPage: (page: OrderPage) => void) {
  let firstNumber: 0 | 1 | undefined
  let totalPages: number | null = null

  async function readPage(page: number, reading: Progress): Promise<readonly Order[]> {
    reading.pages += 1
    const answer = await client.listOrders({ orderBy: 'created_at', page, size: pageSize })
    onPage(answer)
    if (reading.asOfMs === undefined) reading.asOfMs = answer.timing.serviceDateMs
    totalPages = answer.totalPages
    if (answer.unreadable > 0) reading.isComplete = false
    return answer.orders
  }

  /** The first page; on the way, learns once whether pages count from 0 or 1. */
  async function readFirst(reading: Progress): Promise<readonly Order[]> {
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
    async *newestFirst(reading: Progress): AsyncGenerator<Page> {
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

function sortedByTime(orders: readonly Order[]): { readonly order: Order; readonly atMs: number }[] {
  const timed = orders.map((order) => ({ order, atMs: serviceTimeMs(order.createdAt) }))
  const rank = (atMs: number) => (Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs)
  return timed.sort((a, b) => (rank(a.atMs) === rank(b.atMs) ? 0 : rank(b.atMs) - rank(a.atMs)))
}

function cut(reading: Progress): void {
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
