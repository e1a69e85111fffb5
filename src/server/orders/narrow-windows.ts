/**
 * Narrows the windows of time in which orders are looked for. A window has a margin of one second
 * on each side, because the clock behind the `Date` header and the clock behind the times of orders
 * may differ. Identified orders show by how much. If they show little, the margin can be smaller.
 */
import type { Order } from '../../service/types.ts'
import { possibleOrders } from '../core/counting.ts'
import { createdMsOf, requestsOf, type Situation } from '../core/evidence.ts'
import { createdAtMs, labelOf, wasCreatedIn } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow, isSettled } from '../core/transitions.ts'
import type { CheckoutRecord, TimeWindow } from '../core/types.ts'
import { isIdentified } from './other-requests.ts'
import type { RecordReads } from './record-reads.ts'

/** Orders that are examined, the oldest of the list. */
const maxKnown = 500

/** An order and the checkout that it certainly belongs to. */
export interface KnownOrder {
  readonly order: Order
  readonly checkout: CheckoutRecord
}

type Reads = Pick<RecordReads, 'ownersOf' | 'readCheckouts'>

/**
 * The situation with narrower windows; undefined if the identified orders of its list do not allow
 * that.
 */
export async function narrowWindows(reads: Reads, situation: Situation): Promise<Situation | undefined> {
  if (!situation.isListed) return undefined
  const some = situation.listed.slice(-maxKnown)
  return withMargin(situation, marginMs(await knownOrders(reads, some), some))
}

async function knownOrders(reads: Reads, orders: readonly Order[]): Promise<readonly KnownOrder[]> {
  const ownerIds = await reads.ownersOf(orders.map(({ id }) => id))
  const owners = await reads.readCheckouts([...ownerIds.values()].flatMap((id) => id ?? []))
  const certain = owners.filter(({ binding }) => isSettled(binding) && isIdentified(binding))
  const byOrder = new Map(certain.map((checkout) => [checkout.binding?.orderId, checkout]))
  return orders.flatMap((order) => {
    const checkout = byOrder.get(order.id)
    return checkout ? { order, checkout } : []
  })
}

/**
 * The margin in ms: twice the greatest difference that the known orders show, at most
 * `windowMarginMs`. Only an order without an equal one in its window counts, because it was
 * identified without using its time.
 *
 * @param listed - All orders of that time.
 */
export function marginMs(known: readonly KnownOrder[], listed: readonly Order[]): number {
  const equals = Map.groupBy(listed, labelOf)
  const apartMs = known.flatMap(({ order, checkout }) => {
    const window = attemptWindow(checkout)
    const isAlone = equals.get(labelOf(order))?.every((each) => each.id === order.id || !wasCreatedIn(each, window))
    return window && isAlone ? outsideMs(createdAtMs(order), narrowed(window, 0)) : []
  })
  if (apartMs.length < policy.clocks.leastKnownOrders || apartMs.some(Number.isNaN)) return policy.clocks.windowMarginMs
  return Math.min(policy.clocks.windowMarginMs, Math.max(policy.clocks.leastMarginMs, 2 * Math.max(...apartMs)))
}

/**
 * The situation with windows of this margin, in ms; undefined if that leaves no order for some
 * request.
 */
export function withMargin(situation: Situation, margin: number): Situation | undefined {
  if (margin >= policy.clocks.windowMarginMs || !situation.window) return undefined
  const createdMs = createdMsOf(situation)
  const others = situation.others.map(({ checkout, fits }) => {
    const window = attemptWindow(checkout)
    if (!window || fits.size < 2) return { checkout, fits }
    const { fromMs, toMs } = narrowed(window, margin)
    const isIn = (id: string) => createdMs(id) >= fromMs && createdMs(id) <= toMs
    return { checkout, fits: new Set([...fits].filter(isIn)) }
  })
  const nearer = { ...situation, window: narrowed(situation.window, margin), others }
  return possibleOrders(requestsOf(nearer), 0, createdMs).length > 0 ? nearer : undefined
}

function narrowed({ fromMs, toMs }: TimeWindow, margin: number): TimeWindow {
  return { fromMs: fromMs + policy.clocks.windowMarginMs - margin, toMs: toMs - policy.clocks.windowMarginMs + margin }
}

/** Distance of a time from a window, in ms; 0 within it. */
function outsideMs(atMs: number, { fromMs, toMs }: TimeWindow): number {
  return Math.max(0, fromMs - atMs, atMs - toMs)
}
