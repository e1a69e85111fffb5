/**
 * What the texts of an order say, read once for each order: a thousand searches compare all orders of a reading, and reading a time
 * takes longer than comparing it.
 */
import type { Order } from '../../service/types.ts'
import { intentOf } from '../records/labels.ts'
import type { TimeWindow } from '../records/types.ts'
import { serviceTimeMs } from '../time/service-times.ts'
import { isShown } from './agreement.ts'

/** When an order was created, in ms since the epoch by the service's clock; NaN where that is not readable. */
export const createdAtMs = oncePerOrder(({ createdAt }: Pick<Order, 'createdAt'>) => serviceTimeMs(createdAt))

/** The label of the requests that could have made an order. */
export const labelOf = oncePerOrder(
  ({ sourceAsset, targetAsset, targetAmount }: Pick<Order, 'sourceAsset' | 'targetAsset' | 'targetAmount'>) =>
    intentOf(sourceAsset ?? '?', targetAsset ?? '?', targetAmount ?? '?'),
)

/** Whether an order shows both of its amounts. */
export const showsAmounts = oncePerOrder(
  ({ sourceAmount, targetAmount }: Pick<Order, 'sourceAmount' | 'targetAmount'>) =>
    isShown(sourceAmount) && isShown(targetAmount),
)

/** Whether an order was created in a window; false where its time is not readable, or there is no window. */
export function wasCreatedIn(order: Pick<Order, 'createdAt'>, window: TimeWindow | null): boolean {
  const atMs = createdAtMs(order)
  return window !== null && atMs >= window.fromMs && atMs <= window.toMs
}

/**
 * Orders never change, so what was read from one holds as long as it is there. It is kept in the order, where no copy takes it along: with a
 * WeakMap of all orders a collection of garbage takes longer.
 */
function oncePerOrder<Part extends object, Value>(read: (order: Part) => Value): (order: Part) => Value {
  const kept = Symbol('read once')
  return (order: Part & { [kept]?: Value }) => {
    const before = order[kept]
    if (before !== undefined) return before
    const value = read(order)
    Object.defineProperty(order, kept, { value })
    return value
  }
}
