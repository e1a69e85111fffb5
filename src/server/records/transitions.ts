/** Changes of a checkout's record, as pure functions: so each change is stored together with its event. */
import type { OrderStatus, Phase } from '../../contract/checkout.ts'
import type { Method, OfferTerms } from '../offers.ts'
import { bounds } from './bounds.ts'
import type { ChangeEvent, CheckoutRecord, Evidence, PendingEvent } from './types.ts'

/** Paid and ended orders are looked at for this long, because late deposits and reversals happen. */
const afterwardsMs = 72 * 3_600_000
/** The least time between two looks at them. */
const afterwardsPauseMs = 30 * 60_000
/** Checkouts that nobody paid are forgotten after this long; paid ones stay, and so does every bound order's id. */
const keepUnpaidMs = 90 * 24 * 3_600_000
/** Deposits that were seen and never came to an end are looked at for this long. */
const archivedAfterMs = 30 * 24 * 3_600_000
const followSeenMs = 365 * 24 * 3_600_000
const shortestPauseMs = 5_000
const longestPauseMs = 24 * 3_600_000
/** A look that failed is repeated after at most this time. */
const longestRetryMs = 2 * 60_000
/** Up to the first time a payer may be waiting; up to the second, people may still ask about their order. */
const freshForMs = 30 * 60_000
const recentForMs = 24 * 3_600_000

/** Queues of checkouts to look at, first those where somebody may be waiting. */
export const lookQueues = ['look fresh', 'look', 'look old'] as const

/** Names of the queues. */
export type LookQueue = (typeof lookQueues)[number]

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
  test: boolean
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
    test: of.test,
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

/**
 * How late an answer can be. An earlier `Date` than that means that the service's clock was set back, and the answer counts. So one that is
 * kept for longer before it is recorded, as by a process that stood still, must not be recorded at all.
 */
const latestAnswerMs = 5 * 60_000
/** A `Date` has whole seconds. */
const dateStepMs = 1_000
const rankOf: Readonly<Record<OrderStatus, number>> = { open: 0, pending: 1, confirmed: 2, canceled: 2 }

/**
 * Whether an answer was written before the one that brought the present status. A `Date` has whole seconds: of two answers of the
 * same second the one that is further on counts, until a later one says otherwise.
 */
export function isStale(checkout: CheckoutRecord, status: OrderStatus, asOfMs: number): boolean {
  if (checkout.statusAsOfMs === null) return false
  const behindMs = checkout.statusAsOfMs - asOfMs
  return behindMs === 0 ? rankOf[status] < rankOf[checkout.status] : behindMs > 0 && behindMs < latestAnswerMs
}

/** Whether an answer to a request is too old to be judged by its `Date`. Both times are those of one process. */
export function isOutdated(sentAtMs: number, nowMs: number): boolean {
  return nowMs - sentAtMs >= latestAnswerMs - dateStepMs
}

/**
 * Takes over a status of the service. Returns its argument when it is the one already known. The event is stored whoever sees the
 * change first: whether that process can deliver it is another question.
 */
export function withStatus(
  checkout: CheckoutRecord,
  status: OrderStatus,
  nowMs: number,
  { phaseOf, eventId }: LifecycleRules,
): CheckoutRecord {
  if (status === checkout.status) return checkout
  const at = new Date(nowMs).toISOString()
  const event = { eventId: eventId(checkout.id, status), status, previousStatus: checkout.status, at }
  return {
    ...checkout,
    status,
    history: [...checkout.history, { status, phase: phaseOf[status], at }],
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

/**
 * Whether a checkout came to nothing so long ago that it can be forgotten. An event that was not delivered keeps it only where it
 * is about a payment: a shop without a callback must not grow for ever.
 */
export function isForgettable(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): boolean {
  const phase = phaseOf[checkout.status]
  return (
    (phase === 'waiting' || phase === 'ended') &&
    !checkout.events.some(
      ({ status, previousStatus }) => phaseOf[status] === 'paid' || phaseOf[previousStatus] === 'paid',
    ) &&
    nowMs - lastChangeMs(checkout) > keepUnpaidMs
  )
}

function lastChangeMs(checkout: CheckoutRecord): number {
  const last = checkout.history.at(-1)
  return last ? Date.parse(last.at) : checkout.createdAtMs
}

/**
 * When the watcher looks at it again: soon at first, then ever more slowly, by a tenth of the time that nothing has changed. Unpaid
 * ones at least once a day, until they are forgotten; paid ones until 72 hours after payment; ended ones once more after
 * 72 hours, to be forgotten.
 * Times are spread by the checkout's id, so that many made at once do not stay together.
 */
export function nextLook(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): number | null {
  const since = lastChangeMs(checkout)
  const age = Math.max(0, nowMs - since)
  const spread = 1 + (Number.parseInt(checkout.id.slice(-2), 36) % 20) / 100
  const after = (leastMs: number) => nowMs + Math.round(Math.min(Math.max(age / 10, leastMs), longestPauseMs) * spread)
  const forgottenAtMs = since + keepUnpaidMs + 1_000
  switch (phaseOf[checkout.status]) {
    case 'paid':
      return age <= afterwardsMs ? after(afterwardsPauseMs) : null
    case 'ended':
      if (age <= afterwardsMs) return after(afterwardsPauseMs)
      return forgottenAtMs > nowMs ? forgottenAtMs : nowMs + afterwardsMs
    case 'seen':
      return age <= followSeenMs ? after(shortestPauseMs) : null
    case 'waiting':
      return after(shortestPauseMs)
  }
}

/** When a checkout that waits for nothing any more leaves those in use, 30 days after its last change; null while it waits. */
export function archivingAtMs(checkout: CheckoutRecord): number | null {
  const isWaiting = checkout.nextLookAtMs !== null || checkout.events.length > 0
  return isWaiting ? null : lastChangeMs(checkout) + archivedAfterMs
}

/** When to try again what could not be looked at. */
export function nextTry(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): number | null {
  const atMs = nextLook(checkout, nowMs, phaseOf)
  return atMs === null ? null : Math.min(atMs, nowMs + longestRetryMs)
}

/** Whether checkouts wait in this queue to be looked at. */
export function isLookQueue(queue: string): boolean {
  return lookQueues.some((each) => each === queue)
}

/** The queue in which a checkout waits to be looked at. */
export function lookQueue(checkout: CheckoutRecord): LookQueue {
  const age = (checkout.nextLookAtMs ?? 0) - lastChangeMs(checkout)
  if (age <= freshForMs) return 'look fresh'
  return age <= recentForMs ? 'look' : 'look old'
}
