/**
 * An answer that would take back what was told: a payment, a deposit. Mostly it comes from a copy of the service's data that is old. So it is
 * held until all that can be asked has shown it for a while. Pure rules: nothing is read here.
 */
import type { OrderStatus } from '../../contract/checkout.ts'
import type { CheckoutRecord, TakingBack } from './types.ts'

const minuteMs = 60_000
/** A refund and a late deposit are ways that an order goes, and no old copy can show what never was. */
const newForMs = minuteMs
/** Everything else is a way that no order goes. Longer than a quote: whoever has paid is not asked to pay the same quote again. */
const oldForMs = 30 * minuteMs
/** The least where only one of details and list can be read. */
const aloneForMs = 10 * minuteMs
/** After a contradiction, answers count again after this time: what changes with each answer must not cost a write each time. */
const pauseMs = minuteMs
/** An answer that was asked for before, but not longer before, is late. A time that is further ahead was written by a wrong clock. */
const latestMs = 5 * minuteMs
/** By then answers that still contradict each other are worth a report, and those that do not have come to rest. */
export const disputedAfterMs = 10 * minuteMs

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
 * @param atMs - When the answer was asked for.
 */
export function withAnswer(checkout: CheckoutRecord, status: OrderStatus, atMs: number): CheckoutRecord {
  const before = takingBackOf(checkout)
  const note = (next: Omit<TakingBack, 'change'> | undefined): CheckoutRecord => ({
    ...checkout,
    takingBack: next && { ...next, change: checkout.eventCount },
  })
  const isBack = status !== checkout.status
  if (!before) return isBack ? note({ status, firstMs: atMs, sinceMs: atMs, isDenied: false }) : checkout
  const forMs = Math.abs(atMs - before.sinceMs)
  if (atMs <= before.sinceMs && forMs < latestMs) return checkout
  if (!before.isDenied) return status === before.status ? checkout : note({ ...before, sinceMs: atMs, isDenied: true })
  if (isBack) return forMs < pauseMs ? checkout : note({ ...before, status, sinceMs: atMs, isDenied: false })
  return forMs < disputedAfterMs ? checkout : note(undefined)
}

/** Whether all answers have shown for long enough what takes the status back. @param isAlone - Only details or list can be read. */
export function isHeldLongEnough(checkout: CheckoutRecord, nowMs: number, isAlone = false): boolean {
  const held = takingBackOf(checkout)
  if (!held || held.isDenied) return false
  const isReturn = held.status === 'open' || checkout.history.some(({ status }) => status === held.status)
  const isNew = !isReturn && [held.status, checkout.status].includes('canceled')
  return Math.abs(nowMs - held.sinceMs) >= Math.max(isNew ? newForMs : oldForMs, isAlone ? aloneForMs : 0)
}

/** When to look at the order again at the latest, soon at first and then ever more slowly; infinite where nothing is held. */
export function heldLookMs(checkout: CheckoutRecord, nowMs: number): number {
  const held = takingBackOf(checkout)
  return held ? nowMs + Math.max(pauseMs, Math.round(Math.abs(nowMs - held.firstMs) / 4)) : Number.POSITIVE_INFINITY
}
