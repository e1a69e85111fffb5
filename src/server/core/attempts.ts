/** What is known of a checkout's creation requests, its binding and its events. */
import type { Timing } from '../../service/types.ts'
import { policy } from './policy.ts'
import type { Attempt, Binding, CheckoutRecord, PendingEvent, TimeWindow } from './types.ts'

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

/** Marks requests as lost whose sender is gone: the service may have carried them out. */
export function withLostAttempts(checkout: CheckoutRecord): CheckoutRecord {
  if (!checkout.attempts.some(({ outcome }) => outcome === 'sent')) return checkout
  return {
    ...checkout,
    attempts: checkout.attempts.map((attempt) =>
      attempt.outcome === 'sent' ? { ...attempt, outcome: 'lost' } : attempt,
    ),
  }
}

/** Replaces the attempt that has the same id. */
export function setAttempt(checkout: CheckoutRecord, attempt: Attempt): CheckoutRecord {
  return { ...checkout, attempts: checkout.attempts.map((each) => (each.id === attempt.id ? attempt : each)) }
}

/** The number of creation requests within `windowMs`, refused ones included. */
export function requestsWithin({ attempts, refusedAtMs }: CheckoutRecord, nowMs: number, windowMs: number): number {
  const sentAtMs = [...attempts.map((attempt) => attempt.sentAtMs), ...refusedAtMs]
  // A time that is as far in the future comes from a wrong clock, and does not count for ever.
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

/**
 * Whether the checkout has one of several paid orders that nobody can tell apart: each of as many
 * equal checkouts got one of them.
 */
export function isSharedOut({ binding }: Pick<CheckoutRecord, 'binding'>): boolean {
  return binding?.evidence === 'all_paid'
}
