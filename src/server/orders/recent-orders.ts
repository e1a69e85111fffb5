/**
 * The orders of the last minutes, from one reading of the list for all who ask, so that a busy shop costs the service a few pages
 * and not one request for each order.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { attemptWindow } from '../records/attempts.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import type { OrderList } from './order-list.ts'

/** Up to this many orders are asked for one by one; more are read from the list. */
export const fewOrders = 3
/** Longer than a quote is held, so that whoever has a checkout open mostly finds its order. */
const spanMs = 25 * 60_000
/** A reading serves for so long at least, and for longer the more pages it took: see `listPagesPerSecond`. */
const leastMs = 2_500
/** What an earlier reading showed is an answer for so long after its end, while a newer one is under way or has failed. */
const oldestMs = 60_000
/** A poll waits for a newer reading until that has been under way for so long: shortly where an earlier one has an answer. */
const patienceMs = { answered: 50, unanswered: 1_000 } as const

interface RecentOrders {
  /** The order of a bound checkout as it was read a moment ago; undefined when there is no such reading. */
  known(checkout: CheckoutRecord): Order | undefined
  /**
   * Reads anew when it is time to. While a reading takes long or when it fails, the order is as the reading before showed it, up to a
   * minute old. Undefined when no reading shows the order; `not yet` while the first that could is under way.
   */
  read(checkout: CheckoutRecord): Promise<Order | 'not yet' | undefined>
}

/** What the last reading that succeeded showed. */
interface Known {
  readonly orders: ReadonlyMap<string, Order>
  /** When the reading ended. */
  readonly readAtMs: number
}

/** @param onFailure - Called once for each reading that failed. */
export function createRecentOrders(
  orderList: OrderList,
  { now, sleep }: Pick<Context, 'now' | 'sleep'>,
  pagesPerSecond: number,
  onFailure: (error: ServiceError) => void,
): RecentOrders {
  const flight = createSingleFlight<void>()
  let last: Known = { orders: new Map(), readAtMs: Number.NEGATIVE_INFINITY }
  let beganAtMs = Number.NEGATIVE_INFINITY
  let servesUntilMs = Number.NEGATIVE_INFINITY

  function shown({ binding }: CheckoutRecord): Order | undefined {
    return binding && now() < last.readAtMs + oldestMs ? last.orders.get(binding.orderId) : undefined
  }

  async function readList(fromMs: number): Promise<void> {
    beganAtMs = now()
    servesUntilMs = beganAtMs + leastMs
    try {
      const listing = await orderList.since(fromMs)
      last = { orders: new Map(listing.orders.map((order) => [order.id, order])), readAtMs: now() }
      servesUntilMs = beganAtMs + Math.max(leastMs, (listing.pages * 1_000) / pagesPerSecond)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      onFailure(error)
    }
  }

  return {
    known: (checkout) => (now() < servesUntilMs ? shown(checkout) : undefined),
    read: async (checkout) => {
      const ageMs = now() - checkout.createdAtMs
      if (ageMs > spanMs) return undefined
      // By the service's clock, which may be another than ours.
      const reading = flight('', async () => {
        if (now() >= servesUntilMs) await readList(orderedSince(checkout) + ageMs - spanMs)
      })
      const before = shown(checkout)
      const isOver = await endsWithin(reading, before ? patienceMs.answered : patienceMs.unanswered)
      return shown(checkout) ?? (isOver ? undefined : 'not yet')
    },
  }

  /** Whether a reading ends before it has been under way for so long. */
  async function endsWithin(reading: Promise<void>, ms: number): Promise<boolean> {
    const pause = new AbortController()
    const late = sleep(Math.max(0, beganAtMs + ms - now()), pause.signal).then(
      () => false,
      () => true,
    )
    const isOver = await Promise.race([reading.then(() => true), late])
    pause.abort()
    return isOver
  }
}

/** From when on the list shows the order of a checkout, by the service's clock. */
export function orderedSince(checkout: CheckoutRecord): number {
  return (attemptWindow(checkout)?.fromMs ?? checkout.createdAtMs) - 60_000
}
