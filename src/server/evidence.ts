/**
 * Which order of the service belongs to a checkout: the rules of evidence, as a pure function of what is known. They never
 * guess: where two answers are possible there is none.
 */
import { equalDecimals, isDecimal } from '../contract/decimal.ts'
import { sameNetwork } from '../contract/networks.ts'
import type { Order } from '../service/types.ts'
import type { CheckoutRecord, Evidence, Instructions, TimeWindow } from './records.ts'

/** What is known when an order is looked for. Times are the service's own, ms since the epoch. */
export interface Situation {
  readonly checkout: CheckoutRecord
  readonly instructions: Instructions
  /** Orders that are bound to nobody, or to this checkout, that were created around the attempt. */
  readonly orders: readonly Order[]
  /** When the order of this checkout was created; null when the service sent no `Date`. */
  readonly window: TimeWindow | null
  /** When the orders of other creations that could be confused were created; `toMs` is infinite while one is open or lost. */
  readonly rivals: readonly TimeWindow[]
  /** Whether an order of somebody else appeared on this sub-account in the window. */
  readonly foreignInWindow: boolean
  /** Orders that were listed before the attempt was sent. */
  readonly listedBefore: ReadonlySet<string>
}

export type Verdict =
  | { readonly kind: 'found'; readonly orderId: string; readonly evidence: Evidence }
  | { readonly kind: 'unknown'; readonly candidates: readonly string[]; readonly mismatch: string | null }

/** Decides, strongest evidence first. */
export function weigh(situation: Situation): Verdict {
  const { checkout, instructions, orders } = situation
  const possible = orders.filter(
    (order) => !checkout.excluded.includes(order.id) && contradiction(order, checkout, instructions) === null,
  )
  const byAddress = possible.filter((order) => provesAddress(order, instructions))
  if (byAddress.length === 1 && byAddress[0]) return found(byAddress[0], 'address')
  // Some orders show their address and none of them is ours, or several are: what they do not show decides nothing more.
  const rest = byAddress.length > 1 ? byAddress : possible
  const byTime = rest.filter((order) => provesTime(order, instructions))
  if (byTime.length === 1 && byTime[0] && sameAmounts(byTime[0], checkout, instructions))
    return found(byTime[0], 'timestamp')
  const equal = rest.filter(
    (order) => sameAmounts(order, checkout, instructions) && !situation.listedBefore.has(order.id),
  )
  const inWindow = equal.filter((order) => within(order.createdAt, situation.window))
  const alone = !situation.foreignInWindow && !situation.rivals.some((rival) => overlaps(rival, situation.window))
  if (inWindow.length === 1 && inWindow[0] && alone && byAddress.length === 0)
    return found(inWindow[0], 'only_candidate')
  return {
    kind: 'unknown',
    candidates: (inWindow.length > 0 ? inWindow : equal).map(({ id }) => id),
    mismatch: nearestMismatch(orders, situation),
  }
}

/** Why an order cannot be the checkout's, in words; null when nothing speaks against it. */
export function contradiction(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  if (order.sourceAsset !== null && !sameWord(order.sourceAsset, checkout.method.asset))
    return `its source asset is ${order.sourceAsset}`
  if (order.targetAsset !== null && !sameWord(order.targetAsset, checkout.terms.price.asset))
    return `its target asset is ${order.targetAsset}`
  if (order.network !== null && !sameNetwork(order.network, checkout.method.network))
    return `its network is ${order.network}`
  if (order.walletAddress !== null && !sameAddress(order.walletAddress, instructions.address))
    return 'its wallet address is another'
  if (order.tag !== null && order.tag !== instructions.tag) return 'its tag is another'
  return null
}

/** An equal address is proof where the address is the checkout's own; where a tag tells deposits apart, an equal tag. */
function provesAddress(order: Order, instructions: Instructions): boolean {
  if (instructions.tag !== null) return order.tag === instructions.tag
  return order.walletAddress !== null && sameAddress(order.walletAddress, instructions.address)
}

/** A time of the order that equals a time of the instructions to the last digit both have, and that digit is a millisecond or less. */
function provesTime(order: Order, instructions: Instructions): boolean {
  const ours = [instructions.dateTime, isoOfEpochMs(instructions.expTime)]
  return [order.createdAt, order.validUntil].some((theirs) =>
    ours.some((time) => theirs !== null && time !== null && sameInstant(theirs, time)),
  )
}

