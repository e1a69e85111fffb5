/**
 * A flow that begins with what a server has drawn. A browser may show a page that it kept for
 * hours, so the clocks decide whether that counts.
 */
import type { Initial } from '../contract/checkout.ts'
import type { Reading } from './deadline.ts'
import { type Flow, show } from './flow.ts'
import { begin } from './shown-checkout.ts'

/**
 * What is older than this is not believed. Clocks of a server and a device that are right differ by
 * less.
 */
const clocksAgreeMs = 60_000

/**
 * Reads no clock: server and browser draw the same. Until `takenOver`, the quote ends when the
 * server's clock says.
 */
export function drawn(first: Flow, { writtenAtMs, checkout, offer }: Initial): Flow {
  const flow = { ...first, checkedAt: { monotonicMs: 0, wallMs: writtenAtMs } }
  if (!checkout) return offer ? { ...flow, task: { kind: 'rest' }, progress: { step: 'choosing', offer } } : flow
  const deadline = { monotonicMs: Number.POSITIVE_INFINITY, wallMs: writtenAtMs + checkout.expiresInMs }
  return show({ ...flow, task: { kind: 'poll' } }, { checkout, deadline, over: checkout.expiresInMs <= 0 })
}

/**
 * The same by this device's clocks. Null where it was written long ago, or a clock is wrong:
 * nothing of it may be paid then. What can be chosen is never too old, because the server is asked
 * for what is chosen.
 */
export function takenOver(flow: Flow, { writtenAtMs }: Initial, now: Reading): Flow | null {
  const agoMs = now.wallMs - writtenAtMs
  const checkout = flow.shown?.checkout
  if (checkout && Math.abs(agoMs) > clocksAgreeMs) return null
  const passedMs = Math.max(0, agoMs)
  const writtenAt = { monotonicMs: now.monotonicMs - passedMs, wallMs: now.wallMs - passedMs }
  const taken = { ...flow, checkedAt: writtenAt, shownSinceMs: now.monotonicMs }
  return checkout ? show(taken, begin(checkout, writtenAt, now)) : taken
}
