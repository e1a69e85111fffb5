/** Addresses and tags that the list does not show are read from the details, once for each order: they never change. */
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Order, ServiceClient } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { agrees, contradiction, isShown } from '../core/agreement.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord, Instructions } from '../core/types.ts'
import { createSingleFlight } from '../time/work.ts'
import { isLasting, unread } from './list-reader.ts'

/** Orders whose details are read in one go. */
const maxReadings = 8
/** Orders whose details are remembered: those read longest ago are forgotten first. */
const maxRemembered = 5_000

/** Reads the addresses of orders whose list does not show them. */
export interface PlaceReader {
  /**
   * Completes the orders that may be a checkout's with what their details show. `areRead` is false while there are some whose details
   * were not read. Rejects with a ServiceError when the service does not answer, for a minute.
   */
  complete(
    orders: readonly Order[],
    checkout: CheckoutRecord,
    instructions: Instructions,
  ): Promise<{ readonly orders: readonly Order[]; readonly areRead: boolean }>
}

/** The details of an order, and the order of the list that was completed with them last: a thousand searches share a reading. */
interface Known {
  readonly details: Order
  completed?: { readonly listed: Order; readonly order: Order }
}

/** Details that could not be read. A search waits for them until they have failed for a minute. */
interface Failing {
  readonly sinceMs: number
  readonly againAtMs: number
}

/** Reads the details of an order once, however many search at the same time: its address never changes. Reports what cannot be read. */
export function createPlaceReader({
  client,
  settings,
  now,
}: Pick<Context, 'now'> & {
  readonly client: Pick<ServiceClient, 'orderDetails'>
  readonly settings: Pick<Context['settings'], 'report'>
}): PlaceReader {
  const known = new LRUCache<string, Known>(growingTo(maxRemembered))
  const failing = new LRUCache<string, Failing>(growingTo(maxRemembered))
  const flight = createSingleFlight<void>()

  async function read(id: string): Promise<void> {
    try {
      known.set(id, { details: await client.orderDetails(id) })
      failing.delete(id)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // The details may know an order later than the list.
      if (error.code === 'not_found') return
      if (isLasting(error)) {
        failing.set(id, { sinceMs: Number.NEGATIVE_INFINITY, againAtMs: now() + policy.search.detailsAgainAfterMs })
        settings.report(unread(`The details of order ${id}`, error), {})
        return
      }
      const { sinceMs } = failing.get(id) ?? { sinceMs: now() }
      failing.set(id, { sinceMs, againAtMs: now() })
      if (now() - sinceMs < policy.search.detailsPatienceMs) throw error
    }
  }

  const isDue = ({ id }: Order) => now() >= (failing.get(id)?.againAtMs ?? 0)

  return {
    complete: async (orders, checkout, instructions) => {
      const mayBeOurs = orders.filter(
        (order) =>
          order.walletAddress === null &&
          contradiction(order, checkout, instructions) === null &&
          agrees(order, checkout, instructions),
      )
      const unread = mayBeOurs.filter(({ id }) => !known.has(id))
      const wanted = unread.filter(isDue).slice(0, maxReadings)
      await Promise.all(wanted.map(({ id }) => flight(id, () => read(id))))
      return {
        orders: orders.map((order) => completed(order, known.get(order.id))),
        areRead: unread.every(({ id }) => known.has(id)),
      }
    },
  }
}

function completed(listed: Order, known: Known | undefined): Order {
  if (known === undefined) return listed
  if (known.completed?.listed !== listed) known.completed = { listed, order: merge(listed, known.details) }
  return known.completed.order
}

/**
 * What the details say of an order; its status is that of the list, which was read now. So are its amounts where the status is another than that of
 * the details: it may be paid by now, for another amount.
 */
function merge(listed: Order, details: Order): Order {
  const { id: _, status, statusText, message, timing, sourceAmount, targetAmount, ...lasting } = details
  const isLater = status !== listed.status
  const amountOf = (now: string | null, then: string | null) =>
    isShown(then) && !(isLater && isShown(now)) ? then : now
  return {
    ...listed,
    ...Object.fromEntries(Object.entries(lasting).filter(([, value]) => value !== null)),
    sourceAmount: amountOf(listed.sourceAmount, sourceAmount),
    targetAmount: amountOf(listed.targetAmount, targetAmount),
  }
}
