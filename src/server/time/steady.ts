/** Time that only runs forward. */
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
