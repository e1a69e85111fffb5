/** Which orders the list had shown to this process when it sent a creation request: those are not that request's. */
import { LRUCache } from 'lru-cache'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'

/** Creation requests that are remembered: the oldest are forgotten first. */
const maxRequests = 10_000
/** Orders that are remembered, twice as many as one reading can show: those listed longest ago are forgotten first. */
const maxListed = 200_000

/** What this process knows of its own requests. */
export interface Listed {
  /** To be called with the orders of each page. */
  note(orders: readonly Order[]): void
  /** To be called before a creation request is sent: what was listed by then is not its order. */
  noteSending(requestId: string): void
  /** Whether a page that showed the order had been answered when this process sent the request. False for requests of others. */
  wasListedBefore(orderId: string, requestId: string): boolean
  /** Whether this process sent the request, and remembers it. */
  hasSent(requestId: string): boolean
}

/** Counted, not timed: clocks of two servers say nothing about what came first. */
export function createListed(): Listed {
  let pagesAnswered = 0
  const firstListed = new LRUCache<string, number>(growingTo(maxListed))
  const sentAfter = new LRUCache<string, number>(growingTo(maxRequests))
  return {
    note: (orders: readonly Order[]) => {
      pagesAnswered += 1
      // Asking for one keeps it among the last listed: else a long reading would forget the newest, which it shows first.
      for (const { id } of orders) if (firstListed.get(id) === undefined) firstListed.set(id, pagesAnswered)
    },
    noteSending: (requestId: string) => {
      if (!sentAfter.has(requestId)) sentAfter.set(requestId, pagesAnswered)
    },
    hasSent: (requestId) => sentAfter.has(requestId),
    wasListedBefore: (orderId: string, requestId: string) => {
      const [first, sent] = [firstListed.get(orderId), sentAfter.get(requestId)]
      return first !== undefined && sent !== undefined && first <= sent
    },
  }
}
