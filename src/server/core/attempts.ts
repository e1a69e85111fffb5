/** What is known of creation requests: which one a checkout shows, when its order was made, and which came before. */
import type { Timing } from '../../service/types.ts'
import { policy } from './policy.ts'
import type { Attempt, Binding, CheckoutRecord, PendingEvent, TimeWindow } from './types.ts'

/** The request whose answer a checkout shows. */
export function attemptOf({ attempts, instructions }: CheckoutRecord): Attempt | undefined {
  return attempts.find(({ id }) => id === instructions?.attemptId)
}

/** When the order of the attempt that a checkout shows was created; null where the service did not say when it answered. */
export function attemptWindow(checkout: CheckoutRecord): TimeWindow | null {
  return attemptOf(checkout)?.window ?? null
}

/** When the service did it, by its own clock, with a margin: a `Date` header has whole seconds, and was written after the work. */
export function windowOf({ sentAtMs, answeredAtMs, serviceDateMs }: Timing): TimeWindow | null {
  return serviceDateMs === null
    ? null
    : {
        fromMs: serviceDateMs - (answeredAtMs - sentAtMs) - policy.clocks.windowMarginMs,
        toMs: serviceDateMs + 1_000 + policy.clocks.windowMarginMs,
      }
}

/** When the answer came that a checkout shows, by the clock of the server that had asked; undefined where the service did not say when. */
export function answeredMs(checkout: CheckoutRecord): number | undefined {
  const window = attemptWindow(checkout)
  return window && checkout.instructions ? checkout.instructions.sentAtMs + window.toMs - window.fromMs : undefined
}

/** A request whose sender is gone may have been carried out. */
export function withLostAttempts(checkout: CheckoutRecord): CheckoutRecord {
  if (!checkout.attempts.some(({ outcome }) => outcome === 'sent')) return checkout
  return {
    ...checkout,
    attempts: checkout.attempts.map((attempt) =>
      attempt.outcome === 'sent' ? { ...attempt, outcome: 'lost' } : attempt,
    ),
  }
}

/** The checkout with this attempt in place of the one of its id. */
export function setAttempt(checkout: CheckoutRecord, attempt: Attempt): CheckoutRecord {
  return { ...checkout, attempts: checkout.attempts.map((each) => (each.id === attempt.id ? attempt : each)) }
}

/** Requests for an order of this checkout within so long, whatever became of them. */
export function requestsWithin({ attempts, refusedAtMs }: CheckoutRecord, nowMs: number, windowMs: number): number {
  const sentAtMs = [...attempts.map((attempt) => attempt.sentAtMs), ...refusedAtMs]
  // Sent an hour ahead of now, it was sent by a clock that was wrong.
  return sentAtMs.filter((atMs) => Math.abs(nowMs - atMs) < windowMs).length
}

/** The creation requests whose order, if there is one, is not known. */
export function openAttempts(checkout: CheckoutRecord): readonly Attempt[] {
  const boundAttempt = checkout.binding ? checkout.instructions?.attemptId : undefined
  return checkout.attempts.filter(({ id }) => id !== boundAttempt)
}

/** Whether a binding is final. */
export function isSettled(binding: Binding | null): boolean {
  return binding !== null && !binding.isProvisional
}

/** The event to deliver next: the oldest that is still tried. */
export function nextEvent(checkout: CheckoutRecord): PendingEvent | undefined {
  return checkout.events.find(({ nextTryAtMs }) => nextTryAtMs !== null)
}

/** Whether the order of a checkout may as well be another's: all of them were paid, and were shared out. */
export function isSharedOut({ binding }: Pick<CheckoutRecord, 'binding'>): boolean {
  return binding?.evidence === 'all_paid'
}
