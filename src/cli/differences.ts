/** Pure functions that compare the service's orders with the store's checkouts. */
import { contradiction, otherAmounts } from '../server/core/agreement.ts'
import { serviceTimeMs } from '../server/core/service-times.ts'
import { isStale, timesOf } from '../server/core/transitions.ts'
import type { CheckoutRecord } from '../server/core/types.ts'
import type { Order } from '../service/types.ts'

/** A difference between an order and a checkout; null where either is missing or not known. */
export interface Difference {
  readonly kind:
    | 'order_without_checkout'
    | 'paid_order_without_checkout'
    | 'order_not_found'
    | 'order_not_listed'
    | 'status'
    | 'amount'
    | 'asset_or_address'
    /** They could not be compared. */
    | 'unknown'
  readonly order: Order | null
  readonly orderId: string | null
  readonly checkout: CheckoutRecord | null
  readonly words: string
}

/** A younger order or binding may be known to one side only. */
export const youngMs = 2 * 60_000

/** The store's knowledge of an order in the list. */
export interface Owner {
  /** The id of the checkout that claimed the order. */
  readonly id: string | undefined
  /** `unreadable`: this version cannot read the record. Undefined where it is not stored. */
  readonly checkout: CheckoutRecord | 'unreadable' | undefined
  /** Unbound checkouts that have the order as a candidate. */
  readonly mayBe: readonly CheckoutRecord[]
}

/**
 * Compares an order of the list with the store.
 *
 * @param asOfMs - When the list was read, by the service's clock.
 */
export function compareListed(order: Order, { id, checkout, mayBe }: Owner, asOfMs: number): Difference[] {
  const about = { order, orderId: order.id, checkout: null }
  if (checkout === 'unreadable')
    return [{ ...about, kind: 'unknown', words: `the record of its checkout ${id} cannot be read` }]
  if (checkout?.binding?.orderId === order.id) return compareBound(order, checkout)
  // If the service writes local times, an order may seem to be made in the future.
  if (Math.abs(asOfMs - serviceTimeMs(order.createdAt)) < youngMs)
    return [{ ...about, kind: 'unknown', words: 'it is too young to be compared: run this again in two minutes' }]
  const isPaid = order.status === 'confirmed'
  const isForgotten = id !== undefined && checkout === undefined
  // The server deletes unpaid checkouts after 90 days.
  if (isForgotten && !isPaid) return []
  const kind = isPaid ? 'paid_order_without_checkout' : 'order_without_checkout'
  return [{ ...about, kind, checkout: checkout ?? mayBe[0] ?? null, words: whyWithout(id, isForgotten, mayBe) }]
}

function whyWithout(takenFor: string | undefined, isForgotten: boolean, mayBe: readonly CheckoutRecord[]): string {
  if (isForgotten) return `it belonged to checkout ${takenFor}, which the store has no longer`
  if (takenFor !== undefined) return `it was taken for checkout ${takenFor}, which is not bound to it`
  if (mayBe.length === 0) return 'no checkout of the store has it'
  return `it may be the order of ${mayBe.map(({ id }) => `checkout ${id}`).join(' or ')}: see npx paywindow bind`
}

function compareBound(order: Order, checkout: CheckoutRecord): Difference[] {
  const about = { order, orderId: order.id, checkout }
  const { instructions } = checkout
  const found: Difference[] = []
  const status = compareStatus(order, checkout)
  if (status) found.push({ ...about, ...status })
  const other = instructions && contradiction(order, checkout, instructions)
  if (other) found.push({ ...about, kind: 'asset_or_address', words: other })
  const amounts = instructions && otherAmounts(order, checkout, instructions)
  if (amounts) {
    const perhaps =
      order.status === 'open' ? '' : '; a deposit of another amount may have changed what the service shows'
    found.push({ ...about, kind: 'amount', words: `${amounts}${perhaps}` })
  }
  return found
}

function compareStatus(order: Order, checkout: CheckoutRecord): Pick<Difference, 'kind' | 'words'> | undefined {
  const { status, timing } = order
  if (status === null)
    return { kind: 'unknown', words: `the service's status ${order.statusText ?? ''} is not known to Paywindow` }
  const times = timesOf(timing)
  // The store has the status of a later answer.
  const isOlder = checkout.statusAsOfMs !== null && checkout.statusAsOfMs > times.asOfMs
  if (status === checkout.status || isOlder || isStale(checkout, status, times)) return undefined
  const words = `the service says ${status}, the store ${checkout.status}`
  if (checkout.binding?.isProvisional) return { kind: 'unknown', words: `${words}, and its binding is not certain yet` }
  const { nextLookAtMs } = checkout
  const next = nextLookAtMs === null ? 'is not looked at any more' : `is looked at from ${isoOf(nextLookAtMs)}`
  return { kind: 'status', words: `${words}; it ${next}` }
}

/**
 * Compares a bound checkout whose order is not in the list.
 *
 * @param order - The order's details; null if the service does not know it.
 * @param list - The time that the list covers, by the service's clock, and whether it was read
 *   whole.
 */
export function compareUnlisted(
  checkout: CheckoutRecord,
  order: Order | null,
  list: { readonly fromMs: number; readonly asOfMs: number; readonly isComplete: boolean },
): Difference[] {
  const about = { checkout, order, orderId: checkout.binding?.orderId ?? null }
  if (!order)
    return [{ ...about, kind: 'order_not_found', words: 'the service does not know the order of this checkout' }]
  const createdAtMs = serviceTimeMs(order.createdAt)
  const compared = compareBound(order, checkout)
  if (createdAtMs < list.fromMs || createdAtMs > list.asOfMs - youngMs) return compared
  if (!list.isComplete || Number.isNaN(createdAtMs)) {
    const words = 'the list does not show it, but the list was not read to its end or the order has no readable time'
    return [{ ...about, kind: 'unknown', words }, ...compared]
  }
  const words = 'the list does not show it, although the service shows its details'
  return [{ ...about, kind: 'order_not_listed', words }, ...compared]
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
