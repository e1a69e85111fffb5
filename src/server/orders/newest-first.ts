/** Orders sorted by the time when they were created, page by page: sorting 100,000 at once would hold up every payer's request. */
import type { Order } from '../../service/types.ts'
import { createdByMs } from './facts.ts'

/** Orders without a readable time, and then the newest first. */
export interface NewestFirst {
  /** Adds an order, or takes it in place of what was added under its id. Returns the latest time at which it can have been created, in ms; NaN if not readable. */
  add(order: Order): number
  readonly orders: readonly Order[]
}

/** Empty at first. */
export function createNewestFirst(): NewestFirst {
  const orders: Order[] = []
  const ids = new Set<string>()

  /** The first place behind all that are as new, or newer. Pages mostly come from the newest to the oldest: then it is the end. */
  function placeAfter(order: Order): number {
    const wanted = rank(order)
    let [from, to] = [0, orders.length]
    if (to > 0 && rank(orders[to - 1]) >= wanted) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if (rank(orders[middle]) >= wanted) from = middle + 1
      else to = middle
    }
    return from
  }

  function remove(id: string): void {
    const at = orders.findLastIndex((order) => order.id === id)
    orders.splice(at, 1)
  }

  return {
    add: (order) => {
      if (ids.has(order.id)) remove(order.id)
      ids.add(order.id)
      const at = placeAfter(order)
      if (at === orders.length) orders.push(order)
      else orders.splice(at, 0, order)
      return createdByMs(order)
    },
    orders,
  }
}

function rank(order: Order | undefined): number {
  const atMs = order ? createdByMs(order) : Number.NaN
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs
}
