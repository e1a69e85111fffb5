/** Compares orders of the service with checkouts of the store, as pure functions: what differs, and what cannot be known. */
import { contradiction, otherAmounts } from '../server/core/agreement.ts'
import { serviceTimeMs } from '../server/core/service-times.ts'
import { isStale, timesOf } from '../server/core/transitions.ts'
import type { CheckoutRecord } from '../server/core/types.ts'
import type { Order } from '../service/types.ts'

/** What was compared; null where that does not exist, or is not known. */
export interface Difference {
  readonly kind:
    | 'order_without_checkout'
    | 'paid_order_without_checkout'
    | 'order_not_found'
    | 'order_not_listed'
    | 'status'
    | 'amount'
    | 'asset_or_address'
    /** Not a difference: it cannot be known whether there is one. */
    | 'unknown'
  readonly order: Order | null
  readonly orderId: string | null
  readonly checkout: CheckoutRecord | null
  readonly words: string
}

/** An order or a binding that is younger than this may not have reached the other side. */
export const youngMs = 2 * 60_000

/** What the store says of an order that the list shows. */
export interface Owner {
  /** The checkout that the order was taken for. */
  readonly id: string | undefined
  /** `unreadable`: this version cannot read the record. Undefined where it is not stored. */
  readonly checkout: CheckoutRecord | 'unreadable' | undefined
  /** Checkouts without a known order whose order this may be. */
  readonly mayBe: readonly CheckoutRecord[]
}

/** @param asOfMs - When the list was read, by the service's clock. */
export function compareListed(order: Order, { id, checkout, mayBe }: Owner, asOfMs: number): Difference[] {
  const about = { order, orderId: order.id, checkout: null }
  if (checkout === 'unreadable')
    return [{ ...about, kind: 'unknown', words: `the record of its checkout ${id} cannot be read` }]
  if (checkout?.binding?.orderId === order.id) return compareBound(order, checkout)
  // Of a service that writes the time of its place, all orders may seem to be made later than now.
  if (Math.abs(asOfMs - serviceTimeMs(order.createdAt)) < youngMs)
    return [{ ...about, kind: 'unknown', words: 'it is too young to be compared: run this again in two minutes' }]
  const isPaid = order.status === 'confirmed'
  const isForgotten = id !== undefined && checkout === undefined
  // Unpaid checkouts are forgotten after 90 days, as they should be.
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

/** Compares an order with the checkout that is bound to it. */
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
  // What the store has is of a later answer than this one.
  const isOlder = checkout.statusAsOfMs !== null && checkout.statusAsOfMs > times.asOfMs
  if (status === checkout.status || isOlder || isStale(checkout, status, times)) return undefined
  const words = `the service says ${status}, the store ${checkout.status}`
  if (checkout.binding?.isProvisional) return { kind: 'unknown', words: `${words}, and its binding is not certain yet` }
  const { nextLookAtMs } = checkout
  const next = nextLookAtMs === null ? 'is not looked at any more' : `is looked at from ${isoOf(nextLookAtMs)}`
  return { kind: 'status', words: `${words}; it ${next}` }
}

/**
 * What is wrong with a bound order that the list does not show.
 *
 * @param order - Its details; null where the service does not know it.
 * @param list - Since when the list was read, and until when, by the service's clock; and whether nothing of it was left out.
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
