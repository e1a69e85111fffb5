/**
 * The rules of evidence: which order of the service belongs to a checkout, as pure functions of
 * what is known. They never guess: where two orders are possible, the verdict is `unknown`.
 */
import type { Order } from '../../service/types.ts'
import {
  agrees,
  contradiction,
  mayBeEqual,
  mayShowReceived,
  otherAmounts,
  sameAmounts,
  sameTarget,
  showsCreation,
  showsPlace,
  showsTimeOf,
  wasCandidate,
} from './agreement.ts'
import { closedGroup, possibleOrders } from './counting.ts'
import { createdAtMs, showsAmounts, wasCreatedIn, type Zoned, zoneInto } from './facts.ts'
import { type AnsweredRequest, type CreatedMs, type Fits, inOrder } from './matching.ts'
import { policy } from './policy.ts'
import { isLocalTime, overlaps, serviceTimeMs } from './service-times.ts'
import { attemptOf, type NewBinding } from './transitions.ts'
import type { Attempt, CheckoutRecord, Evidence, Instructions, TimeWindow } from './types.ts'

const minuteMs = 60_000

/** All knowledge for the search of an order. Times are by the service's clock. */
export interface Situation {
  readonly checkout: CheckoutRecord
  readonly instructions: Instructions
  /** Orders that were created around the time of the request, completed from their details. */
  readonly orders: readonly Order[]
  /** All orders of the list, as the list shows them. */
  readonly listed: readonly Order[]
  /** Ids of orders that are certainly another checkout's. */
  readonly taken: ReadonlySet<string>
  /** Ids of orders with the evidence `all_paid`: any of several checkouts may own them. */
  readonly interchangeable: ReadonlySet<string>
  /** Ids of orders that another checkout has claimed and may have to give back. */
  readonly held: ReadonlySet<string>
  /** When the order of this checkout was created; null when the service sent no `Date`. */
  readonly window: TimeWindow | null
  /** Whether the list certainly shows this checkout's order: it was read whole, and late enough. */
  readonly isListed: boolean
  /** Other answered requests whose orders the list certainly shows. */
  readonly others: readonly OtherRequest[]
  /** Whether the list may still lack the order of another request of that time. */
  readonly isEarly: boolean
  /** When other requests with the same assets and amount may have made their orders. */
  readonly rivals: readonly TimeWindow[]
  /** Whether an order in the window may be a stranger's. */
  readonly foreignInWindow: boolean
  /** Whether an equal request without an answer may have made an order in the window. */
  readonly hasLost: boolean
  /** Whether another recent checkout has the same address or time, which then proves nothing. */
  readonly shared: { readonly place: boolean; readonly time: boolean }
}

/** A request of another checkout, and the orders that fit it; only one if its order is known. */
export interface OtherRequest {
  readonly checkout: CheckoutRecord
  readonly fits: Fits
}

/** The order of a checkout; or the candidates, and the reason why none of them is certain. */
export type Verdict =
  | Found
  | { readonly kind: 'unknown'; readonly candidates: readonly string[]; readonly mismatch: string | null }

/**
 * The order of a checkout. It is not certain while an order that is not listed yet could refute it.
 */
export type Found = NewBinding & { readonly kind: 'found' }

/** The part of a situation that a proof by time depends on. */
export type Timed = Request & Pick<Situation, 'rivals'> & { readonly shared: Pick<Situation['shared'], 'time'> }

/** The order whose time of creation alone proves that it is the checkout's, if there is one. */
export function weighTime(timed: Timed): Found | undefined {
  const { checkout, instructions, shared, rivals, window } = timed
  if (shared.time) return undefined
  const order = soleOf(
    possibleIn(timed).filter((each) => sameTarget(each, checkout, instructions) && mayBeMadeBy(each, timed)),
    showsTimeOf(instructions),
  )
  const hasRival = rivals.some((rival) => overlaps(rival, window))
  return order && showsCreation(order, instructions, { isAlone: !hasRival })
    ? found(order, 'timestamp', { isCertain: true })
    : undefined
}

