/**
 * Reads from the details of orders what the list does not show: the address and tag, which never
 * change. Reads details again after a change of status, because a deposit may change the amounts.
 * Reads details without an address again ever less often, because a service may assign it later.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import { createLru } from '../../service/lru.ts'
import type { Order, ServiceClient } from '../../service/types.ts'
import { agrees, contradiction, isShown } from '../core/agreement.ts'
import { createdAtMs } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord, Instructions } from '../core/types.ts'
import type { Settings } from '../options.ts'
import { createSingleFlight } from '../time/work.ts'

const maxReadings = 8
const maxRemembered = 5_000

interface Known {
  readonly details: Order
  /** The status in the list when the details were asked for. */
  listedAs: Order['status']
  /** The last merge with an order of the list: up to a thousand searches share one reading. */
  completed?: { readonly listed: Order; readonly order: Order }
}

/** Completes orders of the list with their details. */
export type CompleteOrders = ReturnType<typeof createDetailsReader>

/**
 * Returns a function that completes the orders that may be a checkout's. `areRead` is false while
 * details are missing. Without an answer of the service it rejects with a ServiceError for a
 * minute, and then resolves without those details. Simultaneous searches share the request for an
 * order. Refused details are reported.
 */
export function createDetailsReader(
  readDetails: ServiceClient['orderDetails'],
  report: Settings['report'],
  now: () => number,
) {
  const known = createLru<Known>(maxRemembered)
  /** Details that are unreadable or lack the address, since when, and when to ask again. */
  const failing = createLru<{ sinceMs: number; againAtMs: number }>(maxRemembered)
  const flight = createSingleFlight<void>()

  async function read({ id, status, ...listed }: Order): Promise<void> {
    const before = known.get(id)
    if (before) before.listedAs = status
    try {
      const details = await readDetails(id)
      // A gateway may have taken details without an id from another order.
      if (details.isUnnamed && Math.abs(createdAtMs(details) - createdAtMs(listed)) >= policy.answers.dateStepMs)
        throw new ServiceError('invalid_answer', 'they are of another time', { outcome: 'unknown' })
      known.set(id, { details, listedAs: status })
      if (details.walletAddress !== null) return void failing.delete(id)
      const { sinceMs } = failing.get(id) ?? { sinceMs: now() }
      const pauseMs = Math.max(policy.search.detailsAgainAfterMs, now() - sinceMs)
      failing.set(id, { sinceMs, againAtMs: now() + pauseMs })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // The details may show a new order later than the list does.
      if (error.code === 'not_found') return
      if (isLasting(error)) {
        failing.set(id, { sinceMs: Number.NEGATIVE_INFINITY, againAtMs: now() + policy.search.detailsAgainAfterMs })
        report(unreadError(`The details of order ${id}`, error), {})
        return
      }
      const { sinceMs } = failing.get(id) ?? { sinceMs: now() }
      failing.set(id, { sinceMs, againAtMs: now() })
      if (now() - sinceMs < policy.search.detailsPatienceMs) throw error
    }
  }

  function isDue({ id, status }: Order): boolean {
    const before = known.get(id)
    if (before && before.listedAs !== status) return true
    const failed = failing.get(id)
    return failed ? now() >= failed.againAtMs : !before
  }

  return async (orders: readonly Order[], checkout: CheckoutRecord, instructions: Instructions) => {
    const mayBeOurs = orders.filter(
      (order) =>
        order.walletAddress === null &&
        contradiction(order, checkout, instructions) === null &&
        agrees(order, checkout, instructions),
    )
    const unread = mayBeOurs.filter(({ id }) => !known.has(id))
    const wanted = mayBeOurs.filter(isDue).slice(0, maxReadings)
    await Promise.all(wanted.map((order) => flight(order.id, () => read(order))))
    return {
      orders: orders.map((order) => completed(order, known.get(order.id))),
      areRead: unread.every(({ id }) => known.has(id)),
    }
  }
}

function completed(listed: Order, known: Known | undefined): Order {
  if (known === undefined) return listed
  if (known.completed?.listed !== listed) known.completed = { listed, order: merge(listed, known.details) }
  return known.completed.order
}

/**
 * The order of the list with the fields that only its details show. The list is newer, so its
 * status counts. After a change of status the list's amounts count, too: another amount may have
 * been paid.
 */
function merge(listed: Order, details: Order): Order {
  const { id: _, from, status, statusText, message, timing, sourceAmount, targetAmount, ...lasting } = details
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

/**
 * The error for the merchant's `onError`. @param what - Begins the sentence, such as `The order
 * list`.
 */
export function unreadError(what: string, cause: ServiceError): PaywindowError {
  const code = cause.code === 'invalid_answer' ? 'service_invalid' : 'service_unavailable'
  return new PaywindowError(code, `${what} could not be read: ${cause.message}`, { cause })
}

/** Whether the service has answered, and will most likely answer the same again. */
export function isLasting({ code }: ServiceError): boolean {
  return code === 'invalid_answer' || code === 'forbidden' || code === 'refused'
}
