/**
 * An answer that would take back what was told: a payment, a deposit. Mostly it comes from a copy of the service's data that is old. So it is
 * held until all that can be asked has shown it for a while. Pure rules: nothing is read here.
 */
import type { OrderStatus } from '../../contract/checkout.ts'
import { policy } from '../core/policy.ts'
import type { AnswerTimes, CheckoutRecord, TakingBack } from './types.ts'

const rankOf: Readonly<Record<OrderStatus, number>> = { open: 0, pending: 1, confirmed: 2, canceled: 2 }

/** Whether a status is another than the present one, and no further on. So is a payment after a cancellation: an old copy may show one that was never told. */
export function takesBack({ status: present }: CheckoutRecord, status: OrderStatus): boolean {
  return status !== present && rankOf[status] <= rankOf[present]
}

/** What would take the present status back; undefined where nothing does. */
export function takingBackOf({ takingBack, eventCount }: CheckoutRecord): TakingBack | undefined {
  return takingBack?.change === eventCount ? takingBack : undefined
}

/**
 * Notes what an answer says of the present status: that it holds, or that another has taken its place. Returns its argument where that says
 * nothing new.
 *
 * @param status - The present one, or one that takes it back.
 * @param times - Those of the answer.
 */
export function withAnswer(checkout: CheckoutRecord, status: OrderStatus, times: AnswerTimes): CheckoutRecord {
  const before = takingBackOf(checkout)
  const note = (next: Omit<TakingBack, 'change'> | undefined): CheckoutRecord => ({
    ...checkout,
    takingBack: next && { ...next, change: checkout.eventCount },
  })
  const isBack = status !== checkout.status
  if (!before) return isBack ? note({ status, first: times, since: times, isDenied: false }) : checkout
  const forMs = betweenMs(before.since, times)
  if (times.asOfMs <= before.since.asOfMs && forMs < policy.answers.latestMs) return checkout
  if (!before.isDenied) return status === before.status ? checkout : note({ ...before, since: times, isDenied: true })
  if (isBack)
    return forMs < policy.answers.notedEveryMs ? checkout : note({ ...before, status, since: times, isDenied: false })
  return forMs < policy.answers.disputedAfterMs ? checkout : note(undefined)
}

/**
 * Whether all answers have shown for long enough what takes the status back.
 *
 * @param times - Those of the last of them.
 * @param isAlone - Only details or list can be read.
 */
export function isHeldLongEnough(checkout: CheckoutRecord, times: AnswerTimes, isAlone = false): boolean {
  const held = takingBackOf(checkout)
  if (!held || held.isDenied) return false
  const isReturn = held.status === 'open' || checkout.history.some(({ status }) => status === held.status)
  const isNew = !isReturn && [held.status, checkout.status].includes('canceled')
  return (
    betweenMs(held.since, times) >=
    Math.max(isNew ? policy.answers.heldNewMs : policy.answers.heldOldMs, isAlone ? policy.answers.heldAloneMs : 0)
  )
}

/** When to look at the order again at the latest, soon at first and then ever more slowly; infinite where nothing is held. */
export function heldLookMs(checkout: CheckoutRecord, nowMs: number): number {
  const held = takingBackOf(checkout)
  if (!held) return Number.POSITIVE_INFINITY
  const quarterMs = Math.round(Math.abs(nowMs - held.first.sentAtMs) / 4)
  return nowMs + Math.min(Math.max(policy.answers.notedEveryMs, quarterMs), policy.answers.heldLookEveryMs)
}

/** Ms between two answers: the less of what the service's clock and those of the servers say, because either may be set in between. */
export function betweenMs(before: AnswerTimes, after: AnswerTimes): number {
  return Math.min(Math.abs(after.asOfMs - before.asOfMs), Math.abs(after.sentAtMs - before.sentAtMs))
}
