/**
 * How a checkout changes: a status, a binding, an event. An answer that would take back a payment
 * or a deposit mostly comes from an old copy of the service's data. So a step back is held until
 * details and list have both shown it for a while.
 */
import type { Arrival, OrderStatus, Phase } from '../../contract/checkout.ts'
import type { Order, Timing } from '../../service/types.ts'
import { differenceOf } from './agreement.ts'
import { policy } from './policy.ts'
import {
  type AnswerTimes,
  type Attempt,
  type Binding,
  bounds,
  type ChangeEvent,
  type CheckoutRecord,
  type Evidence,
  type Meanings,
  type PendingEvent,
  type Received,
  type TakingBack,
  type TimeWindow,
} from './types.ts'

/** Inputs of changes besides the record. */
export interface LifecycleRules extends Meanings {
  /** An id that no other change has, even after an earlier state of the store was restored. */
  eventId(checkoutId: string, status: OrderStatus): string
  /** The merchant's reading of what arrived; null where it says nothing. */
  readonly readArrival?: ((order: Order) => Arrival | null) | undefined
}

/** The facts of a checkout before any request to the service. */
type Beginning = Pick<
  CheckoutRecord,
  'id' | 'key' | 'reference' | 'method' | 'terms' | 'offeredAmount' | 'test' | 'account' | 'createdAtMs'
>

