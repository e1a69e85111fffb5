/** What is not settled yet about a checkout. */
import type { Attempt, Binding, CheckoutRecord, PendingEvent } from './types.ts'

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
