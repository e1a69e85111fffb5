/** What the sequence of requests says of their orders: a request that was sent after another's answer has a later one. */
import type { CheckoutRecord } from '../records/types.ts'
import { agrees } from './agreement.ts'
import { closedGroup } from './counting.ts'
import { createdMsOf, isCountable, requestsOf, type Situation } from './evidence.ts'

/** The orders that fit a request, by their ids. */
export type Fits = ReadonlySet<string>

/** A request that was answered so long ago that the list shows its order. */
export interface AnsweredRequest {
  readonly fits: Fits
  /** Places of the requests whose answers were known before this one was sent. */
  readonly after: ReadonlySet<number>
}

/** When the service created an order, ms since its epoch. */
export type CreatedMs = (orderId: string) => number

/**
 * The requests without the orders that are too early for one that was sent after another's answer, or too late for that other one,
 * whichever of its orders each has.
 */
export function inOrder(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const spans = requests.map(({ fits }) => spanOf(fits, createdMs))
  const bounds = boundsOf(requests, spans)
  const left = requests.map((request, at): AnsweredRequest => {
    const [span, bound] = [spans[at], bounds[at]]
    if (!span || !bound || (span.fromMs >= bound.fromMs && span.toMs <= bound.toMs)) return request
    const canBe = (atMs: number) => !(atMs < bound.fromMs) && !(atMs > bound.toMs)
    return { ...request, fits: new Set([...request.fits].filter((order) => canBe(createdMs(order)))) }
  })
  return left.some(({ fits }, at) => fits.size !== requests[at]?.fits.size) ? inOrder(left, createdMs) : requests
}

/** The times of the first and the last of some orders; `NaN` where one of them has none. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Unlimited where there are no orders. */
export function spanOf(fits: Fits, createdMs: CreatedMs): Span {
  if (fits.size === 0) return { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const order of fits) {
    fromMs = Math.min(fromMs, createdMs(order))
    toMs = Math.max(toMs, createdMs(order))
  }
  return { fromMs, toMs }
}

/** Between which times the order of each request was made, as the requests before and after it say. A time that is not known says nothing. */
function boundsOf(requests: readonly AnsweredRequest[], spans: readonly Span[]): readonly Span[] {
  const bounds = requests.map(() => ({ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }))
  for (const [at, { after }] of requests.entries())
    for (const before of after) {
      const [own, others] = [bounds[at], bounds[before]]
      const [span, othersSpan] = [spans[at], spans[before]]
      if (!own || !others || !span || !othersSpan) continue
      if (othersSpan.fromMs > own.fromMs) own.fromMs = othersSpan.fromMs
      if (span.toMs < others.toMs) others.toMs = span.toMs
    }
  return bounds
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
