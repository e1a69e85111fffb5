/** What is known of other requests of the same time: which orders may be theirs, and when theirs were made. */
import type { Order } from '../../service/types.ts'
import { answeredMs, attemptWindow, isSettled, openAttempts } from '../core/attempts.ts'
import { fitsOf, isOrMayBeOf, type OtherRequest, type Situation } from '../core/evidence.ts'
import { createdAtMs, createInWindow, labelOf } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { type Attempt, type Binding, type CheckoutRecord, intentLabel, type TimeWindow } from '../core/types.ts'
import { hasPassed } from '../time/work.ts'
import type { Listing } from './list-reader.ts'
import type { OrderList } from './order-list.ts'
import type { SharedReads } from './record-reads.ts'

/** The checkouts that orders were claimed for, by the orders' ids. */
export type OwnerIds = ReadonlyMap<string, string>

/** Which orders are another checkout's: certainly, or for the time being. */
export type Owners = Pick<Situation, 'taken' | 'held'>

/** The other checkouts that have claimed orders of this one's assets and price. */
export interface Claimants {
  readonly all: readonly CheckoutRecord[]
  /** Those that are bound for certain, by the ids of their orders. */
  readonly bound: ReadonlyMap<string, CheckoutRecord>
}

/** Reads those whose orders are near. */
export async function readClaimants(
  reads: Pick<SharedReads, 'readCheckouts'>,
  checkout: CheckoutRecord,
  near: readonly Order[],
  ownerIds: OwnerIds,
): Promise<Claimants> {
  const label = intentLabel(checkout)
  const equal = new Set(near.filter((order) => labelOf(order) === label).map(({ id }) => id))
  // A claim that was left behind is known by its checkout alone.
  const mayBeEqual = new Set(near.filter((order) => isOrMayBeOf(order, checkout)).map(({ id }) => id))
  const ids = [...ownerIds].flatMap(([id, ownerId]) => (mayBeEqual.has(id) && ownerId !== checkout.id ? ownerId : []))
  const all = await reads.readCheckouts([...new Set(ids)])
  const bound = all.flatMap((owner): [string, CheckoutRecord][] => {
    const { binding } = owner
    return binding && equal.has(binding.orderId) && ownerIds.get(binding.orderId) === owner.id && isSettled(binding)
      ? [[binding.orderId, owner]]
      : []
  })
  return { all, bound: new Map(bound) }
}

/** Requests whose order is known: it says of those before and after them when theirs were made. */
export function knownRequests(bound: ReadonlyMap<string, CheckoutRecord>): readonly OtherRequest[] {
  return [...bound].flatMap(([id, checkout]) =>
    isIdentified(checkout.binding) ? [{ checkout, fits: new Set([id]) }] : [],
  )
}

/** Whether evidence showed which order it is. Where all were paid it is not known which order is whose, and merchants err. */
export function isIdentified(binding: Binding | null): boolean {
  return binding !== null && binding.evidence !== 'all_paid' && binding.evidence !== 'merchant'
}

/** What is certain of open requests: each has an order of its own. Those whose order the list may not show are left out. */
export function openRequests(
  open: readonly CheckoutRecord[],
  {
    listing,
    orders,
    owners,
    around,
    nowMs,
  }: {
    readonly listing: Listing
    readonly orders: readonly Order[]
    readonly owners: Owners
    readonly around: TimeWindow
    readonly nowMs: number
  },
  orderList: Pick<OrderList, 'wasListedBefore'>,
): readonly OtherRequest[] {
  const inWindow = createInWindow(orders)
  // An order without a readable time may be that of an older request.
  const isAnyUntimed = orders.some((order) => Number.isNaN(createdAtMs(order)))
  return open.flatMap((checkout) => {
    const { instructions } = checkout
    const window = attemptWindow(checkout)
    if (
      !instructions ||
      !window ||
      (window.fromMs < around.fromMs && !isAnyUntimed) ||
      !isListed(checkout, listing, nowMs)
    )
      return []
    const within = inWindow(window)
    const before = listedBefore(orderList, checkout, within)
    return [
      {
        checkout,
        fits: fitsOf({ checkout, instructions, orders: within, window, taken: owners.taken, listedBefore: before }),
      },
    ]
  })
}

/**
 * Whether the list shows the order that an answered request made. Both clocks have to say that it is late enough: either may have
 * been set.
 */
export function isListed(checkout: CheckoutRecord, { isComplete, asOfMs }: Listing, nowMs: number): boolean {
  const window = attemptWindow(checkout)
  const atMs = answeredMs(checkout)
  if (!isComplete || asOfMs === null || !window || atMs === undefined) return false
  return asOfMs > window.toMs + policy.search.listedWithinMs && hasPassed(policy.search.listedWithinMs, atMs, nowMs)
}

/** Orders that were listed before the request of a checkout was sent. */
export function listedBefore(
  orderList: Pick<OrderList, 'wasListedBefore'>,
  checkout: CheckoutRecord,
  orders: readonly Order[],
): ReadonlySet<string> {
  const requestId = checkout.instructions?.attemptId ?? ''
  return new Set(orders.map(({ id }) => id).filter((id) => orderList.wasListedBefore(id, requestId)))
}

/** Creation windows of unknown orders, including this checkout's lost attempts. */
export function rivalsOf(
  checkouts: readonly CheckoutRecord[],
  own: Attempt | undefined,
  nowMs: number,
): readonly TimeWindow[] {
  // How far the service's clock is ahead of ours, as our own attempt saw it: at least and at most.
  const { window, sentAtMs } = own ?? { window: null, sentAtMs: 0 }
  const leastAheadMs = window ? Math.min(0, window.fromMs - sentAtMs) : 0
  const mostAheadMs = window ? Math.max(0, window.toMs - sentAtMs) : 0
  // What a lost request did would be in the list by now, and count as a candidate there.
  const isOver = ({ toMs }: TimeWindow) => nowMs + leastAheadMs > toMs + policy.search.listedWithinMs
  const lostWindow = (sentMs: number) => ({
    fromMs: sentMs + leastAheadMs,
    toMs: sentMs + mostAheadMs + policy.search.lostUntilMs,
  })
  return checkouts.flatMap((checkout) =>
    openAttempts(checkout)
      .filter(({ id }) => id !== own?.id)
      .map(({ window, sentAtMs }) => ({ isKnown: window !== null, window: window ?? lostWindow(sentAtMs) }))
      .filter(({ isKnown, window }) => isKnown || !isOver(window))
      .map(({ window }) => window),
  )
}
