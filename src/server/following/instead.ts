/** What the list says of an order whose details cannot be had. */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import type { OrderList } from '../orders/order-list.ts'
import { orderedSince, type RecentOrders, recentMs } from '../orders/recent-orders.ts'
import type { CheckoutRecord } from '../records/types.ts'
import type { ReportUnread } from './report-unread.ts'

/** A reading back to an old order serves for this long. */
const oldServesMs = 60_000

/**
 * Resolves with `not yet` while the list is being read, and with undefined where it does not show the order, or cannot be read: that is
 * reported.
 */
type ReadInstead = (checkout: CheckoutRecord, orderId: string) => Promise<Order | 'not yet' | undefined>

/** Reads the list as far back as an order needs. Sends nothing while the list is held off. */
type ReadBack = (checkout: CheckoutRecord, orderId: string, maxAgeMs: number) => Promise<Order | undefined>

/** Resolves with undefined where the list does not show the order, or cannot be read: that is reported. */
export function createReadBack(
  { gate }: Pick<Context, 'gate'>,
  orderList: Pick<OrderList, 'since'>,
  reportUnread: ReportUnread,
): ReadBack {
  return async (checkout, orderId, maxAgeMs) => {
    if (gate.heldMs('list') > 0) return undefined
    try {
      const { orders } = await orderList.since(orderedSince(checkout), maxAgeMs)
      return orders.find(({ id }) => id === orderId)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      reportUnread('The order list', error)
      return undefined
    }
  }
}

/** Reads the list back to an old order, too: nothing else finds out that it was paid. Sends nothing while the list is held off. */
export function createReadInstead(
  { gate, now }: Pick<Context, 'gate' | 'now'>,
  recent: Pick<RecentOrders, 'read'>,
  readBack: ReadBack,
): ReadInstead {
  return async (checkout, orderId) => {
    if (gate.heldMs('list') > 0) return undefined
    return now() - checkout.createdAtMs > recentMs ? readBack(checkout, orderId, oldServesMs) : recent.read(checkout)
  }
}
