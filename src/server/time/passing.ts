/** Time that only runs forward, and how much of it has passed. */
import type { Clock } from '../../service/clock.ts'

/**
 * Time that only runs forward, by the larger of what the machine's clock and its monotonic clock say has passed: a clock that is
 * set back does not lengthen a quote, and neither does a machine that slept.
 */
export function steady(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const monotonic = () => clock.monotonic?.() ?? 0
  let latest = clock.now()
  let mark = monotonic()
  return () => {
    const passed = monotonic() - mark
    mark += passed
    latest = Math.max(latest + passed, clock.now())
    return Math.floor(latest)
  }
}

/**
 * Whether this much time has passed since a stored time. A time further in the future was written by a wrong clock, and nobody waits
 * for it.
 */
export function hasPassed(forMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) > forMs
}
