/**
 * The orders of the last minutes, from one reading of the list for all who ask, so that a busy shop costs the service a few pages
 * and not one request for each order.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { attemptWindow } from '../records/attempts.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import type { OrderList } from './order-list.ts'

/** Up to this many orders are asked for one by one; more are read from the list. */
export const fewOrders = 3
/** Longer than a quote is held, so that whoever has a checkout open mostly finds its order. */
const spanMs = 25 * 60_000
/** A reading serves for so long, and for longer the more pages it took: it never costs more than five pages a second. */
const leastMs = 2_500
const perPageMs = 200

interface RecentOrders {
  /** The order of a bound checkout as it was read a moment ago; undefined when there is no such reading. */
  known(checkout: CheckoutRecord): Order | undefined
  /** Reads anew where it is time to. Undefined when the reading does not show the order, or failed. */
  read(checkout: CheckoutRecord): Promise<Order | undefined>
}

/** @param onFailure - Called once for each reading that failed. */
export function createRecentOrders(
  orderList: OrderList,
  now: () => number,
  onFailure: (error: ServiceError) => void,
): RecentOrders {
  const flight = createSingleFlight<void>()
  let orders: ReadonlyMap<string, Order> = new Map()
  let servesUntilMs = Number.NEGATIVE_INFINITY

  const known = ({ binding }: CheckoutRecord) =>
    binding && now() < servesUntilMs ? orders.get(binding.orderId) : undefined

  async function readList(fromMs: number): Promise<void> {
    const startedAtMs = now()
    orders = new Map()
    servesUntilMs = startedAtMs + leastMs
    try {
      const listing = await orderList.since(fromMs)
      orders = new Map(listing.orders.map((order) => [order.id, order]))
      servesUntilMs = startedAtMs + Math.max(leastMs, listing.pages * perPageMs)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      onFailure(error)
    }
  }

  return {
    known,
    read: async (checkout) => {
      const ageMs = now() - checkout.createdAtMs
      if (ageMs > spanMs) return undefined
      // By the service's clock, which may be another than ours.
      await flight('', async () => {
        if (now() >= servesUntilMs) await readList(orderedSince(checkout) + ageMs - spanMs)
      })
      return known(checkout)
    },
  }
}

/** From when on the list shows the order of a checkout, by the service's clock. */
export function orderedSince(checkout: CheckoutRecord): number {
  return (attemptWindow(checkout)?.fromMs ?? checkout.createdAtMs) - 60_000
}
