/**
 * Until when a quote may be paid, as this browser can know it. The server says how long is left;
 * from then on two clocks that can both be wrong are read, and the one that says more has passed is
 * believed: the monotonic clock may stand still while a device sleeps, and the wall clock may be
 * set back. A deadline can come earlier, never later.
 */
import { quoteLifetimeMs } from '../contract/quote.ts'

/**
 * Between two ticks the clocks may differ by this much; more means that one of them jumped or the
 * device slept.
 */
const clockJumpMs = 2000

/**
 * What both clocks say, in milliseconds: `performance.now()` and `Date.now()`.
 *
 * @example
 * ```ts
 * const reading: Reading = { monotonicMs: performance.now(), wallMs: Date.now() }
 * ```
 */
export interface Reading {
  readonly monotonicMs: number
  readonly wallMs: number
}

/** The end of a quote on each of the two clocks. It is over when either says so. */
export type Deadline = Reading

/** Source of readings; tests pass their own. */
export type ReadClocks = () => Reading

/**
 * Starts counting from when the request was sent, because the server wrote its answer after that:
 * the time on the way can only make the deadline earlier than the true one.
 *
 * @param expiresInMs - Time left as the server said; zero or less when the quote is over.
 */
export function deadlineFrom(sentAt: Reading, expiresInMs: number): Deadline {
  const leftMs = Math.min(expiresInMs, quoteLifetimeMs)
  return { monotonicMs: sentAt.monotonicMs + leftMs, wallMs: sentAt.wallMs + leftMs }
}

/** The earlier end on each clock, so that no later answer moves a deadline back. */
export function earlierDeadline(left: Deadline, right: Deadline): Deadline {
  return {
    monotonicMs: Math.min(left.monotonicMs, right.monotonicMs),
    wallMs: Math.min(left.wallMs, right.wallMs),
  }
}

/**
 * Keeps the displayed deadline even if a fast wall clock is later set back: the monotonic clock,
 * which no one can set, gets the nearer of the two ends. The same object when nothing changes.
 */
export function heldDeadline(deadline: Deadline, now: Reading): Deadline {
  const monotonicMs = now.monotonicMs + timeLeftMs(deadline, now)
  return monotonicMs < deadline.monotonicMs ? { ...deadline, monotonicMs } : deadline
}

/** Milliseconds left by the more pessimistic clock; zero or less when the quote is over. */
export function timeLeftMs(deadline: Deadline, now: Reading): number {
  return Math.min(deadline.monotonicMs - now.monotonicMs, deadline.wallMs - now.wallMs)
}

/**
 * Whether a clock jumped or the device slept between two readings, so that the server should be
 * asked again.
 */
export function clocksDiverged(before: Reading, now: Reading): boolean {
  return Math.abs(now.monotonicMs - before.monotonicMs - (now.wallMs - before.wallMs)) > clockJumpMs
}
