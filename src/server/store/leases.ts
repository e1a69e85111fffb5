/** How long a lease holds, for stores whose clock somebody can set. */

/** Who holds it, since when and for how long. */
export interface Lease {
  readonly holder: string
  /** By the store's clock, ms since the epoch. */
  readonly takenAtMs: number
  readonly forMs: number
}

/**
 * Whether a lease has not run out. One that was taken in the future was taken by a clock that was wrong then: it holds for no
 * longer than its duration before that time, so that a clock a day ahead cannot keep a turn for a day.
 */
export function isHeld({ takenAtMs, forMs }: Lease, nowMs: number): boolean {
  return Math.abs(nowMs - takenAtMs) < forMs
}
