/** Orders sorted by the time when they were created, page by page: sorting 100,000 at once would hold up every payer's request. */
import type { Order } from '../../service/types.ts'
import { createdAtMs } from './facts.ts'

/** Orders without a readable time, and then the newest first. */
export interface NewestFirst {
  /** Adds an order, or takes it in place of what was added under its id. Returns when it was created, in ms; NaN if not readable. */
  add(order: Order): number
  readonly orders: readonly Order[]
  /** When the same orders were created, in ms; NaN where that is not readable. */
  readonly timesMs: readonly number[]
}

/** Empty at first. */
export function createNewestFirst(): NewestFirst {
  const orders: Order[] = []
  const timesMs: number[] = []
  const ids = new Set<string>()

  /** The first place behind all that are as new, or newer. Pages mostly come from the newest to the oldest: then it is the end. */
  function placeAfter(atMs: number): number {
    let [from, to] = [0, orders.length]
    if (to > 0 && rank(timesMs[to - 1]) >= rank(atMs)) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if (rank(timesMs[middle]) >= rank(atMs)) from = middle + 1
      else to = middle
    }
    return from
  }

  function remove(id: string): void {
    const at = orders.findLastIndex((order) => order.id === id)
    orders.splice(at, 1)
    timesMs.splice(at, 1)
  }

  return {
    add: (order) => {
      const atMs = createdAtMs(order)
      if (ids.has(order.id)) remove(order.id)
      ids.add(order.id)
      const at = placeAfter(atMs)
      if (at === orders.length) {
        orders.push(order)
        timesMs.push(atMs)
      } else {
        orders.splice(at, 0, order)
        timesMs.splice(at, 0, atMs)
      }
      return atMs
    },
    orders,
    timesMs,
  }
}

function rank(atMs: number | undefined): number {
  return atMs === undefined || Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs
}