/** Decides which order is the checkout's, by the strongest evidence that there is. */
export function weigh(situation: Situation): Verdict {
  const byTime = weighTime(situation)
  if (byTime) return byTime
  const { checkout, instructions, isListed, shared } = situation
  const all = possibleIn(situation)
  const possible = all.filter((order) => agrees(order, checkout, instructions))
  const made = possible.filter((order) => mayBeMadeBy(order, situation))
  // If the list shows a single order at the place, it is the checkout's, whatever was deposited.
  const deposits = all.filter((order) => isListed && order.status !== 'open' && isInTime(order, situation))

  const byPlace = shared.place ? undefined : (soleAtPlace(made, situation) ?? soleAtPlace(deposits, situation))
  if (byPlace) return found(byPlace, 'address', { isCertain: isListed })

  const showsTime = showsTimeOf(instructions)
  const isOfTheTime = (order: Order) => sameTarget(order, checkout, instructions) && showsTime(order)
  const bySecond = shared.time ? undefined : soleOf(made, isOfTheTime)
  if (bySecond) return found(bySecond, 'timestamp', { isCertain: isListed })

  const canCount = isCountable(situation)
  const counted = isListed && canCount ? possibleOrders(requestsOf(situation), 0, createdMsOf(situation)) : []
  const sole = counted.length === 1 ? possible.find(({ id }) => id === counted[0]) : undefined
  const couldFit = fitsOf({ ...situation, taken: new Set() })
  const mayBeSharedOut = [...situation.interchangeable].some((id) => couldFit.has(id))
  if (sole && !mayBeSharedOut) return found(sole, 'only_candidate', { isCertain: true })

  // The list may not show all orders yet. The only order that fits is then bound provisionally.
  const exact = possible.filter((order) => sameAmounts(order, checkout, instructions))
  const isEqual = (order: Order) => exact.includes(order) || wasCandidate(order, checkout)
  const equal = exact.length > 0 ? possible.filter(isEqual) : []
  const fitting = equal.filter((order) => isTimed(order) && isInTime(order, situation))
  const free = fitting.filter(({ id }) => !situation.held.has(id))
  const hasRival = situation.rivals.some((rival) => overlaps(rival, situation.window))
  const isAlone = !situation.foreignInWindow && !hasRival && canCount
  if (!isListed && free.length === 1 && free[0] && isAlone)
    return found(free[0], 'only_candidate', { isCertain: false })

  const left =
    counted.length > 0
      ? situation.orders.filter(({ id }) => counted.includes(id))
      : ([fitting, equal, made].find(({ length }) => length > 0) ?? [])
  return { kind: 'unknown', candidates: left.map(({ id }) => id), mismatch: nearestMismatch(situation) }
}

/**
 * Whether every order that may be the checkout's shows its amounts. An order without amounts could
 * be the right one, so counting would prove nothing.
 */
function isCountable({ checkout, orders, taken }: Situation): boolean {
  return orders.every((order) => showsAmounts(order) || taken.has(order.id) || !mayBeEqual(order, checkout))
}

/** The checkout's request, and all others that certainly made an order. */
function requestsOf(situation: Situation): readonly AnsweredRequest[] {
  const { checkout, others } = situation
  const all = [{ checkout, fits: fitsOf(situation) }, ...others]
  const attempts = all.map((each) => attemptOf(each.checkout))
  const indexOfId = new Map(attempts.map((attempt, at) => [attempt?.id, at]))
  const requests = all.map(({ fits }, at) => ({ fits, after: indicesBefore(attempts[at], attempts, indexOfId) }))
  return inOrder(requests, createdMsOf(situation))
}

/** The indices of the requests that were answered before this request was sent. */
function indicesBefore(
  own: Attempt | undefined,
  attempts: readonly (Attempt | undefined)[],
  indexOfId: ReadonlyMap<string | undefined, number>,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const id of own?.window ? own.after : []) {
    const index = indexOfId.get(id)
    const other = index === undefined ? undefined : attempts[index]
    if (index === undefined || !own?.window || !other?.window || other.window.toMs > own.window.toMs) continue
    // If the service's clock was set between the two, the later order may have the earlier time.
    const passedMs = own.window.fromMs - other.window.fromMs
    if (Math.abs(passedMs - (own.sentAtMs - other.sentAtMs)) < policy.clocks.setFromMs) found.add(index)
  }
  return found
}

