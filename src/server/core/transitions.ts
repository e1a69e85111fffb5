/**
 * How a checkout changes: a status, a binding, an event. An answer that would take back a payment or
 * a deposit mostly comes from an old copy of the service's data, so it is held until all that can be
 * asked has shown it for a while.
 */
import type { OrderStatus, Phase } from '../../contract/checkout.ts'
import type { Timing } from '../../service/types.ts'
import type { Method, OfferTerms } from '../offers.ts'
import { policy } from './policy.ts'
import { differenceOf, type Shown } from './received.ts'
import type { AnswerTimes, ChangeEvent, CheckoutRecord, Evidence, PendingEvent, TakingBack } from './types.ts'
import { bounds } from './types.ts'

/** What changes depend on besides the record. */
export interface LifecycleRules {
  readonly phaseOf: Readonly<Record<OrderStatus, Phase>>
  /** A name that no other change has, even after the store was restored to an earlier state. */
  eventId(checkoutId: string, status: OrderStatus): string
}

/** A checkout for which the service was not asked yet. */
export function newCheckout(of: {
  reference: string
  method: Method
  terms: OfferTerms
  offeredAmount?: string | undefined
  test: boolean
  account?: string
  nowMs: number
  id: string
  key: string
}): CheckoutRecord {
  return {
    v: 1,
    id: of.id,
    key: of.key,
    reference: of.reference,
    method: of.method,
    terms: of.terms,
    ...(of.offeredAmount !== undefined &&
      of.offeredAmount !== of.terms.price.amount && { offeredAmount: of.offeredAmount }),
    test: of.test,
    ...(of.account !== undefined && { account: of.account }),
    createdAtMs: of.nowMs,
    attempts: [],
    refusedAtMs: [],
    instructions: null,
    binding: null,
    candidates: [],
    excluded: [],
    unresolvedTold: false,
    status: 'open',
    statusAsOfMs: null,
    history: [],
    revision: 1,
    events: [],
    lastEvent: null,
    eventCount: 0,
    views: [],
    nextLookAtMs: null,
  }
}

/** The times of an answer. A service that sends no `Date` is taken to write at once. */
export function timesOf({ serviceDateMs, sentAtMs }: Pick<Timing, 'serviceDateMs' | 'sentAtMs'>): AnswerTimes {
  return { sentAtMs, asOfMs: serviceDateMs ?? sentAtMs }
}

/**
 * Whether an answer was, or may have been, written before the one that brought the present status. A `Date` has whole seconds: of two
 * answers of the same second the one that is further on counts, until a later one says otherwise. And the service's clock may have been
 * set between the two, or this answer come from a copy that is behind: so what takes a status back is noted only if it was asked for a minute
 * after that status was stored.
 */
export function isStale(checkout: CheckoutRecord, status: OrderStatus, { asOfMs, sentAtMs }: AnswerTimes): boolean {
  if (checkout.statusAsOfMs === null) return false
  const sentBeforeMs = Date.parse(checkout.history.at(-1)?.at ?? '') - sentAtMs
  // Times that are further apart are those of two servers whose clocks disagree.
  if (
    takesBack(checkout, status) &&
    sentBeforeMs > -policy.answers.behindOthersMs &&
    sentBeforeMs < policy.answers.latestMs
  )
    return true
  const behindMs = checkout.statusAsOfMs - asOfMs
  return behindMs === 0 ? takesBack(checkout, status) : behindMs > 0 && behindMs < policy.answers.latestMs
}

/** When what takes the present status back counts at the earliest. */
export function takenBackFromMs({ history }: CheckoutRecord): number {
  return Date.parse(history.at(-1)?.at ?? '') + policy.answers.behindOthersMs
}

/** Whether an answer to a request is too old to be judged by its `Date`. Both times are those of one process. */
export function isOutdated(sentAtMs: number, nowMs: number): boolean {
  return nowMs - sentAtMs >= policy.answers.latestMs - policy.answers.dateStepMs
}

/**
 * Takes over a status of the service. Returns its argument when it is the one already known. The event is stored whoever sees the
 * change first: whether that process can deliver it is another question.
 *
 * @param shown - What the order showed, where the status means that it is paid.
 */
export function withStatus(
  checkout: CheckoutRecord,
  status: OrderStatus,
  nowMs: number,
  { phaseOf, eventId }: LifecycleRules,
  shown?: Shown,
): CheckoutRecord {
  if (status === checkout.status) return checkout
  const at = new Date(nowMs).toISOString()
  const difference = differenceOf(checkout, shown)
  const event: ChangeEvent = {
    eventId: eventId(checkout.id, status),
    status,
    previousStatus: checkout.status,
    at,
    ...(difference !== 'same' && { difference }),
  }
  return {
    ...checkout,
    status,
    // With the phases of the first version: a process that knows no others reads it, too.
    history: [...checkout.history, { status, phase: difference === 'less' ? 'seen' : phaseOf[status], at }],
    takingBack: undefined,
    received: shown && { ...shown, change: checkout.eventCount + 1 },
    revision: checkout.revision + 1,
    events: withEvent(checkout.events, dueNow(event)),
    lastEvent: event,
    eventCount: checkout.eventCount + 1,
  }
}

/** An event as it is before the first try: due at once, whatever clock the delivering process has. */
function dueNow(event: ChangeEvent): PendingEvent {
  return { ...event, failures: 0, nextTryAtMs: 0 }
}

/**
 * The event of the present status to be delivered once more, under its own id, and all that wait due now, also those that were
 * given up. Earlier changes are not told again: what they said may have turned out to be wrong. Returns its argument where nothing
 * changes.
 */
