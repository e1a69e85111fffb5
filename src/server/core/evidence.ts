/**
 * The rules of evidence: which order of the service belongs to a checkout, as a pure function of what is known. They never guess: where
 * two answers are possible there is none.
 */
import type { Order } from '../../service/types.ts'
import {
  agrees,
  contradiction,
  isShown,
  mayShowReceived,
  otherAmounts,
  sameAmounts,
  sameTarget,
  showsCreation,
  showsPlace,
  showsTimeOf,
} from './agreement.ts'
import { attemptOf } from './attempts.ts'
import { closedGroup, possibleOrders } from './counting.ts'
import { createdAtMs, showsAmounts, wasCreatedIn, type Zoned } from './facts.ts'
import { type AnsweredRequest, type CreatedMs, type Fits, inOrder } from './matching.ts'
import { policy } from './policy.ts'
import { isLocalTime, overlaps, serviceTimeMs } from './service-times.ts'
import {
  type Attempt,
  type CheckoutRecord,
  type Evidence,
  type Instructions,
  intentLabel,
  intentOf,
  type TimeWindow,
} from './types.ts'

const minuteMs = 60_000

/** What is known when an order is looked for. Times are the service's own, ms since the epoch. */
export interface Situation {
  readonly checkout: CheckoutRecord
  readonly instructions: Instructions
  /** Orders that were created around the attempt, with what their details show. */
  readonly orders: readonly Order[]
  /** All orders of the list, as it shows them. */
  readonly listed: readonly Order[]
  /** Those of them that are certainly another checkout's. */
  readonly taken: ReadonlySet<string>
  /** Those of them that were shared out because all were paid: nobody knows which is whose. */
  readonly settled: ReadonlySet<string>
  /** Those that another checkout has for the time being, and may have to give back. */
  readonly held: ReadonlySet<string>
  /** When the order of this checkout was created; null when the service sent no `Date`. */
  readonly window: TimeWindow | null
  /** Whether the list was read whole, and so late after the answer that it shows the order of this checkout. */
  readonly isListed: boolean
  /** Other answered requests whose order the list shows by now, with the orders that fit each: one where it is known. */
  readonly others: readonly OtherRequest[]
  /** Whether the list does not show yet the order of another request of that time: a later look knows more. */
  readonly isEarly: boolean
  /** Whether this process sent the request, and so knows which orders were listed before. */
  readonly isSender: boolean
  /** When the orders of other creations that could be confused were created; `toMs` is infinite while one is open or lost. */
  readonly rivals: readonly TimeWindow[]
  /** Whether an order of somebody else appeared on this sub-account in the window. */
  readonly foreignInWindow: boolean
  /** Orders that were listed before the attempt was sent. */
  readonly listedBefore: ReadonlySet<string>
  /** Marks shared with another recent checkout, which prove nothing. */
  readonly shared: { readonly place: boolean; readonly time: boolean }
}

/** A request of another checkout, and the orders that can be its own. */
export interface OtherRequest {
  readonly checkout: CheckoutRecord
  readonly fits: Fits
}

/** The order of a checkout, or the reason for none, with the candidates. */
export type Verdict =
  | Found
  | { readonly kind: 'unknown'; readonly candidates: readonly string[]; readonly mismatch: string | null }

/** The order of a checkout, and what shows it. */
export interface Found {
  readonly kind: 'found'
  readonly orderId: string
  readonly evidence: Evidence
  /** False while an order that the list does not show yet could speak against it. */
  readonly isCertain: boolean
}

/** What a proof by time depends on. */
export interface Timed extends Request, Pick<Situation, 'rivals'> {
  readonly shared: Pick<Situation['shared'], 'time'>
}

/** The order whose time of creation proves by itself that it is the checkout's; undefined where none does. */
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

/** Decides, strongest evidence first. */
export function weigh(situation: Situation): Verdict {
  const byTime = weighTime(situation)
  if (byTime) return byTime
  const { checkout, instructions, isListed, shared } = situation
  const possible = possibleIn(situation).filter((order) => agrees(order, checkout, instructions))
  const equal = possible.filter((order) => sameAmounts(order, checkout, instructions))

  const made = possible.filter((order) => mayBeMadeBy(order, situation))
  const showsTime = showsTimeOf(instructions)
  const isOfTheTime = (order: Order) => sameTarget(order, checkout, instructions) && showsTime(order)
  const bySecond = shared.time ? undefined : soleOf(made, isOfTheTime)
  const hasRival = situation.rivals.some((rival) => overlaps(rival, situation.window))
  const byPlace = shared.place ? undefined : soleAtPlace(made, situation)
  if (byPlace) return found(byPlace, 'address', { isCertain: isListed })
  if (bySecond) return found(bySecond, 'timestamp', { isCertain: isListed })

  const fitting = equal.filter((order) => isTimed(order) && isInTime(order, situation))
  const canCount = isCountable(situation)
  const counted = isListed && canCount ? possibleOrders(requestsOf(situation), 0, createdMsOf(situation)) : []
  const couldFit = fitsOf({ ...situation, taken: new Set() })
  const mayBeSettled = [...situation.settled].some((id) => couldFit.has(id))
  const sole = counted.length === 1 ? possible.find(({ id }) => id === counted[0]) : undefined
  if (sole && !mayBeSettled) return found(sole, 'only_candidate', { isCertain: true })
  const free = fitting.filter(({ id }) => !situation.held.has(id))
  const isAlone = !situation.foreignInWindow && !hasRival && canCount
  if (!isListed && free.length === 1 && free[0] && isAlone)
    return found(free[0], 'only_candidate', { isCertain: false })
  const left =
    counted.length > 0 ? equal.filter(({ id }) => counted.includes(id)) : ([fitting, equal, made].find(hasSome) ?? [])
  return { kind: 'unknown', candidates: left.map(({ id }) => id), mismatch: nearestMismatch(situation) }
}

