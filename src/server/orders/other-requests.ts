/**
 * Gathers the other requests around a checkout's own: the orders that may be theirs, and the
 * windows in which these were created.
 */
import type { Order } from '../../service/types.ts'
import { mayBeEqual } from '../core/agreement.ts'
import { fitsOf, type OtherRequest, type Situation } from '../core/evidence.ts'
import { createdAtMs, createInWindow, labelOf, otherTime } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { answeredMs, attemptWindow, isSettled, openAttempts } from '../core/transitions.ts'
import { type Attempt, type CheckoutRecord, intentLabel, type TimeWindow } from '../core/types.ts'
import { hasPassed } from '../time/work.ts'
import type { RecordReads } from './record-reads.ts'
import type { Listing } from './shared-readings.ts'

/** The ids of the checkouts that have claimed orders, by the ids of the orders. */
export type OwnerIds = ReadonlyMap<string, string>

/**
 * The ids of orders that belong to other checkouts: `taken` for certain, `held` for the time being.
 */
export type Owners = Pick<Situation, 'taken' | 'held'>

/**
 * Other checkouts that have claimed orders with this checkout's assets and price. `bound`: those
 * that are bound for certain, by the ids of their orders. `owned`: the claims, without those of
 * orders that had the ids before.
 *
 * @param near - Orders created around the checkout's own attempt.
 */
export async function readClaimants(
  reads: Pick<RecordReads, 'readCheckouts'>,
  checkout: CheckoutRecord,
  near: readonly Order[],
  ownerIds: OwnerIds,
) {
  const label = intentLabel(checkout)
  // Only a claimant's record shows whether it is bound, so all orders that may be equal count here.
  const similar = near.filter((order) => mayBeEqual(order, checkout))
  const ids = similar.flatMap(({ id }) => ownerIds.get(id) ?? []).filter((id) => id !== checkout.id)
  const all = await reads.readCheckouts([...new Set(ids)])
  const byId = new Map(all.map((owner) => [owner.id, owner]))
  const owned = new Map(ownerIds)
  const bound = new Map<string, CheckoutRecord>()
  for (const order of similar) {
    const owner = byId.get(ownerIds.get(order.id) ?? '')
    if (owner && otherTime(order, owner) !== null) owned.delete(order.id)
    else if (owner?.binding?.orderId === order.id && isSettled(owner.binding) && labelOf(order) === label)
      bound.set(order.id, owner)
  }
  return { all, owned, bound }
}

/**
 * Requests whose order is known. They limit when the orders of earlier and later requests were
 * created.
 */
export function knownRequests(bound: ReadonlyMap<string, CheckoutRecord>): readonly OtherRequest[] {
  return [...bound].flatMap(([id, checkout]) => {
    const evidence = checkout.binding?.evidence
    // `all_paid` does not say which order is whose, and a merchant may err.
    return evidence === 'all_paid' || evidence === 'merchant' ? [] : [{ checkout, fits: new Set([id]) }]
  })
}

interface Around extends Pick<Situation, 'orders' | 'taken'> {
  readonly listing: Listing
  readonly around: TimeWindow
  readonly nowMs: number
}

/**
 * The open requests whose order the list shows for certain, each with the orders that may be its
 * own.
 */
export function openRequests(
  open: readonly CheckoutRecord[],
  { listing, orders, taken, around, nowMs }: Around,
): readonly OtherRequest[] {
  const inWindow = createInWindow(orders)
  // An order without a readable time may be an older request's.
  const isAnyUntimed = orders.some((order) => Number.isNaN(createdAtMs(order)))
  return open.flatMap((checkout) => {
    const { instructions } = checkout
    const window = attemptWindow(checkout)
    if (!instructions || !window || (window.fromMs < around.fromMs && !isAnyUntimed)) return []
    if (!isListed(checkout, listing, nowMs)) return []
    return [{ checkout, fits: fitsOf({ checkout, instructions, orders: inWindow(window), window, taken }) }]
  })
}

/**
 * Whether a listing certainly shows the order of an answered request: a minute after the answer by
 * both clocks, because somebody may have set one.
 */
export function isListed(checkout: CheckoutRecord, { isComplete, asOfMs }: Listing, nowMs: number): boolean {
  const window = attemptWindow(checkout)
  const atMs = answeredMs(checkout)
  if (!isComplete || asOfMs === null || !window || atMs === undefined) return false
  return asOfMs > window.toMs + policy.search.listedWithinMs && hasPassed(policy.search.listedWithinMs, atMs, nowMs)
}

/**
 * `rivals`: the windows in which requests may have made unknown orders, this checkout's lost
 * attempts included. `lost`: the windows of all requests without an answer. `rivals` lacks the
 * older of these: the list would show their orders as candidates.
 *
 * @param own - The answered attempt of this checkout.
 */
export function rivalsOf(
  checkouts: readonly CheckoutRecord[],
  own: Attempt | undefined,
  nowMs: number,
): { readonly rivals: readonly TimeWindow[]; readonly lost: readonly TimeWindow[] } {
  // How far the service's clock is ahead of ours, at least and at most, by our own attempt.
  const { window, sentAtMs } = own ?? { window: null, sentAtMs: 0 }
  const leastAheadMs = window ? Math.min(0, window.fromMs - sentAtMs) : 0
  const mostAheadMs = window ? Math.max(0, window.toMs - sentAtMs) : 0
  const isOver = ({ toMs }: TimeWindow) => nowMs + leastAheadMs > toMs + policy.search.listedWithinMs
  const attempts = checkouts.flatMap(openAttempts).filter(({ id }) => id !== own?.id)
  const lost = attempts
    .filter((attempt) => attempt.window === null)
    .map((attempt) => ({
      fromMs: attempt.sentAtMs + leastAheadMs,
      toMs: attempt.sentAtMs + mostAheadMs + policy.search.lostUntilMs,
    }))
  const known = attempts.flatMap((attempt) => attempt.window ?? [])
  return { rivals: [...known, ...lost.filter((each) => !isOver(each))], lost }
}
