/** When the watcher looks at a checkout, and when the checkout is archived or forgotten. */
import { policy } from './policy.ts'
import { heldLookMs } from './transitions.ts'
import type { CheckoutRecord, Meanings } from './types.ts'

const never = Number.POSITIVE_INFINITY

/** The queues of checkouts to look at. In the first a payer may be waiting. */
export const lookQueues = ['look fresh', 'look', 'look old'] as const

/** Names of the queues. */
export type LookQueue = (typeof lookQueues)[number]

/**
 * Whether a checkout has been unpaid for so long that it can be deleted. An undelivered event about
 * a payment keeps it. Other events do not: without a callback the store would grow for ever.
 */
export function isForgettable(checkout: CheckoutRecord, nowMs: number, phaseOf: Meanings['phaseOf']): boolean {
  const phase = phaseOf[checkout.status]
  return (
    (phase === 'waiting' || phase === 'ended') &&
    !checkout.events.some(
      ({ status, previousStatus }) => phaseOf[status] === 'paid' || phaseOf[previousStatus] === 'paid',
    ) &&
    nowMs - lastChangeMs(checkout, nowMs) > policy.look.keepUnpaidMs
  )
}

/**
 * When the checkout last changed: by our clock or, where ours was more than a day behind at its
 * creation, by the service's.
 *
 * @param nowMs - A time of the service's clock after this is wrong, and is not used.
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
 * When the watcher looks at a checkout again; null: never. The pause is a tenth of the time since
 * the last change, within bounds (`policy.look`), and shorter while a step back is held. Looks end
 * 72 hours after a payment, a year after a deposit without an outcome, else when the checkout is
 * forgotten. The id adds up to a fifth, so that checkouts of the same moment drift apart.
 */
export function nextLook(checkout: CheckoutRecord, nowMs: number, phaseOf: Meanings['phaseOf']): number | null {
  const atMs = Math.min(heldLookMs(checkout, nowMs), usualLookMs(checkout, nowMs, phaseOf))
  return atMs < never ? atMs : null
}

function usualLookMs(checkout: CheckoutRecord, nowMs: number, phaseOf: Meanings['phaseOf']): number {
  const age = Math.max(0, nowMs - lastChangeMs(checkout, nowMs))
  const { pausePart, spreadPart, longestPauseMs } = policy.look
  const spread = 1 + ((Number.parseInt(checkout.id.slice(-2), 36) % 20) / 20) * spreadPart
  const after = (leastMs: number) =>
    nowMs + Math.round(Math.min(Math.max(age * pausePart, leastMs), longestPauseMs) * spread)
  switch (phaseOf[checkout.status]) {
    case 'paid':
      return age <= policy.look.followPaidMs ? after(policy.look.afterwardsPauseMs) : never
    case 'ended':
      return after(policy.look.afterwardsPauseMs)
    case 'seen':
      return age <= policy.look.followSeenMs ? after(policy.look.shortestPauseMs) : never
    // Also after the end of the quote, until the service cancels the order.
    case 'waiting':
      return after(policy.look.shortestPauseMs)
  }
}

/** When a checkout is archived: 30 days after its last change; null while it waits for anything. */
export function archivingAtMs(checkout: CheckoutRecord): number | null {
  const { nextLookAtMs, events } = checkout
  const isWaiting = nextLookAtMs !== null || events.length > 0
  return isWaiting ? null : lastChangeMs(checkout) + policy.look.archivedAfterMs
}

/** Whether a checkout without an order may be deleted soon, so that a payer gets a new one. */
export function isLeftUnused({ createdAtMs }: Pick<CheckoutRecord, 'createdAtMs'>, nowMs: number): boolean {
  return nowMs - createdAtMs > policy.look.unusedAfterMs
}

/** When to repeat a look that failed; null: never. */
export function nextTry(checkout: CheckoutRecord, nowMs: number, phaseOf: Meanings['phaseOf']): number | null {
  const atMs = nextLook(checkout, nowMs, phaseOf)
  return atMs === null ? null : Math.min(atMs, nowMs + policy.look.longestRetryMs)
}

/** The queue in which a checkout waits to be looked at. */
export function lookQueue(checkout: CheckoutRecord): LookQueue {
  const atMs = checkout.nextLookAtMs ?? 0
  const age = atMs - lastChangeMs(checkout, atMs)
  if (age <= policy.look.freshForMs) return 'look fresh'
  return age <= policy.look.recentForMs ? 'look' : 'look old'
}