/**
 * Whether every order that such a request may have made shows its amounts. While one does not, another may only seem to be the last one that
 * is left.
 */
function isCountable({ checkout, orders, taken }: Situation): boolean {
  return orders.every((order) => showsAmounts(order) || taken.has(order.id) || !isOrMayBeOf(order, checkout))
}

/** Whether what an order shows of its assets and its price is the checkout's: what it does not show may be. */
export function isOrMayBeOf({ sourceAsset, targetAsset, targetAmount }: Order, checkout: CheckoutRecord): boolean {
  const { method, terms } = checkout
  const label = intentOf(
    sourceAsset ?? method.asset,
    targetAsset ?? terms.price.asset,
    isShown(targetAmount) ? targetAmount : terms.price.amount,
  )
  return label === intentLabel(checkout)
}

/** The request in question, and all others that certainly made an order. */
export function requestsOf(situation: Situation): readonly AnsweredRequest[] {
  const { checkout, others } = situation
  const all = [{ checkout, fits: fitsOf(situation) }, ...others]
  const attempts = all.map((each) => attemptOf(each.checkout))
  const places = new Map(attempts.map((attempt, at) => [attempt?.id, at]))
  const requests = all.map(({ fits }, at) => ({ fits, after: placesBefore(attempts[at], attempts, places) }))
  return inOrder(requests, createdMsOf(situation))
}

/** Which of the requests were answered before this one was sent. */
function placesBefore(
  own: Attempt | undefined,
  attempts: readonly (Attempt | undefined)[],
  places: ReadonlyMap<string | undefined, number>,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const id of own?.window ? own.after : []) {
    const place = places.get(id)
    const other = place === undefined ? undefined : attempts[place]
    if (place === undefined || !own?.window || !other?.window || other.window.toMs > own.window.toMs) continue
    // Where the service's clock was set between the two, the later order may have the earlier time.
    const passedMs = own.window.fromMs - other.window.fromMs
    if (Math.abs(passedMs - (own.sentAtMs - other.sentAtMs)) < policy.clocks.setFromMs) found.add(place)
  }
  return found
}

/** When each order was created, where its time is one. */
export function createdMsOf({ listed }: Situation): CreatedMs {
  const times = new Map(listed.map((order) => [order.id, createdAtMs(order)]))
  return (orderId) => times.get(orderId) ?? Number.NaN
}

type Request = Pick<Situation, 'checkout' | 'instructions' | 'orders' | 'taken' | 'window' | 'listedBefore'>

/**
 * The orders that a request may have made: they show its assets and amounts, and were created when it was sent, or at a time that cannot be read.
 * Only a list that certainly has the request's own order says something by them: where none shows its amounts to the last digit, the service rounds
 * them, and its own is among those that agree but for that. Or it shows what has come by now: then it only keeps the others from being the last one.
 */
export function fitsOf(situation: Request): Fits {
  const { checkout, instructions } = situation
  const inTime = possibleIn(situation).filter((order) => isInTime(order, situation))
  const equal = inTime.filter((order) => sameAmounts(order, checkout, instructions))
  const rounded = (order: Order) => showsAmounts(order) && agrees(order, checkout, instructions)
  const received = inTime.filter((order) => mayShowReceived(order, checkout, instructions))
  return idsOf([...(equal.length > 0 ? equal : inTime.filter(rounded)), ...received])
}

function possibleIn({
  checkout,
  instructions,
  orders,
  taken,
}: Pick<Request, 'checkout' | 'instructions' | 'orders' | 'taken'>): readonly Order[] {
  return orders.filter(
    (order) =>
      !taken.has(order.id) &&
      !checkout.excluded.includes(order.id) &&
      contradiction(order, checkout, instructions) === null,
  )
}

