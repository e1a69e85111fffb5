/**
 * Whether so long has passed since a stored time. A time further ahead than that was written by a clock that was wrong: it must not
 * hold anybody up until it has come.
 */
export function hasPassed(forMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) > forMs
}
