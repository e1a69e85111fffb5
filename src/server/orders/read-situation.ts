/**
 * Gathers the situation of a checkout: the orders of the list, their details, and the records of
 * other checkouts. `core/evidence.ts` weighs it.
 */
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { isOfOtherSubAccount, marksOf, showsCreation, showsPlace, showsTimeOf } from '../core/agreement.ts'
import { type Situation, type Timed, zoneOf } from '../core/evidence.ts'
import { createdAtMs, inZone, labelOf, wasCreatedIn } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { isLocalTime, overlaps, serviceTimeMs } from '../core/service-times.ts'
import { attemptOf, attemptWindow, isSettled } from '../core/transitions.ts'
import {
  type CheckoutLabel,
  type CheckoutRecord,
  type Instructions,
  intentLabel,
  type TimeWindow,
} from '../core/types.ts'
import { createFewAtATime } from '../time/work.ts'
import type { CompleteOrders } from './order-details.ts'
import type { OrderList } from './order-list.ts'
import {
  isListed,
  knownRequests,
  type OwnerIds,
  type Owners,
  openRequests,
  readClaimants,
  rivalsOf,
} from './other-requests.ts'
import { createRecordReads, type RecordReads } from './record-reads.ts'

/** Checkouts of the same assets and price that are compared with each other. */
const maxOthers = 1_000
/**
 * Searches that go on in one turn of the event loop. More would block it; fewer would read the
 * store more often.
 */
const fewSearches = 4

/** Reads the situation of a checkout. */
export type ReadSituation = ReturnType<typeof createReadSituation>

/**
 * Returns a function that reads the situation in steps. It reads the service's list, unless a
 * reading is at most `maxAgeMs` old, and rejects with a ServiceError. Searches at the same time
 * share their reads of the list and of the store.
 */
export function createReadSituation(context: Context, orderList: OrderList, complete: CompleteOrders) {
  const { settings, now } = context
  const reads = createRecordReads(context)
  const fewAtATime = createFewAtATime(context, fewSearches)
  return async (checkout: CheckoutRecord, instructions: Instructions, maxAgeMs: number) => {
    const attempt = attemptOf(checkout)
    const window = attempt?.window ?? null
    const around = widened(window, instructions.sentAtMs)
    const listing = await orderList.since(Math.min(around.fromMs, namedMs(instructions, around)), maxAgeMs)
    const listed = listing.orders.filter((order) => !isOfOtherSubAccount(order, settings.service.subAccountId))
    // A service may write local times as UTC, in its answer and in its list.
    const isNamed = (order: Order) => showsCreation(order, instructions, { isAlone: false })
    const isNear = (order: Order) => Number.isNaN(createdAtMs(order)) || wasCreatedIn(order, around) || isNamed(order)
    const near = listed.filter(isNear)
    // The other checkouts whose orders could be confused with this one's.
    const equals = (await reads.listCheckouts(intentLabel(checkout), maxOthers)).filter(({ id }) => id !== checkout.id)
    const marks = marksOf(instructions, checkout.method)
    const timely = near.filter(showsTimeOf(instructions))
    const timelyOwners = await reads.ownersOf(idsOf(timely))
    const isTimeShared = timely.length > 0 && (await isShared(reads, checkout, marks.times))
    // Many searches wait for one reading, and the comparisons of each take some milliseconds.
    await fewAtATime()
    const { rivals, lost } = rivalsOf([checkout, ...equals], attempt, now())
    const { taken } = byCertainty(timelyOwners, checkout, equals)
    /** For a proof by the time of creation: cheap, and mostly enough. */
    const timed: Timed = {
      checkout,
      instructions,
      orders: timely,
      taken,
      window,
      rivals,
      shared: { time: isTimeShared },
    }

    const readWhole = async (listed: readonly Order[]): Promise<Situation> => {
      const near = listed.filter(isNear)
      const ownerIds = await reads.ownersOf(idsOf(listed))
      const { orders, areRead } = await complete(near, checkout, instructions)
      const ofNobody = orders.filter((order) => wasCreatedIn(order, window) && !ownerIds.has(order.id))
      const isPlaced = orders.some((order) => showsPlace(order, instructions, checkout.method))
      const isPlaceShared = !areRead || (isPlaced && (await isShared(reads, checkout, [marks.place])))
      const { all, owned, bound } = await readClaimants(reads, checkout, near, ownerIds)
      // `equals` last: the open requests below use the same version of these records.
      const owners = byCertainty(owned, checkout, [...all, ...equals])
      const known = knownRequests(bound)
      const knownIds = new Set(known.map((request) => request.checkout.id))
      const nowMs = now()
      const isWhole = isListed(checkout, listing, nowMs)
      // An unreadable order or record may hide another checkout's order. In a complete list orders
      // are counted, so foreign ones do not matter.
      const foreignInWindow =
        !isWhole &&
        (!listing.isComplete ||
          (await reads.hasUnreadable(intentLabel(checkout), checkout.createdAtMs)) ||
          (await hasForeign(reads, ofNobody, checkout)))
      await fewAtATime()
      // A checkout that was bound after `equals` was read is among the known requests, and counts
      // once.
      const open = equals.filter((each) => each.instructions && !isSettled(each.binding) && !knownIds.has(each.id))
      return {
        ...timed,
        orders,
        listed,
        ...owners,
        interchangeable: new Set(
          [...bound].flatMap(([id, { binding }]) => (binding?.evidence === 'all_paid' ? id : [])),
        ),
        isListed: isWhole,
        others: [...openRequests(open, { listing, orders: listed, taken: owners.taken, around, nowMs }), ...known],
        isEarly: open.some((each) => wasSentIn(each, around) && !isListed(each, listing, nowMs)),
        foreignInWindow,
        hasLost: lost.some((each) => overlaps(each, window)),
        shared: { time: isTimeShared, place: isPlaceShared },
      }
    }
    /** Reads other checkouts, and the details of orders whose address the list does not show. */
    const whole = async (): Promise<Situation> => {
      const situation = await readWhole(listed)
      const zoneMinutes = zoneOf(situation)
      if (zoneMinutes === undefined) return situation
      if (situation.isListed) orderList.noteZone(zoneMinutes)
      const zoned = listed.map((order) => inZone(order, zoneMinutes))
      return zoned.some((order, at) => order !== listed[at]) ? readWhole(zoned) : situation
    }
    return { timed, whole }
  }
}