function isInTime(order: Order, { window, listedBefore }: Request): boolean {
  return (wasCreatedIn(order, window) || !isTimed(order)) && !listedBefore.has(order.id)
}

function isTimed(order: Order): boolean {
  return !Number.isNaN(createdAtMs(order))
}

/** False for an order that was there before the request, or was created at another time than the request's and than its answer names. */
function mayBeMadeBy(order: Order, { instructions, window, listedBefore }: Request): boolean {
  if (listedBefore.has(order.id)) return false
  return (
    window === null ||
    !isTimed(order) ||
    wasCreatedIn(order, window) ||
    showsCreation(order, instructions, { isAlone: true })
  )
}

/** The order with the address of the instructions. An address, or a tag without one, that any other order has, too, proves nothing. */
function soleAtPlace(made: readonly Order[], { orders, instructions, checkout }: Situation): Order | undefined {
  const isThere = (each: Order) => showsPlace(each, instructions, checkout.method)
  const order = soleOf(made, isThere)
  const isByTag = order?.walletAddress === null
  const hasMark = (each: Order) => isThere(each) || (isByTag && isThere({ ...each, walletAddress: null }))
  return orders.filter(hasMark).length > 1 ? undefined : order
}

/** The only one of the orders of which this is true. */
function soleOf(orders: readonly Order[], is: (order: Order) => boolean): Order | undefined {
  const [first, ...more] = orders.filter(is)
  return more.length === 0 ? first : undefined
}

function idsOf(orders: readonly Order[]): Fits {
  return new Set(orders.map(({ id }) => id))
}

/** What kept the nearest order from being this checkout's: said to the merchant when nothing ever binds. */
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
  if (situation.listedBefore.has(order.id)) return `order ${order.id} was listed before the request was sent`
  if (!situation.isListed) return 'the list could not be read to its end, or not late enough to be sure of it'
  if (!isCountable(situation)) return 'another order of that time does not show its amounts, and may be the right one'
  return 'more orders fit than requests were made'
}

function hasSome({ length }: readonly Order[]): boolean {
  return length > 0
}

function found(order: Order, evidence: Evidence, { isCertain }: Pick<Found, 'isCertain'>): Found {
  return { kind: 'found', orderId: order.id, evidence, isCertain }
}

/** A checkout and an order that may be its own. */
interface GroupMember {
  readonly member: CheckoutRecord
  readonly orderId: string
}

/** Undefined where there is no group, or too many could belong to it. */
export type Group = readonly GroupMember[] | undefined

/** The checkouts that certainly have as many orders between them as they are, each with one of these orders: counted when asked, once. */
export function createGroup(situation: Situation): () => Group {
  let counted: { readonly group: Group } | undefined
  return () => {
    counted ??= { group: situation.isListed && isCountable(situation) ? groupOf(situation) : undefined }
    return counted.group
  }
}

/** An order that shows what has come in place of what was asked for is not as good as another for everybody. */
function groupOf(situation: Situation): Group {
  const others = situation.others.map(({ checkout }) => checkout)
  const counted = closedGroup(requestsOf(situation), 0, createdMsOf(situation))
  const group =
    counted && [...counted].map(([at, orderId]) => ({ member: others[at - 1] ?? situation.checkout, orderId }))
  const isEqual = ({ member, orderId }: GroupMember) => {
    const order = situation.orders.find(({ id }) => id === orderId)
    return order === undefined || member.instructions === null || agrees(order, member, member.instructions)
  }
  return group?.every(isEqual) ? group : undefined
}

/**
 * How far the service's own times are ahead of UTC, in minutes, as the order of a request shows: it was created in the request's window. Undefined
 * where orders of that price allow several zones, or none. While the list may not show the request's own order, a zone that is known stays.
 */
export function zoneOf({ checkout, instructions, listed, taken, window, isListed }: Situation): number | undefined {
  if (window === null || window.toMs - window.fromMs >= policy.clocks.zonesMinutes.step * minuteMs) return undefined
  if (!isListed && listed.some((order: Zoned) => order.zoneMinutes !== undefined)) return undefined
  const possible = new Set<number>()
  for (const order of listed) {
    if (!isLocalTime(order.createdAt) || taken.has(order.id) || checkout.excluded.includes(order.id)) continue
    if (contradiction(order, checkout, instructions) !== null || !sameTarget(order, checkout, instructions)) continue
    const aheadMs = serviceTimeMs(order.createdAt) - window.toMs
    const minutes = Math.ceil(aheadMs / minuteMs / policy.clocks.zonesMinutes.step) * policy.clocks.zonesMinutes.step
    const isInWindow = minutes * minuteMs - aheadMs <= window.toMs - window.fromMs
    if (isInWindow && minutes >= policy.clocks.zonesMinutes.least && minutes <= policy.clocks.zonesMinutes.most)
      possible.add(minutes)
  }
  const [minutes, ...more] = possible
  return more.length === 0 ? minutes : undefined
}