/** When each listed order was created; NaN where that is not known. */
function createdMsOf({ listed }: Situation): CreatedMs {
  const times = new Map(listed.map((order) => [order.id, createdAtMs(order)]))
  return (orderId) => times.get(orderId) ?? Number.NaN
}

type Request = Pick<Situation, 'checkout' | 'instructions' | 'orders' | 'taken' | 'window'>

/**
 * The orders that fit a request: they show its assets and amounts, and were created in its window
 * or at a time that cannot be read. If some orders have the exact amounts, the service does not
 * round, and rounded amounts do not fit. Two kinds of orders always fit, because they may be the
 * request's own: a former candidate with a deposit, and an order that may show a deposit's amount.
 * If `hasLost`, each order with a deposit fits: the deposit may have changed both amounts.
 */
export function fitsOf(situation: Request & Partial<Pick<Situation, 'hasLost'>>): Fits {
  const { checkout, instructions, hasLost } = situation
  const inTime = possibleIn(situation).filter((order) => isInTime(order, situation))
  const equal = inTime.filter((order) => sameAmounts(order, checkout, instructions))
  const rounded = (order: Order) => showsAmounts(order) && agrees(order, checkout, instructions)
  const hasDeposit = (order: Order) =>
    hasLost ? order.status !== 'open' : mayShowReceived(order, checkout, instructions)
  const received = inTime.filter((order) => wasCandidate(order, checkout) || hasDeposit(order))
  const fitting = [...(equal.length > 0 ? equal : inTime.filter(rounded)), ...received]
  return new Set(fitting.map(({ id }) => id))
}

function possibleIn({ checkout, instructions, orders, taken }: Request): readonly Order[] {
  return orders.filter(
    (order) =>
      !taken.has(order.id) &&
      !checkout.excluded.includes(order.id) &&
      contradiction(order, checkout, instructions) === null,
  )
}

function isInTime(order: Order, { window, checkout }: Request): boolean {
  return (wasCreatedIn(order, window) || !isTimed(order)) && !wasListedBefore(order, checkout)
}

/** Whether the list showed an order before the checkout's request was sent. */
function wasListedBefore({ id }: Order, checkout: CheckoutRecord): boolean {
  return attemptOf(checkout)?.listed?.includes(id) === true
}

function isTimed(order: Order): boolean {
  return !Number.isNaN(createdAtMs(order))
}

/**
 * Whether the request can have made the order. False if the list showed the order before, or its
 * time is neither in the request's window nor the time that the answer names.
 */
function mayBeMadeBy(order: Order, { checkout, instructions, window }: Request): boolean {
  if (mayBeOfLost(order, checkout, instructions, window)) return true
  if (wasListedBefore(order, checkout)) return false
  return (
    window === null ||
    !isTimed(order) ||
    wasCreatedIn(order, window) ||
    showsCreation(order, instructions, { isAlone: true })
  )
}

/**
 * Whether an earlier attempt of the checkout may have made the order: the answer names its place
 * or, to ten microseconds, its time. A service may answer equal requests with one order.
 */
function mayBeOfLost(order: Order, { attempts, method }: CheckoutRecord, own: Instructions, window: Request['window']) {
  const first = attempts.find(({ outcome }) => outcome === 'lost')
  if (!first || !window) return false
  const since = { fromMs: window.fromMs + first.sentAtMs - own.sentAtMs, toMs: window.toMs }
  return wasCreatedIn(order, since) && (showsPlace(order, own, method) || showsCreation(order, own, { isAlone: false }))
}

/**
 * The order with the address of the instructions; undefined where several orders have it. Where the
 * order shows only a tag, undefined also if another order has the same tag.
 */
function soleAtPlace(made: readonly Order[], { orders, instructions, checkout }: Situation): Order | undefined {
  const isThere = (each: Order) => showsPlace(each, instructions, checkout.method)
  const order = soleOf(made, isThere)
  const isByTag = order?.walletAddress === null
  const hasMark = (each: Order) => isThere(each) || (isByTag && isThere({ ...each, walletAddress: null }))
  return orders.filter(hasMark).length > 1 ? undefined : order
}

