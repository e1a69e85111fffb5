/**
 * Facts in the texts of an order: time, label, amounts. Each is read once and kept, because many
 * searches compare the same orders.
 */
import type { Order } from '../../service/types.ts'
import { isShown, showsCreation } from './agreement.ts'
import { policy } from './policy.ts'
import { isLocalTime, msOf, readTime } from './service-times.ts'
import { type CheckoutRecord, intentOf, type TimeWindow } from './types.ts'

const minuteMs = 60_000
/** 2001: an earlier time is a program's word for no time, such as Go's year 1. */
const firstMs = 978_307_200_000

type Timed = Pick<Zoned, 'createdAt' | 'zoneMinutes'>

/**
 * When an order was created, in ms since the epoch by the service's clock. NaN where the text is
 * not readable, names no second, or is in a zone that is not known.
 */
export const createdAtMs = oncePerOrder(({ createdAt, zoneMinutes = Number.NaN }: Timed) => {
  const time = readTime(createdAt)
  if (!time?.hasSeconds || time.secondMs < firstMs) return Number.NaN
  return msOf(time) - (time.isLocal ? zoneMinutes * minuteMs : 0)
})

/** The latest moment that the time of an order can mean; NaN where the text is not readable. */
export const createdByMs = oncePerOrder(({ createdAt, zoneMinutes }: Timed) => {
  const time = readTime(createdAt)
  if (!time || time.secondMs < firstMs) return Number.NaN
  const latestMs = msOf(time) + (time.hasSeconds ? 0 : minuteMs)
  if (!time.isLocal) return latestMs
  // The end of summer time sets local clocks back by an hour.
  return latestMs + (zoneMinutes === undefined ? -policy.clocks.zonesMinutes.least : 60 - zoneMinutes) * minuteMs
})

/** The `intent` label of the checkouts that an order could belong to. */
export const labelOf = oncePerOrder(({ sourceAsset, targetAsset, targetAmount }: Order) =>
  intentOf(sourceAsset ?? '?', targetAsset ?? '?', targetAmount ?? '?'),
)

/** Whether an order shows both of its amounts. */
export const showsAmounts = oncePerOrder(
  ({ sourceAmount, targetAmount }: Order) => isShown(sourceAmount) && isShown(targetAmount),
)

/** Whether an order was created in a window; false where its time or the window is not known. */
export function wasCreatedIn(order: Pick<Order, 'createdAt'>, window: TimeWindow | null): boolean {
  const atMs = createdAtMs(order)
  return window !== null && atMs >= window.fromMs && atMs <= window.toMs
}

/** The zone, in minutes ahead of UTC, that puts a time into a window; undefined if none does. */
export function zoneInto({ fromMs, toMs }: TimeWindow, atMs: number): number | undefined {
  const { least, most, step } = policy.clocks.zonesMinutes
  const aheadMs = atMs - toMs
  const minutes = Math.ceil(aheadMs / minuteMs / step) * step
  const isThere = minutes * minuteMs - aheadMs <= toMs - fromMs && minutes >= least && minutes <= most
  return isThere ? minutes : undefined
}

/**
 * Why an order has only the id of the checkout's order, in words; null if it may be that order. A
 * service whose orders were deleted may give their ids again. A time that another zone explains is
 * no reason.
 */
export function otherTime(order: Order, { binding, instructions, attempts }: CheckoutRecord): string | null {
  const window = attempts.find(({ id }) => id === instructions?.attemptId)?.window
  const atMs = isLocalTime(order.createdAt) ? Number.NaN : createdAtMs(order)
  if (!window || !instructions || Number.isNaN(atMs)) return null
  if (binding?.orderId !== order.id || binding.evidence === 'merchant') return null
  if (showsCreation(order, instructions, { isAlone: true })) return null
  // Nothing has compared the time of an order that the answer named.
  const marginMs = binding.evidence === 'response_id' ? policy.clocks.zonesMinutes.step * minuteMs : 0
  const beforeMs = Math.max(0, instructions.sentAtMs - (attempts[0]?.sentAtMs ?? 0)) + marginMs
  const possible = { fromMs: window.fromMs - beforeMs, toMs: window.toMs + marginMs }
  return zoneInto(possible, atMs) === undefined ? `it was created at ${order.createdAt}` : null
}

/**
 * Keeps a result inside the order, because an order never changes. The property is not enumerable,
 * so a copy with another zone does not inherit it. A WeakMap would slow down garbage collection.
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

/**
 * Returns a function that finds the orders that may have been created in a window. An order without
 * a readable time may be of any window. The orders are sorted once, so that many windows can be
 * looked up.
 */
export function createInWindow(orders: readonly Order[]): (window: TimeWindow) => readonly Order[] {
  const read = orders.map((order) => ({ order, atMs: createdAtMs(order) }))
  const untimed = read.filter(({ atMs }) => Number.isNaN(atMs)).map(({ order }) => order)
  const timed = read.filter(({ atMs }) => !Number.isNaN(atMs)).sort((left, right) => left.atMs - right.atMs)
  return ({ fromMs, toMs }) => {
    const first = firstWhere(timed, ({ atMs }) => atMs >= fromMs)
    const end = firstWhere(timed, ({ atMs }) => atMs > toMs)
    return [...untimed, ...timed.slice(first, end).map(({ order }) => order)]
  }
}

/** The index from which on `isAfter` is true; the length if it never is. */
export function firstWhere<Item>(items: readonly Item[], isAfter: (item: Item) => boolean): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const item = items[middle]
    if (item === undefined || isAfter(item)) to = middle
    else from = middle + 1
  }
  return from
}

/** An order, and the zone of its times that name none, in minutes ahead of UTC, if known. */
export type Zoned = Order & { readonly zoneMinutes?: number }

/** The order with this zone, unless its times name their own. */
export function inZone(order: Zoned, zoneMinutes: number | undefined): Zoned {
  if (zoneMinutes === undefined || order.zoneMinutes === zoneMinutes || !isLocalTime(order.createdAt)) return order
  return { ...order, zoneMinutes }
}
