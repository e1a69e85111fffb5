/**
 * Reads the orders of many checkouts from the list, if that costs fewer requests than asking for
 * each order. Earlier readings show how many pages a reading takes.
 */
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { type OrderList, orderedSince } from '../orders/order-list.ts'
import type { Listing } from '../orders/shared-readings.ts'

const maxLearnt = 20
const ordersPerPage = 100

interface ListReading {
  readonly fromMs: number
  readonly beganAtMs: number
  /** It answers until this time. */
  readonly untilMs: number
}

interface Pace {
  /** A reading answers for this long after its end, in ms. */
  servesMs(): number
  /** Reads, or leaves that to another server. Used for readings that go back `spanMs` or more. */
  inTurn(read: () => Promise<Listing>): Promise<Listing | 'left to another server'>
  /** Time between the beginnings of two readings, in ms for each page of the first. */
  readonly perPageMs: number
  /**
   * A reading goes back at least this far, in ms, if that is quick, so that it also covers
   * checkouts not yet due.
   */
  readonly spanMs: number
}

/**
 * Returns a function that resolves with the orders that a reading shows, by the ids of their
 * checkouts. Orders that it does not show are to be asked for one by one. It rejects with a
 * ServiceError, and resolves with `left to another server` if another server reads: the checkouts
 * are then to be looked at later. `batchesPerSecond` is how often as many checkouts become due; 0:
 * no more.
 */
export function createManyOrders(
  { now, serviceNow }: Context,
  orderList: OrderList,
  { servesMs, inTurn, perPageMs, spanMs }: Pace,
) {
  let reading: ListReading | undefined
  /** How many pages the last readings took, and how far back they went. */
  let learnt: readonly { readonly spanMs: number; readonly pages: number; readonly atMs: number }[] = []

  /**
   * Estimates the pages of a reading from an earlier reading that went as far, or else from the
   * longest.
   */
  function pagesOf(backMs: number, count: number): number {
    const valid = learnt.filter(({ atMs }) => now() - atMs < policy.list.learntForMs)
    const further = valid.filter((each) => each.spanMs >= backMs * 0.8).map(({ pages }) => pages)
    if (further.length > 0) return Math.min(...further)
    const nearer = valid.map(({ pages }) => pages)
    return Math.max(1 + Math.ceil(count / ordersPerPage), ...nearer)
  }

  /**
   * The start of a reading that costs no more requests than asking one by one; undefined if none.
   */
  function worthReadingFrom(unknown: readonly CheckoutRecord[], batchesPerSecond: number): number | undefined {
    const times = unknown.map(orderedSince).sort((a, b) => b - a)
    for (let count = times.length; count > policy.poll.fewOrders; count--) {
      const fromMs = times[count - 1] ?? 0
      const pages = pagesOf(serviceNow() - fromMs, count)
      // This reading also answers for checkouts that become due before the next one begins.
      const batches = Math.max(1, (batchesPerSecond * Math.max(servesMs(), pages * perPageMs)) / 1_000)
      if (pages <= count * batches) return widened(fromMs, count)
    }
    return undefined
  }

  /** The orders that were shown since the reading began, by this reading or by another. */
  function shownOf(bound: readonly CheckoutRecord[], { beganAtMs }: ListReading): ReadonlyMap<string, Order> {
    const shown = new Map<string, Order>()
    for (const { id, binding } of bound) {
      const found = binding ? orderList.shown(binding.orderId) : undefined
      // An order whose status the list does not say is asked for.
      if (found?.order.status && found.atMs >= beganAtMs) shown.set(id, found.order)
    }
    return shown
  }

  /** Moves the start of a reading back to `spanMs`, if that is quick. */
  function widened(fromMs: number, count: number): number {
    const isShort = pagesOf(spanMs, count) * perPageMs <= policy.list.longestReadingMs
    return isShort ? Math.min(fromMs, serviceNow() - spanMs) : fromMs
  }

  async function readFrom(fromMs: number, batchesPerSecond: number): Promise<ListReading | 'left to another server'> {
    const read = () => orderList.since(fromMs, servesMs())
    // A reading in turn serves other servers, so it has to go back as far as theirs. A scheduled
    // job cannot wait for its turn.
    const isForAll = spanMs > 0 && batchesPerSecond > 0 && fromMs <= serviceNow() - spanMs
    const listing = isForAll ? await inTurn(read) : await read()
    if (listing === 'left to another server') return listing
    const { pages, fromMs: readFromMs, beganAtMs, endedAtMs } = listing
    learnt = [{ spanMs: serviceNow() - readFromMs, pages, atMs: now() }, ...learnt].slice(0, maxLearnt)
    // Counted from the reading's own times: a shared reading may have ended some time ago.
    return { fromMs, beganAtMs, untilMs: Math.max(endedAtMs + servesMs(), beganAtMs + pages * perPageMs) }
  }

  return async (bound: readonly CheckoutRecord[], batchesPerSecond: number) => {
    if (reading && now() >= reading.untilMs) reading = undefined
    const readSince = reading?.fromMs ?? Number.POSITIVE_INFINITY
    const unknown = bound.filter((checkout) => orderedSince(checkout) < readSince)
    const fromMs = worthReadingFrom(unknown, batchesPerSecond)
    if (fromMs !== undefined) {
      const next = await readFrom(fromMs, batchesPerSecond)
      if (next === 'left to another server') return next
      reading = next
    }
    return reading ? shownOf(bound, reading) : new Map<string, Order>()
  }
}
