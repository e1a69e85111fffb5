/**
 * What is shown of a checkout, and how one more answer changes it. Polls can be answered out of
 * order when a proxy in between retries, and an answer must never turn a screen back, point it at
 * another order or prolong a quote.
 */
import type { Checkout } from '../contract/checkout.ts'
import { type Deadline, deadlineFrom, earlierDeadline, heldDeadline, type Reading, timeLeftMs } from './deadline.ts'

/** A checkout on the screen. `over` stays true once the quote was over. */
export interface ShownCheckout {
  readonly checkout: Checkout
  readonly deadline: Deadline
  readonly over: boolean
}

/** Shows the answer to a creation or a renewal. `sentAt` is when its request was sent. */
export function begin(answer: Checkout, sentAt: Reading, now: Reading): ShownCheckout {
  return withTime({ checkout: answer, deadline: deadlineFrom(sentAt, answer.expiresInMs), over: false }, now)
}

/**
 * Folds the answer to one poll into what is shown. An answer of a lower revision or of another
 * checkout changes nothing. When only the time left differs, `checkout` stays the same object, so
 * that nothing is drawn again.
 */
export function advance(shown: ShownCheckout, answer: Checkout, sentAt: Reading, now: Reading): ShownCheckout {
  if (answer.id !== shown.checkout.id || answer.revision < shown.checkout.revision) return withTime(shown, now)
  const deadline = earlierDeadline(shown.deadline, deadlineFrom(sentAt, answer.expiresInMs))
  const checkout = isSame(shown.checkout, answer) ? shown.checkout : answer
  return withTime({ checkout, deadline, over: shown.over }, now)
}

/**
 * Takes in what the clocks say: a quote whose time has passed is over, for good, and no end moves
 * later than it was shown.
 */
export function withTime(shown: ShownCheckout, now: Reading): ShownCheckout {
  const over = shown.over || timeLeftMs(shown.deadline, now) <= 0
  const deadline = heldDeadline(shown.deadline, now)
  return over === shown.over && deadline === shown.deadline ? shown : { ...shown, over, deadline }
}

/** Both were built by the same parser, field by field, so their texts are equal when they are. */
function isSame(left: Checkout, right: Checkout): boolean {
  return JSON.stringify({ ...left, expiresInMs: 0 }) === JSON.stringify({ ...right, expiresInMs: 0 })
}