export function withRetold(checkout: CheckoutRecord): CheckoutRecord {
  const { events, lastEvent } = checkout
  const isMissing = lastEvent !== null && !events.some(({ eventId }) => eventId === lastEvent.eventId)
  if (!isMissing && events.every(({ nextTryAtMs }) => nextTryAtMs === 0)) return checkout
  return { ...checkout, events: [...events, ...(isMissing ? [lastEvent] : [])].map(dueNow) }
}

/** If too many events wait, the last one and this one become one change; or none, if together they change nothing. */
function withEvent(events: readonly PendingEvent[], event: PendingEvent): readonly PendingEvent[] {
  const last = events.at(-1)
  if (events.length < bounds.events || !last) return [...events, event]
  const kept = events.slice(0, -1)
  return last.previousStatus === event.status ? kept : [...kept, { ...event, previousStatus: last.previousStatus }]
}

/** An order found for a checkout. */
export interface NewBinding {
  readonly orderId: string
  readonly evidence: Evidence
  /** False while something that is not known yet could speak against it. */
  readonly isCertain: boolean
}

/** The checkout bound to an order. Returns its argument when it is bound to it already. */
export function withBinding(
  checkout: CheckoutRecord,
  { orderId, evidence, isCertain }: NewBinding,
  nowMs: number,
): CheckoutRecord {
  if (checkout.binding?.orderId === orderId) return checkout
  return {
    ...checkout,
    binding: { orderId, evidence, boundAtMs: nowMs, isProvisional: !isCertain },
    candidates: [],
    excluded: checkout.excluded.filter((id) => id !== orderId),
    unresolvedTold: checkout.unresolvedTold && !isCertain,
    revision: checkout.revision + 1,
  }
}

/** Removes the binding, and the status that came from it. */
export function withoutBinding(
  checkout: CheckoutRecord,
  orderId: string,
  nowMs: number,
  rules: LifecycleRules,
): CheckoutRecord {
  if (checkout.binding?.orderId !== orderId) return checkout
  const open = withStatus(checkout, 'open', nowMs, rules)
  return { ...open, binding: null, unresolvedTold: false, revision: open.revision + 1 }
}

/** Records that an order is certainly not this checkout's. */
export function excluding(checkout: CheckoutRecord, orderId: string): CheckoutRecord {
  return { ...checkout, excluded: [...checkout.excluded, orderId] }
}

const rankOf: Readonly<Record<OrderStatus, number>> = { open: 0, pending: 1, confirmed: 2, canceled: 2 }

/** Whether a status is another than the present one, and no further on. So is a payment after a cancellation: an old copy may show one that was never told. */
export function takesBack({ status: present }: CheckoutRecord, status: OrderStatus): boolean {
  return status !== present && rankOf[status] <= rankOf[present]
}

/** What would take the present status back; undefined where nothing does. */
export function takingBackOf({ takingBack, eventCount }: CheckoutRecord): TakingBack | undefined {
  return takingBack?.change === eventCount ? takingBack : undefined
}

/**
 * Notes what an answer says of the present status: that it holds, or that another has taken its place. Returns its argument where that says
 * nothing new.
 *
 * @param status - The present one, or one that takes it back.
 * @param times - Those of the answer.
 */
export function withAnswer(checkout: CheckoutRecord, status: OrderStatus, times: AnswerTimes): CheckoutRecord {
  const before = takingBackOf(checkout)
  const note = (next: Omit<TakingBack, 'change'> | undefined): CheckoutRecord => ({
    ...checkout,
    takingBack: next && { ...next, change: checkout.eventCount },
  })
  const isBack = status !== checkout.status
  if (!before) return isBack ? note({ status, first: times, since: times, isDenied: false }) : checkout
  const forMs = betweenMs(before.since, times)
  if (times.asOfMs <= before.since.asOfMs && forMs < policy.answers.latestMs) return checkout
  if (!before.isDenied) return status === before.status ? checkout : note({ ...before, since: times, isDenied: true })
  if (isBack)
    return forMs < policy.answers.notedEveryMs ? checkout : note({ ...before, status, since: times, isDenied: false })
  return forMs < policy.answers.disputedAfterMs ? checkout : note(undefined)
}

/**
 * Whether all answers have shown for long enough what takes the status back.
 *
 * @param times - Those of the last of them.
 * @param isAlone - Only details or list can be read.
 */
export function isHeldLongEnough(checkout: CheckoutRecord, times: AnswerTimes, isAlone = false): boolean {
  const held = takingBackOf(checkout)
  if (!held || held.isDenied) return false
  const isReturn = held.status === 'open' || checkout.history.some(({ status }) => status === held.status)
  const isNew = !isReturn && [held.status, checkout.status].includes('canceled')
  return (
    betweenMs(held.since, times) >=
    Math.max(isNew ? policy.answers.heldNewMs : policy.answers.heldOldMs, isAlone ? policy.answers.heldAloneMs : 0)
  )
}

/** When to look at the order again at the latest, soon at first and then ever more slowly; infinite where nothing is held. */
export function heldLookMs(checkout: CheckoutRecord, nowMs: number): number {
  const held = takingBackOf(checkout)
  if (!held) return Number.POSITIVE_INFINITY
  const quarterMs = Math.round(Math.abs(nowMs - held.first.sentAtMs) / 4)
  return nowMs + Math.min(Math.max(policy.answers.notedEveryMs, quarterMs), policy.answers.heldLookEveryMs)
}

/** Ms between two answers: the less of what the service's clock and those of the servers say, because either may be set in between. */
export function betweenMs(before: AnswerTimes, after: AnswerTimes): number {
  return Math.min(Math.abs(after.asOfMs - before.asOfMs), Math.abs(after.sentAtMs - before.sentAtMs))
}
