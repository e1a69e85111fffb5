/** Takes what a page of the list shows into every checkout whose order it shows, whoever asked for the page. */
import { LRUCache } from 'lru-cache'
import type { OrderStatus } from '../../contract/checkout.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { takingBackOf } from '../records/taking-back.ts'
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
