/** Whose order is asked for first, when more are to be asked for than the budget allows. */
import type { LifecycleRules } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'

/** So much time is left when an order is near its deadline. */
const nearMs = 2 * 60_000

/** `soon`: a deposit was seen, or less than two minutes are left to pay. */
export function urgencyOf(
  { status, instructions }: CheckoutRecord,
  nowMs: number,
  phaseOf: LifecycleRules['phaseOf'],
): 'soon' | 'other' {
  const phase = phaseOf[status]
  if (phase === 'seen') return 'soon'
  const leftMs = (instructions?.expiresAtMs ?? 0) - nowMs
  return phase === 'waiting' && leftMs >= 0 && leftMs < nearMs ? 'soon' : 'other'
}
