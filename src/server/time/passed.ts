/**
 * Whether this much time has passed since a stored time. A time further in the future was written by a wrong clock, and nobody waits
 * for it.
 */
export function hasPassed(forMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) > forMs
}
