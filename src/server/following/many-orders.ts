/**
 * Reads the orders of many checkouts from the list, if that costs fewer requests than asking for each. How many pages a reading takes
 * is learnt from earlier readings.
 */
import type { Order } from '../../service/types.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord } from '../core/types.ts'

import type { Listing, OrderList } from '../orders/order-list.ts'
import { orderedSince } from '../orders/recent-orders.ts'

const maxLearnt = 20
const ordersPerPage = 100

interface ManyOrders {
  /**
   * The orders that a reading shows, by the ids of their checkouts. The others are to be asked for one by one.
   *
   * @param perSecond - How many times in a second as many become due; 0 where these are all.
   * @returns `left to another server` where another server reads: then they are to be looked at later. Rejects with a ServiceError.
   */
  read(
    bound: readonly CheckoutRecord[],
    perSecond: number,
  ): Promise<ReadonlyMap<string, Order> | 'left to another server'>
}

interface ListReading {
  readonly fromMs: number
  readonly beganAtMs: number
  readonly untilMs: number
}

interface Learnt {
  readonly spanMs: number
  readonly pages: number
  readonly atMs: number
}

interface Pace {
  /** A reading serves for this long after its end, and for longer the more pages it took, in ms. */
  servesMs(): number
  /** Reads, or leaves that to another server. Only for what goes as far back as `spanMs`. */
  inTurn(read: () => Promise<Listing>): Promise<Listing | 'left to another server'>
  /** From the beginning of a reading to that of the next, for each page that it took, in ms. */
  readonly perPageMs: number
  /** A reading goes at least this far back, in ms, where that does not take too long, so that it also covers checkouts not yet due. */
  readonly spanMs: number
}

/** @param clock - Our time, and the service's, by which its orders are dated. */
export function createManyOrders(
  orderList: OrderList,
  { now, serviceNow }: { now(): number; serviceNow(): number },
  { servesMs, inTurn, perPageMs, spanMs }: Pace,
): ManyOrders {
  let reading: ListReading | undefined
  let learnt: readonly Learnt[] = []

  /** Pages that a reading takes: as many as one that went as far, else more than any that did not. */
  function pagesOf(backMs: number, count: number): number {
    const valid = learnt.filter(({ atMs }) => now() - atMs < policy.list.learntForMs)
    const further = valid.filter((each) => each.spanMs >= backMs * 0.8).map(({ pages }) => pages)
    if (further.length > 0) return Math.min(...further)
    const nearer = valid.map(({ pages }) => pages)
    return Math.max(1 + Math.ceil(count / ordersPerPage), ...nearer)
  }

  /** From when on to read, as far back as pays; undefined if it does not pay. */
  function worthReadingFrom(unknown: readonly CheckoutRecord[], perSecond: number): number | undefined {
    const times = unknown.map(orderedSince).sort((a, b) => b - a)
    for (let count = times.length; count > policy.poll.fewOrders; count--) {
      const fromMs = times[count - 1] ?? 0
      const pages = pagesOf(serviceNow() - fromMs, count)
      // More become due before the next reading, the later the more pages this one takes.
      const turns = Math.max(1, (perSecond * Math.max(servesMs(), pages * perPageMs)) / 1_000)
      if (pages <= count * turns) return widened(fromMs, count)
    }
    return undefined
  }

  /** Those that were shown since the reading began, by this one or by one that others caused. */
  function shownOf(bound: readonly CheckoutRecord[], { beganAtMs }: ListReading): ReadonlyMap<string, Order> {
    const shown = new Map<string, Order>()
    for (const { id, binding } of bound) {
      const found = binding ? orderList.shown(binding.orderId) : undefined
      if (found && found.atMs >= beganAtMs) shown.set(id, found.order)
    }
    return shown
  }

  function widened(fromMs: number, count: number): number {
    const isShort = pagesOf(spanMs, count) * perPageMs <= policy.list.longestReadingMs
    return isShort ? Math.min(fromMs, serviceNow() - spanMs) : fromMs
  }

  async function readFrom(fromMs: number, perSecond: number): Promise<ListReading | 'left to another server'> {
    const read = () => orderList.since(fromMs, servesMs())
    // Other servers rely on a reading in turn. One that goes less far back is not theirs, and one of a scheduled job cannot wait for its turn.
    const isForAll = spanMs > 0 && perSecond > 0 && fromMs <= serviceNow() - spanMs
    const listing = isForAll ? await inTurn(read) : await read()
    if (listing === 'left to another server') return listing
    const { pages, fromMs: readFromMs, beganAtMs, endedAtMs } = listing
    learnt = [{ spanMs: serviceNow() - readFromMs, pages, atMs: now() }, ...learnt].slice(0, maxLearnt)
    // One that others caused has only the rest of its life: with a new one, a status could be twice as old.
    return { fromMs, beganAtMs, untilMs: Math.max(endedAtMs + servesMs(), beganAtMs + pages * perPageMs) }
  }

  return {
    read: async (bound, perSecond) => {
      if (reading && now() >= reading.untilMs) reading = undefined
      const readSince = reading?.fromMs ?? Number.POSITIVE_INFINITY
      const unknown = bound.filter((checkout) => orderedSince(checkout) < readSince)
      const fromMs = worthReadingFrom(unknown, perSecond)
      if (fromMs !== undefined) {
        const next = await readFrom(fromMs, perSecond)
        if (next === 'left to another server') return next
        reading = next
      }
      return reading ? shownOf(bound, reading) : new Map()
    },
  }
}
