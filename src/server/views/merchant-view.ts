/** Checkouts as the merchant's own code gets them. */
import type { Arrival, HistoryEntry, OrderStatus, Price } from '../../contract/checkout.ts'
import { checkNames } from '../../contract/option-names.ts'
import { type MerchantPhase, merchantPhase, offeredPrice } from '../core/agreement.ts'
import { plainArrival } from '../core/arrivals.ts'
import type { CheckoutRecord, Evidence, Meanings } from '../core/types.ts'
import type { Repository } from '../records/repository.ts'

/**
 * A checkout for the merchant's code: with the order's id and how it was found, without keys.
 *
 * @example
 * ```ts
 * const line = ({ reference, phase, order }: MerchantCheckout) =>
 *   `${reference}: ${phase}, order ${order?.id ?? 'not known'}`
 * ```
 */
export interface MerchantCheckout {
  readonly id: string
  readonly reference: string
  /** As `offer` gave it. */
  readonly orderNumber?: string
  readonly status: OrderStatus
  /**
   * `paid_less`, `paid_more`: the service confirmed the order with another amount, see `received`.
   */
  readonly phase: MerchantPhase
  /** As in `StatusEvent`: the text that `offer` returned for this checkout. */
  readonly price: Price
  readonly asset: string
  readonly network: string
  readonly createdAt: string
  /**
   * When the event of the last change was made, as `at` in `StatusEvent`; null before the first. Money
   * that comes or goes back is a change, too, and has no entry in `history`.
   */
  readonly changedAt: string | null
  readonly history: readonly HistoryEntry[]
  readonly test: boolean
  /** Null while the service's order is not known. */
  readonly order: { readonly id: string; readonly evidence: Evidence } | null
  /** Orders that may be this checkout's, while that is unresolved: see `paywindow.bind`. */
  readonly candidates: readonly string[]
  /** Null while the service has not answered, or when it refused. */
  readonly deposit: {
    readonly amount: string
    readonly address: string
    readonly tag: string | null
    readonly expiresAt: string
  } | null
  /**
   * The amount that the payer sent and the amount that you receive, as the service showed them when
   * it confirmed the order. Null before, and if the order did not show them.
   */
  readonly received: { readonly deposit: Price | null; readonly price: Price | null } | null
  /** What is known of the money that arrived, even unconfirmed. Null if nothing is. */
  readonly arrival: Arrival | null
  /**
   * The deposit was first seen after its quote had ended, by your server's clock or the service's.
   */
  readonly isLate: boolean
  /** Changes that your `onStatusChange` has not accepted yet. */
  readonly untoldEvents: number
}

/** Built field by field, so that nothing else passes. */
export function toMerchantCheckout(checkout: CheckoutRecord, { phaseOf }: Meanings): MerchantCheckout {
  const { instructions, binding, method, terms } = checkout
  return {
    id: checkout.id,
    reference: checkout.reference,
    ...(terms.orderNumber !== undefined && { orderNumber: terms.orderNumber }),
    status: checkout.status,
    phase: merchantPhase(checkout, phaseOf),
    price: offeredPrice(checkout),
    asset: method.asset,
    network: method.network,
    createdAt: new Date(checkout.createdAtMs).toISOString(),
    changedAt: checkout.lastEvent?.at ?? null,
    history: checkout.history,
    test: checkout.test,
    order: binding && { id: binding.orderId, evidence: binding.evidence },
    candidates: checkout.candidates,
    deposit: instructions && {
      amount: instructions.amount,
      address: instructions.address,
      tag: instructions.tag,
      expiresAt: new Date(instructions.expiresAtMs).toISOString(),
    },
    received: receivedPrices(checkout),
    arrival: checkout.arrival ? plainArrival(checkout.arrival) : null,
    isLate: isLate(checkout),
    untoldEvents: checkout.events.length,
  }
}

function isLate({ instructions, history, arrival, seenLate }: CheckoutRecord): boolean {
  const seen = history.find(({ phase }) => phase === 'seen' || phase === 'paid')
  if (!seen || !instructions) return false
  return seenLate === true || arrival?.kind === 'late' || Date.parse(seen.at) > instructions.expiresAtMs
}

function receivedPrices({ received, method, terms }: CheckoutRecord): MerchantCheckout['received'] {
  if (!received) return null
  const { sourceAsset, sourceAmount, targetAsset, targetAmount } = received
  return {
    deposit: sourceAmount === null ? null : { asset: sourceAsset ?? method.asset, amount: sourceAmount },
    price: targetAmount === null ? null : { asset: targetAsset ?? terms.price.asset, amount: targetAmount },
  }
}

/**
 * The merchant's own view of the checkouts: for order pages, support and reports.
 *
 * @example
 * ```ts
 * const needPeople = (checkouts: MerchantCheckouts) =>
 *   checkouts.list({ only: 'unresolved', limit: 50 })
 * ```
 */
export interface MerchantCheckouts {
  get(id: string): Promise<MerchantCheckout | undefined>
  /**
   * Newest first, at most `limit` (default 100, at most 1,000). `before` is the last id of the page
   * before. `unresolved`: checkouts whose order cannot be identified. `untold`: checkouts with
   * changes that `onStatusChange` has not accepted.
   */
  list(query?: {
    reference?: string
    only?: 'unresolved' | 'untold'
    before?: string
    limit?: number
  }): Promise<MerchantCheckout[]>
}

/** Records that cannot be read are left out of lists. */
export function createMerchantCheckouts(
  repository: Pick<Repository, 'readCheckout' | 'listCheckouts'>,
  meanings: Meanings,
): MerchantCheckouts {
  return {
    get: async (id) => {
      const checkout = await repository.readCheckout(id)
      return checkout && toMerchantCheckout(checkout, meanings)
    },
    list: async (query = {}) => {
      checkNames('checkouts.list', query, { reference: 0, only: 0, before: 0, limit: 0 })
      const { reference, only, before, limit = 100 } = query
      const label = reference === undefined ? (only ?? 'all') : (`cart ${reference}` as const)
      const range = { limit: Math.min(limit, 1_000), ...(before !== undefined && { before }) }
      const listed = await repository.listCheckouts(label, range)
      return listed.map((checkout) => toMerchantCheckout(checkout, meanings))
    },
  }
}