/** The only order for which this is true. */
function soleOf(orders: readonly Order[], is: (order: Order) => boolean): Order | undefined {
  const [first, ...more] = orders.filter(is)
  return more.length === 0 ? first : undefined
}

/** Why the nearest order is not this checkout's, in words, for the merchant. */
function nearestMismatch(situation: Situation): string | null {
  const { checkout, instructions, window, orders, taken } = situation
  const nearest = (among: readonly Order[]) => among.find((each) => wasCreatedIn(each, window)) ?? among[0]
  const order = nearest(orders.filter(({ id }) => !taken.has(id)))
  if (!order) return 'the list has no order from that time'
  const against = contradiction(order, checkout, instructions) ?? otherAmounts(order, checkout, instructions)
  if (against) return `of order ${order.id}, ${against}`
  if (!showsAmounts(order)) return `order ${order.id} does not show its amounts`
  if (!isTimed(order)) return `the time of order ${order.id} says no moment: ${order.createdAt ?? 'it shows none'}`
  if (!wasCreatedIn(order, window))
    return `order ${order.id} was created at ${order.createdAt}, outside the time of the request`
  if (wasListedBefore(order, checkout)) return `order ${order.id} was listed before the request was sent`
  if (!situation.isListed) return 'the list could not be read to its end, or not late enough to be sure of it'
  if (!isCountable(situation)) return 'another order of that time does not show its amounts, and may be the right one'
  return 'more orders fit than requests were made'
}

function found(order: Order, evidence: Evidence, { isCertain }: Pick<Found, 'isCertain'>): Found {
  return { kind: 'found', orderId: order.id, evidence, isCertain }
}

/** A checkout of a group, and the order that counting assigned to it. */
interface GroupMember {
  readonly member: CheckoutRecord
  readonly orderId: string
}

/** Undefined where there are more orders than checkouts. */
export type Group = readonly GroupMember[] | undefined

/**
 * Returns a function that finds the group of a checkout: equal checkouts with as many possible
 * orders as checkouts, each with one of the orders. It counts once, when it is first called.
 */
export function createGroup(situation: Situation): () => Group {
  let counted: { readonly group: Group } | undefined
  return () => {
    counted ??= { group: situation.isListed && isCountable(situation) ? groupOf(situation) : undefined }
    return counted.group
  }
}

/**
 * No group if an order shows another amount than the requested one: then the orders are not
 * interchangeable.
 */
function groupOf(situation: Situation): Group {
  const others = situation.others.map(({ checkout }) => checkout)
  const counted = closedGroup(requestsOf(situation), 0, createdMsOf(situation))
  const group =
    counted && [...counted].map(([at, orderId]) => ({ member: others[at - 1] ?? situation.checkout, orderId }))
  const isEqual = ({ member, orderId }: GroupMember) => {
    const order = situation.orders.find(({ id }) => id === orderId)
    return (
      order === undefined || member.instructions === null || otherAmounts(order, member, member.instructions) === null
    )
  }
  return group?.every(isEqual) ? group : undefined
}

/**
 * The zone of times that name none, in minutes ahead of UTC: only one zone puts the checkout's
 * order into the window of its request. Undefined where the orders of that price allow several
 * zones or none. While the checkout's order may be missing from the list, a zone that is already
 * known stays.
 */
export function zoneOf({ checkout, instructions, listed, taken, window, isListed }: Situation): number | undefined {
  if (window === null || window.toMs - window.fromMs >= policy.clocks.zonesMinutes.step * minuteMs) return undefined
  if (!isListed && listed.some((order: Zoned) => order.zoneMinutes !== undefined)) return undefined
  const possible = new Set<number>()
  for (const order of listed) {
    if (!isLocalTime(order.createdAt) || taken.has(order.id) || checkout.excluded.includes(order.id)) continue
    if (contradiction(order, checkout, instructions) !== null || !sameTarget(order, checkout, instructions)) continue
    const minutes = zoneInto(window, serviceTimeMs(order.createdAt))
    if (minutes !== undefined) possible.add(minutes)
  }
  const [minutes, ...more] = possible
  return more.length === 0 ? minutes : undefined
}