/**
 * Sorts the claims of other checkouts.
 *
 * @param claimants - The last record of a checkout counts. The claim of a missing checkout is
 *   certain.
 */
function byCertainty(ownerIds: OwnerIds, { id: ownId }: CheckoutRecord, claimants: readonly CheckoutRecord[]): Owners {
  const taken = new Set<string>()
  const held = new Set<string>()
  const byId = new Map(claimants.map((each) => [each.id, each]))
  for (const [id, ownerId] of ownerIds) {
    if (ownerId === undefined || ownerId === ownId) continue
    const owner = byId.get(ownerId)
    // A claim without a binding was left behind by a process that died, or by a call to the store
    // that was given up.
    const isCertain = !owner || (owner.binding?.orderId === id && isSettled(owner.binding))
    if (isCertain) taken.add(id)
    else held.add(id)
  }
  return { taken, held }
}

/**
 * Whether another recent checkout has one of the marks. Shared marks do not show the owner of an
 * order.
 */
async function isShared(
  reads: RecordReads,
  checkout: CheckoutRecord,
  marks: readonly CheckoutLabel[],
): Promise<boolean> {
  const isOther = ({ id, createdAtMs }: CheckoutRecord) =>
    id !== checkout.id && Math.abs(createdAtMs - checkout.createdAtMs) < policy.search.comparedWithinMs
  const found = await Promise.all(marks.map((mark) => reads.listCheckouts(mark, 10)))
  return found.some((checkouts) => checkouts.some(isOther))
}

/** Whether this shop did not request some of the orders. */
async function hasForeign(reads: RecordReads, orders: readonly Order[], checkout: CheckoutRecord): Promise<boolean> {
  for (const order of orders) {
    const label = labelOf(order)
    if (label === intentLabel(checkout)) continue
    if (await reads.isKnown(label)) continue
    // An order that was claimed meanwhile belongs to this shop.
    if ((await reads.ownerOf(order.id)) === undefined) return true
  }
  return false
}

function wasSentIn(checkout: CheckoutRecord, around: TimeWindow): boolean {
  const window = attemptWindow(checkout)
  return window !== null && overlaps(window, around)
}

/**
 * The answer's time of creation, if it names its zone; infinite unless it is within the day before.
 */
function namedMs({ dateTime }: Instructions, around: TimeWindow): number {
  const atMs = isLocalTime(dateTime) ? Number.NaN : serviceTimeMs(dateTime)
  return around.fromMs - atMs < policy.search.comparedWithinMs ? atMs : Number.POSITIVE_INFINITY
}

/** The window of an attempt with a minute more on both sides, for different clocks. */
export function widened(window: TimeWindow | null, sentAtMs: number): TimeWindow {
  const { fromMs, toMs } = window ?? { fromMs: sentAtMs, toMs: sentAtMs + policy.search.lostUntilMs }
  return { fromMs: fromMs - 60_000, toMs: toMs + 60_000 }
}

function idsOf(orders: readonly Order[]): readonly string[] {
  return orders.map(({ id }) => id)
}
