/**
 * What the texts of an order say, read once for each order: a thousand searches compare all orders of a reading, and reading a time
 * takes longer than comparing it.
 */
import type { Order } from '../../service/types.ts'
import { intentOf } from '../records/labels.ts'
import type { TimeWindow } from '../records/types.ts'
import { msOf, readTime } from '../time/service-times.ts'
import { isShown } from './agreement.ts'

const minuteMs = 60_000
/** The zones of the world, from the one that is the furthest behind UTC to the one that is the furthest ahead. */
export const zones = { leastMinutes: -12 * 60, mostMinutes: 14 * 60 }

/** What tells when an order was created. */
type Timed = Pick<Order, 'createdAt'> & {
  /** How far its times are ahead of UTC, where they name no zone and it is known which is meant. */
  readonly zoneMinutes?: number
}

/**
 * When an order was created, in ms since the epoch by the service's clock; NaN where that is not readable, names the minute only, or is of a zone
 * that nobody knows.
 */
export const createdAtMs = oncePerOrder(({ createdAt, zoneMinutes = Number.NaN }: Timed) => {
  const time = readTime(createdAt)
  if (!time?.hasSeconds) return Number.NaN
  return msOf(time) - (time.isLocal ? zoneMinutes * minuteMs : 0)
})

/** The latest moment that the time of an order can mean; NaN where it is not readable. */
export const createdByMs = oncePerOrder(({ createdAt, zoneMinutes }: Timed) => {
  const time = readTime(createdAt)
  if (!time) return Number.NaN
  const latestMs = msOf(time) + (time.hasSeconds ? 0 : minuteMs)
  if (!time.isLocal) return latestMs
  // Clocks of a place are set back by an hour once a year.
  return latestMs + (zoneMinutes === undefined ? -zones.leastMinutes : 60 - zoneMinutes) * minuteMs
})

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