/** A new checkout. */
export function newCheckout({ offeredAmount, ...of }: Beginning): CheckoutRecord {
  return {
    v: 1,
    ...of,
    ...(offeredAmount !== undefined && offeredAmount !== of.terms.price.amount && { offeredAmount }),
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

/** The times of an answer. Without a `Date`, the time of the request stands in for it. */
export function timesOf({ serviceDateMs, sentAtMs }: Pick<Timing, 'serviceDateMs' | 'sentAtMs'>): AnswerTimes {
  return { sentAtMs, asOfMs: serviceDateMs ?? sentAtMs }
}

/**
 * Whether an answer may be older than the answer that brought the present status.
 *
 * A `Date` has whole seconds: of two answers of the same second, the status that is further on
 * counts. A step back also counts as older until a minute after the present status was stored: an
 * answer may come from a copy that is behind, and the service's clock may have been set.
 */
export function isStale(checkout: CheckoutRecord, status: OrderStatus, { asOfMs, sentAtMs }: AnswerTimes): boolean {
  if (checkout.statusAsOfMs === null) return false
  const sentBeforeMs = Date.parse(checkout.history.at(-1)?.at ?? '') - sentAtMs
  // Times that are further apart come from two servers whose clocks disagree.
  if (
    takesBack(checkout, status) &&
    sentBeforeMs > -policy.answers.behindOthersMs &&
    sentBeforeMs < policy.answers.latestMs
  )
    return true
  const behindMs = checkout.statusAsOfMs - asOfMs
  return behindMs === 0 ? takesBack(checkout, status) : behindMs > 0 && behindMs < policy.answers.latestMs
}

/** An answer that was asked for before this time cannot take the present status back. */
export function takenBackFromMs({ history }: CheckoutRecord): number {
  return Date.parse(history.at(-1)?.at ?? '') + policy.answers.behindOthersMs
}

/**
 * The checkout with a new status and its event. Returns its argument where the status is the same,
 * unless the rest of too small a payment has come since. The event is stored even if this process
 * cannot deliver it.
 *
 * @param shown - The amounts that the order showed, where the status means that it is paid.
 */
export function withStatus(
  checkout: CheckoutRecord,
  status: OrderStatus,
  nowMs: number,
  { phaseOf, eventId }: LifecycleRules,
  shown?: Received,
): CheckoutRecord {
  const difference = differenceOf(checkout, shown)
  const hasRest = shown && difference !== 'less' && differenceOf(checkout, checkout.received) === 'less'
  if (status === checkout.status && !hasRest) return checkout
  const at = new Date(nowMs).toISOString()
  const event: ChangeEvent = {
    eventId: eventId(checkout.id, status),
    status,
    previousStatus: checkout.status,
    at,
    ...(difference !== 'same' && { difference }),
  }
  return {
    ...withEvent(checkout, event),
    status,
    // Phases of the first version only: an earlier version may read the record.
    history: [...checkout.history, { status, phase: difference === 'less' ? 'seen' : phaseOf[status], at }],
    takingBack: undefined,
    received: shown,
    revision: checkout.revision + 1,
    eventCount: checkout.eventCount + 1,
  }
}

/**
 * The checkout with an event for its arrival, if that became known after the status. A status has
 * at most one such event for each kind, so that contradicting answers repeat none. After the end of
 * an order only a refund has one.
 */
export function withArrivalTold(checkout: CheckoutRecord, nowMs: number, rules: LifecycleRules): CheckoutRecord {
  const { id, status, arrival, kindsTold } = checkout
  const phase = rules.phaseOf[status]
  const told = kindsTold ?? (phase === 'waiting' ? [] : ['exact'])
  if (!arrival || told.includes(arrival.kind) || phase === 'paid') return checkout
  if (phase === 'ended' && arrival.kind !== 'returning') return checkout
  const at = new Date(nowMs).toISOString()
  return withEvent(checkout, { eventId: rules.eventId(id, status), status, previousStatus: status, at })
}

/** An event before its first try. 0 is due by any clock, so a wrong clock cannot delay it. */
function dueNow(event: ChangeEvent): PendingEvent {
  return { ...event, failures: 0, nextTryAtMs: 0 }
}

/**
 * Makes the event of the present status and all undelivered events due now, also those that were
 * given up. The event keeps its id. Events of earlier statuses are not told again, because they may
 * have been wrong. Returns its argument where nothing changes.
 */
export function withRetold(checkout: CheckoutRecord): CheckoutRecord {
  const { events, lastEvent } = checkout
  const isMissing = lastEvent !== null && !events.some(({ eventId }) => eventId === lastEvent.eventId)
  if (!isMissing && events.every(({ nextTryAtMs }) => nextTryAtMs === 0)) return checkout
  return { ...checkout, events: [...events, ...(isMissing ? [lastEvent] : [])].map(dueNow) }
}

/**
 * Adds an event with the known arrival. Its time is never before that of the last event, which a
 * server with a clock ahead may have written: shops ignore older events.
 */
function withEvent(checkout: CheckoutRecord, change: ChangeEvent): CheckoutRecord {
  const { arrival, events, kindsTold, lastEvent } = checkout
  const at = lastEvent && lastEvent.at > change.at ? lastEvent.at : change.at
  const event = { ...change, at, ...(arrival && { arrival }) }
  const before = change.status === change.previousStatus ? kindsTold : undefined
  return {
    ...checkout,
    events: withLast(events, dueNow(event)),
    lastEvent: event,
    kindsTold: arrival ? [...(before ?? []), arrival.kind] : before,
  }
}

/**
 * Adds an event. At the bound it is merged with the last event: into one change, or into none where
 * the two changes undo each other.
 */
function withLast(events: readonly PendingEvent[], event: PendingEvent): readonly PendingEvent[] {
  const last = events.at(-1)
  if (events.length < bounds.events || !last) return [...events, event]
  const kept = events.slice(0, -1)
  const isUndone = event.status !== event.previousStatus && last.previousStatus === event.status
  return isUndone ? kept : [...kept, { ...event, previousStatus: last.previousStatus }]
}

/** An order found for a checkout. */
export interface NewBinding {
  readonly orderId: string
  readonly evidence: Evidence
  /** False while something that is not known yet could refute it. */
  readonly isCertain: boolean
  /** Where it is known. */
  readonly order?: Order | undefined
}

/** Binds the checkout to an order. Returns its argument where it is bound to that order already. */
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

/** Removes the binding to this order, and the status that came from the order. */
export function withoutBinding(
  checkout: CheckoutRecord,
  orderId: string,
  nowMs: number,
  rules: LifecycleRules,
): CheckoutRecord {
  if (checkout.binding?.orderId !== orderId) return checkout
  const open = withStatus({ ...checkout, arrival: undefined }, 'open', nowMs, rules)
  return { ...open, binding: null, unresolvedTold: false, revision: open.revision + 1 }
}

const rankOf: Readonly<Record<OrderStatus, number>> = { open: 0, pending: 1, confirmed: 2, canceled: 2 }

/**
 * Whether a status is a step back: different from the present status, and not further on. A change
 * between `confirmed` and `canceled` counts as a step back, too, because an old copy may show it.
 */
export function takesBack({ status: present }: CheckoutRecord, status: OrderStatus): boolean {
  return status !== present && rankOf[status] <= rankOf[present]
}

/**
 * Notes an answer that shows the present status or a step back. Returns its argument where the
 * answer adds nothing.
 *
 * @param status - The status that the answer shows.
 * @param times - The times of the answer.
 */
export function withAnswer(checkout: CheckoutRecord, status: OrderStatus, times: AnswerTimes): CheckoutRecord {
  const { takingBack: before } = checkout
  const note = (takingBack: TakingBack | undefined): CheckoutRecord => ({ ...checkout, takingBack })
  const isStepBack = status !== checkout.status
  if (!before) return isStepBack ? note({ status, first: times, since: times, isDenied: false }) : checkout
  const forMs = betweenMs(before.since, times)
  if (times.asOfMs <= before.since.asOfMs && forMs < policy.answers.latestMs) return checkout
  if (!before.isDenied) return status === before.status ? checkout : note({ ...before, since: times, isDenied: true })
  if (isStepBack)
    return forMs < policy.answers.notedEveryMs ? checkout : note({ ...before, status, since: times, isDenied: false })
  return forMs < policy.answers.disputedAfterMs ? checkout : note(undefined)
}

/**
 * Whether the answers have shown the step back for long enough to believe it.
 *
 * @param times - The times of the latest answer.
 * @param isAlone - Whether only the details or only the list can be read.
 */
export function isHeldLongEnough(checkout: CheckoutRecord, times: AnswerTimes, isAlone = false): boolean {
  const held = checkout.takingBack
  if (!held || held.isDenied) return false
  const isReturn = held.status === 'open' || checkout.history.some(({ status }) => status === held.status)
  const isNew = !isReturn && [held.status, checkout.status].includes('canceled')
  return (
    betweenMs(held.since, times) >=
    Math.max(isNew ? policy.answers.heldNewMs : policy.answers.heldOldMs, isAlone ? policy.answers.heldAloneMs : 0)
  )
}

/** When to look again at the latest, in ms since the epoch; infinite where no step back is held. */
export function heldLookMs({ takingBack: held }: CheckoutRecord, nowMs: number): number {
  if (!held) return Number.POSITIVE_INFINITY
  const quarterMs = Math.round(Math.abs(nowMs - held.first.sentAtMs) / 4)
  return nowMs + Math.min(Math.max(policy.answers.notedEveryMs, quarterMs), policy.answers.heldLookEveryMs)
}

/**
 * Ms between two answers: the smaller of what the service's clock and the servers' clocks say,
 * because either may have been set in between.
 */
export function betweenMs(before: AnswerTimes, after: AnswerTimes): number {
  return Math.min(Math.abs(after.asOfMs - before.asOfMs), Math.abs(after.sentAtMs - before.sentAtMs))
}

/** The request that brought the checkout's deposit instructions. */
export function attemptOf({ attempts, instructions }: CheckoutRecord): Attempt | undefined {
  return attempts.find(({ id }) => id === instructions?.attemptId)
}

/** When the order of these instructions was created; null where the answer had no `Date`. */
export function attemptWindow(checkout: CheckoutRecord): TimeWindow | null {
  return attemptOf(checkout)?.window ?? null
}

/**
 * When the service carried out a request, by the service's clock. A `Date` header has whole seconds
 * and is written after the work, so the window begins before it and ends after it.
 */
export function windowOf({ sentAtMs, answeredAtMs, serviceDateMs }: Timing): TimeWindow | null {
  return serviceDateMs === null
    ? null
    : {
        fromMs: serviceDateMs - (answeredAtMs - sentAtMs) - policy.clocks.windowMarginMs,
        toMs: serviceDateMs + 1_000 + policy.clocks.windowMarginMs,
      }
}

/**
 * When the answer with the instructions came at the latest, by the clock of the server that asked;
 * undefined where the answer had no `Date`.
 */
export function answeredMs(checkout: CheckoutRecord): number | undefined {
  const window = attemptWindow(checkout)
  return window && checkout.instructions ? checkout.instructions.sentAtMs + window.toMs - window.fromMs : undefined
}

/**
 * True where an answer shows a first deposit after the end of its quote; else undefined. Uses the
 * service's clock, which a sandbox may move.
 */
export function seenLate(checkout: CheckoutRecord, phase: Phase, asOfMs: number): true | undefined {
  const { instructions, history } = checkout
  const window = attemptWindow(checkout)
  const isDeposit = (each: Phase) => each === 'seen' || each === 'paid'
  const isFirst = isDeposit(phase) && !history.some((entry) => isDeposit(entry.phase))
  if (!isFirst || !window || !instructions) return undefined
  return asOfMs - window.toMs > instructions.expiresAtMs - instructions.sentAtMs || undefined
}

/** Marks unanswered requests as lost: their sender is gone, but the service may have acted. */
export function withLostAttempts(checkout: CheckoutRecord): CheckoutRecord {
  const sent = checkout.attempts.filter(({ outcome }) => outcome === 'sent')
  return sent.reduce((before, attempt) => setAttempt(before, { ...attempt, outcome: 'lost' }), checkout)
}

/** Replaces the attempt that has the same id. */
export function setAttempt(checkout: CheckoutRecord, attempt: Attempt): CheckoutRecord {
  return { ...checkout, attempts: checkout.attempts.map((each) => (each.id === attempt.id ? attempt : each)) }
}

/** The number of creation requests within `windowMs`, refused ones included. */
export function requestsWithin(
  { attempts, refusedAtMs }: Pick<CheckoutRecord, 'attempts' | 'refusedAtMs'>,
  nowMs: number,
  windowMs: number,
): number {
  const sentAtMs = [...attempts.map((attempt) => attempt.sentAtMs), ...refusedAtMs]
  // An equally distant time in the future comes from a wrong clock, and does not count.
  return sentAtMs.filter((atMs) => Math.abs(nowMs - atMs) < windowMs).length
}

/** The creation requests that may have made an order which is not identified. */
export function openAttempts(checkout: CheckoutRecord): readonly Attempt[] {
  const boundAttempt = checkout.binding ? checkout.instructions?.attemptId : undefined
  return checkout.attempts.filter(({ id }) => id !== boundAttempt)
}

/** Whether a binding can no longer be refuted. */
export function isSettled(binding: Binding | null): boolean {
  return binding !== null && !binding.isProvisional
}

/** The event to deliver next: the oldest that was not given up. */
export function nextEvent(checkout: CheckoutRecord): PendingEvent | undefined {
  return checkout.events.find(({ nextTryAtMs }) => nextTryAtMs !== null)
}

/** Whether equal checkouts share as many paid orders, and nobody knows which order is whose. */
export function isSharedOut({ binding }: Pick<CheckoutRecord, 'binding'>): boolean {
  return binding?.evidence === 'all_paid'
}