function sameInstant(left: string, right: string): boolean {
  const [a, b] = [splitTime(left), splitTime(right)]
  if (!a || !b || a.seconds !== b.seconds) return false
  const digits = Math.min(a.fraction.length, b.fraction.length)
  return digits >= 3 && a.fraction.slice(0, digits) === b.fraction.slice(0, digits)
}

function splitTime(text: string): { seconds: number; fraction: string } | null {
  const match = /^(.+:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  const seconds = match ? Date.parse(`${match[1]?.replace(' ', 'T')}${match[3] ?? 'Z'}`) : Number.NaN
  // Zeros at the end may be digits that were never measured.
  return Number.isNaN(seconds) ? null : { seconds, fraction: (match?.[2] ?? '').replace(/0+$/, '') }
}

function isoOfEpochMs(text: string | null): string | null {
  return text !== null && /^\d{13}$/.test(text) ? new Date(Number(text)).toISOString() : null
}

/** Whether an order shows the assets and amounts of a checkout, and nothing that speaks against it. */
export function fitsExactly(order: Order | null, checkout: CheckoutRecord): boolean {
  const { instructions } = checkout
  return (
    order !== null &&
    instructions !== null &&
    contradiction(order, checkout, instructions) === null &&
    sameAmounts(order, checkout, instructions)
  )
}

function sameAmounts(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  return (
    sameDecimal(order.sourceAmount, instructions.amount) && sameDecimal(order.targetAmount, checkout.terms.price.amount)
  )
}

function sameDecimal(theirs: string | null, ours: string): boolean {
  return theirs !== null && isDecimal(theirs) && equalDecimals(theirs, ours)
}

/** Hex addresses differ in case without meaning anything by it; in base58 the case is part of the address. */
function sameAddress(left: string, right: string): boolean {
  return left === right || (/^(0x|bc1|tb1|ltc1|tltc1)/i.test(left) && left.toLowerCase() === right.toLowerCase())
}

function sameWord(left: string, right: string): boolean {
  return left.toUpperCase() === right.toUpperCase()
}

/** Milliseconds since the epoch of a service's time, or NaN. A time without a zone is UTC. */
export function serviceTimeMs(text: string | null): number {
  const time = text === null ? null : splitTime(text)
  return time ? time.seconds + Number(`0.${time.fraction || '0'}`) * 1000 : Number.NaN
}

export function within(createdAt: string | null, window: TimeWindow | null): boolean {
  const time = serviceTimeMs(createdAt)
  return window !== null && time >= window.fromMs && time <= window.toMs
}

/** Whether a rival may have been created in the window, which is every time where it is not known. */
export function overlaps(rival: TimeWindow, window: TimeWindow | null): boolean {
  return window === null || (rival.fromMs <= window.toMs && rival.toMs >= window.fromMs)
}

/** What kept the nearest order from being this checkout's: said to the merchant when nothing ever binds. */
function nearestMismatch(
  orders: readonly Order[],
  { checkout, instructions, window, foreignInWindow, rivals }: Situation,
): string | null {
  const order = orders.find((candidate) => within(candidate.createdAt, window)) ?? orders[0]
  if (!order) return 'the list has no order from that time'
  const against = contradiction(order, checkout, instructions)
  if (against) return `of order ${order.id}, ${against}`
  if (!sameDecimal(order.sourceAmount, instructions.amount))
    return `order ${order.id} has the source amount ${order.sourceAmount}, not ${instructions.amount}`
  if (!sameDecimal(order.targetAmount, checkout.terms.price.amount))
    return `order ${order.id} has the target amount ${order.targetAmount}, not ${checkout.terms.price.amount}`
  if (!within(order.createdAt, window))
    return `order ${order.id} was created at ${order.createdAt}, outside the time of the request`
  if (foreignInWindow) return 'orders that are not of this Paywindow were created on this sub-account at that time'
  if (rivals.length > 0) return 'other checkouts with these assets and amounts were created at that time'
  return `order ${order.id} was listed before the request was sent`
}

function found(order: Order, evidence: Evidence): Verdict {
  return { kind: 'found', orderId: order.id, evidence }
}
