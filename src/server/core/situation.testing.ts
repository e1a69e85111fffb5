/** A situation from which tests of the rules of evidence start. For tests only. */
import { someCheckout, someInstructions, startMs } from '../records/records.testing.ts'
import type { Situation } from './evidence.ts'

/** A checkout and the orders of its list, without other knowledge. */
export function someSituation(orders: Situation['orders'], more: Partial<Situation> = {}): Situation {
  return {
    checkout: someCheckout(),
    instructions: someInstructions,
    orders,
    listed: orders,
    taken: new Set(),
    interchangeable: new Set(),
    held: new Set(),
    window: { fromMs: startMs, toMs: startMs + 3_000 },
    isListed: false,
    isEarly: false,
    others: [],
    shared: { place: false, time: false },
    rivals: [],
    foreignInWindow: false,
    hasLost: false,
    ...more,
  }
}
