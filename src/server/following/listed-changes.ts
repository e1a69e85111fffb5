/** Takes what a page of the list shows into every checkout whose order it shows, whoever asked for the page. */
import { LRUCache } from 'lru-cache'
import type { OrderStatus } from '../../contract/checkout.ts'
import { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import type { PendingOrders } from '../orders/pending-orders.ts'
import { takingBackOf } from '../records/taking-back.ts'
import { whileLeased } from '../store/with-lease.ts'
import type { Recording } from './recording.ts'

/** Orders whose status is remembered: those shown longest ago are forgotten first. */
const maxRemembered = 50_000

/** Resolves when the changes that the orders show are stored. */
export type TakeListed = (orders: readonly Order[]) => Promise<void>

/**
 * Only an order whose status is another than the last time, or not `open` the first time, costs a look into the store. What belongs to
 * nobody, or could not be taken over yet, is looked up again with the next page that shows it.
 */
export function createTakeListed(
  { repository }: Pick<Context, 'repository'>,
  { recordAll }: Pick<Recording, 'recordAll'>,
): TakeListed {
  const known = new LRUCache<string, OrderStatus>(growingTo(maxRemembered))

  return async (orders) => {
    const changed = orders.filter(({ id, status }) => status !== null && status !== (known.get(id) ?? 'open'))
    if (changed.length === 0) return
    const owners = await repository.ownersOf(changed.map(({ id }) => id))
    const byCheckout = new Map<string, Order>()
    for (const order of changed) {
      const checkoutId = owners.get(order.id)
      if (checkoutId !== undefined) byCheckout.set(checkoutId, order)
    }
    for (const checkout of await recordAll(byCheckout)) {
      const order = byCheckout.get(checkout.id)
      const status = order?.status
      // What is held is known, too: then a page that says otherwise is news.
      const isTaken = status === checkout.status || status === takingBackOf(checkout)?.status
      if (order && status && isTaken) known.set(order.id, status)
    }
  }
}

/** From the beginning of a reading to that of the next, and longer the more pages it took. */
const everyMs = 2_000
/** The share of the budget that these readings may use. */
const budgetShare = 0.1

/** Returns a function that reads if it is time to. Of all processes on a store, one at a time reads, by a lease. */
export function createReadPending(
  { repository, settings, ids, now, sleep }: Pick<Context, 'repository' | 'settings' | 'ids' | 'now' | 'sleep'>,
  pendingOrders: Pick<PendingOrders, 'isReadable' | 'read' | 'pages'>,
  takeListed: TakeListed,
): () => Promise<void> {
  const lease = { name: 'read pending', holder: ids.secret() }
  let nextAtMs = Number.NEGATIVE_INFINITY

  return async () => {
    if (now() < nextAtMs || !pendingOrders.isReadable()) return
    await whileLeased(repository.store, { now, sleep }, lease, async () => {
      const beganAtMs = now()
      try {
        await takeListed(await pendingOrders.read())
      } catch (error) {
        // The watcher reads the same list and reports that.
        if (!(error instanceof ServiceError)) throw error
      }
      const perPageMs = 1_000 / (settings.serviceRequestsPerSecond * budgetShare)
      nextAtMs = beganAtMs + Math.max(everyMs, pendingOrders.pages() * perPageMs)
    })
  }
}
