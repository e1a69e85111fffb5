/** Finds the orders of a window without looking at all orders of the list: each of a thousand equal requests has a window. */
import type { Order } from '../../service/types.ts'
import type { TimeWindow } from '../records/types.ts'
import { createdAtMs } from './facts.ts'

/** The orders that were created in a window of the service's time. Those without a readable time may have been: they are in each. */
export type InWindow = (window: TimeWindow) => readonly Order[]

/** Reads each order's time once. */
export function createInWindow(orders: readonly Order[]): InWindow {
  const read = orders.map((order) => ({ order, atMs: createdAtMs(order) }))
  const untimed = read.filter(({ atMs }) => Number.isNaN(atMs)).map(({ order }) => order)
  const timed = read.filter(({ atMs }) => !Number.isNaN(atMs)).sort((left, right) => left.atMs - right.atMs)

  /** The first place of those created at a time or later. */
  function placeOf(fromMs: number): number {
    let [from, to] = [0, timed.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((timed[middle]?.atMs ?? fromMs) < fromMs) from = middle + 1
      else to = middle
    }
    return from
  }

  return ({ fromMs, toMs }) => {
    const found = [...untimed]
    for (let at = placeOf(fromMs); at < timed.length; at++) {
      const each = timed[at]
      if (!each || each.atMs > toMs) break
      found.push(each.order)
    }
    return found
  }
}
