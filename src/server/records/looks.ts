/** When a checkout is looked at, in which queue it waits for that, and when it is archived or forgotten. */
import { heldLookMs } from './taking-back.ts'
import type { LifecycleRules } from './transitions.ts'
import type { CheckoutRecord } from './types.ts'

/** Paid orders are looked at for this long, because reversals happen. */
const afterwardsMs = 72 * 3_600_000
/** The least time between two looks at paid and ended ones. */
const afterwardsPauseMs = 30 * 60_000
/** Checkouts that nobody paid are forgotten after this long; paid ones stay, and so does every bound order's id. */
const keepUnpaidMs = 90 * 24 * 3_600_000
/** Those that wait for nothing are archived after this long. */
const archivedAfterMs = 30 * 24 * 3_600_000
/** One without an order is not used any more when it is this old: whoever began with it before has ended when it is deleted. */
const unusedAfterMs = 29 * 24 * 3_600_000
/** Deposits that were seen and never came to an end are looked at for this long. */
const followSeenMs = 365 * 24 * 3_600_000
const shortestPauseMs = 5_000
const dayMs = 24 * 3_600_000
const longestPauseMs = dayMs
/** A look that failed is repeated after at most this time. */
const longestRetryMs = 2 * 60_000
/** Up to the first time a payer may be waiting; up to the second, people may still ask about their order. */
const freshForMs = 30 * 60_000
const recentForMs = 24 * 3_600_000
const never = Number.POSITIVE_INFINITY

/** Queues of checkouts to look at, first those where somebody may be waiting. */
export const lookQueues = ['look fresh', 'look', 'look old'] as const

/** Names of the queues. */
export type LookQueue = (typeof lookQueues)[number]

/**
 * Whether a checkout came to nothing so long ago that it can be forgotten. An event that was not delivered keeps it only where it
 * is about a payment: a shop without a callback must not grow for ever. What a newer version waits for keeps it, too.
 */
export function isForgettable(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): boolean {
  const phase = phaseOf[checkout.status]
  return (
    (phase === 'waiting' || phase === 'ended') &&
    checkout.otherDue === undefined &&
    !checkout.events.some(
      ({ status, previousStatus }) => phaseOf[status] === 'paid' || phaseOf[previousStatus] === 'paid',
    ) &&
    nowMs - lastChangeMs(checkout, nowMs) > keepUnpaidMs
  )
}

/**
 * By our clock or, where that was more than a day behind, by the service's, as the answer to the creation said.
 *
 * @param nowMs - The service's clock says nothing of a time after this: then it was that one which was wrong.
 */
function lastChangeMs({ history, createdAtMs, attempts }: CheckoutRecord, nowMs = Number.POSITIVE_INFINITY): number {
  const last = history.at(-1)
  const ours = last ? Date.parse(last.at) : createdAtMs
  const theirs = attempts
    .flatMap(({ window }) => window?.toMs ?? [])
    .filter((atMs) => atMs > ours + dayMs && atMs <= nowMs)
  return Math.max(ours, ...theirs)
}

/**
 * When the watcher looks at it again: soon at first, then ever more slowly, by a tenth of the time that nothing has changed. Unpaid
 * and ended ones at least once a day, until they are forgotten; paid ones until 72 hours after payment. Sooner while an answer is held.
 * Times are spread by the checkout's id, so that many made at once do not stay together.
 */
export function nextLook(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): number | null {
  const atMs = Math.min(heldLookMs(checkout, nowMs), usualLookMs(checkout, nowMs, phaseOf))
  return atMs < never ? atMs : null
}

function usualLookMs(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): number {
  const since = lastChangeMs(checkout, nowMs)
  const age = Math.max(0, nowMs - since)
  const spread = 1 + (Number.parseInt(checkout.id.slice(-2), 36) % 20) / 100
  const after = (leastMs: number) => nowMs + Math.round(Math.min(Math.max(age / 10, leastMs), longestPauseMs) * spread)
  switch (phaseOf[checkout.status]) {
    case 'paid':
      return age <= afterwardsMs ? after(afterwardsPauseMs) : never
    case 'ended':
      return after(afterwardsPauseMs)
    case 'seen':
      return age <= followSeenMs ? after(shortestPauseMs) : never
    case 'waiting':
      return after(shortestPauseMs)
  }
}

/** When a checkout that waits for nothing any more leaves those in use, 30 days after its last change; null while it waits. */
export function archivingAtMs(checkout: CheckoutRecord): number | null {
  const { nextLookAtMs, events, otherDue } = checkout
  const isWaiting = nextLookAtMs !== null || events.length > 0 || otherDue !== undefined
  return isWaiting ? null : lastChangeMs(checkout) + archivedAfterMs
}

/** Whether a checkout that has no order will be deleted soon, so that a payer gets another. */
export function isLeftUnused({ createdAtMs }: Pick<CheckoutRecord, 'createdAtMs'>, nowMs: number): boolean {
  return nowMs - createdAtMs > unusedAfterMs
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
  const atMs = checkout.nextLookAtMs ?? 0
  const age = atMs - lastChangeMs(checkout, atMs)
  if (age <= freshForMs) return 'look fresh'
  return age <= recentForMs ? 'look' : 'look old'
}
