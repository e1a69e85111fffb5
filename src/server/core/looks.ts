/** When a checkout is looked at, in which queue it waits for that, and when it is archived or forgotten. */
import { policy } from './policy.ts'
import { heldLookMs, type LifecycleRules } from './transitions.ts'
import type { CheckoutRecord } from './types.ts'

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
    nowMs - lastChangeMs(checkout, nowMs) > policy.look.keepUnpaidMs
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
    .filter((atMs) => atMs > ours + policy.clocks.behindFromMs && atMs <= nowMs)
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
  const after = (leastMs: number) =>
    nowMs + Math.round(Math.min(Math.max(age / 10, leastMs), policy.look.longestPauseMs) * spread)
  switch (phaseOf[checkout.status]) {
    case 'paid':
      return age <= policy.look.followPaidMs ? after(policy.look.afterwardsPauseMs) : never
    case 'ended':
      return after(policy.look.afterwardsPauseMs)
    case 'seen':
      return age <= policy.look.followSeenMs ? after(policy.look.shortestPauseMs) : never
    case 'waiting':
      return after(policy.look.shortestPauseMs)
  }
}

/** When a checkout that waits for nothing any more leaves those in use, 30 days after its last change; null while it waits. */
export function archivingAtMs(checkout: CheckoutRecord): number | null {
  const { nextLookAtMs, events, otherDue } = checkout
  const isWaiting = nextLookAtMs !== null || events.length > 0 || otherDue !== undefined
  return isWaiting ? null : lastChangeMs(checkout) + policy.look.archivedAfterMs
}

/** Whether a checkout that has no order will be deleted soon, so that a payer gets another. */
export function isLeftUnused({ createdAtMs }: Pick<CheckoutRecord, 'createdAtMs'>, nowMs: number): boolean {
  return nowMs - createdAtMs > policy.look.unusedAfterMs
}

/** When to try again what could not be looked at. */
export function nextTry(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): number | null {
  const atMs = nextLook(checkout, nowMs, phaseOf)
  return atMs === null ? null : Math.min(atMs, nowMs + policy.look.longestRetryMs)
}

/** Whether checkouts wait in this queue to be looked at. */
export function isLookQueue(queue: string): boolean {
  return lookQueues.some((each) => each === queue)
}

/** The queue in which a checkout waits to be looked at. */
export function lookQueue(checkout: CheckoutRecord): LookQueue {
  const atMs = checkout.nextLookAtMs ?? 0
  const age = atMs - lastChangeMs(checkout, atMs)
  if (age <= policy.look.freshForMs) return 'look fresh'
  return age <= policy.look.recentForMs ? 'look' : 'look old'
}
