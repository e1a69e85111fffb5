/**
 * The time left in words and levels, rounded down, so that the screen never promises a second that
 * is not left.
 */
import { quoteLifetimeMs } from '../contract/quote.ts'

/**
 * Times left, in milliseconds, at which a screen reader is told; never in between. The last comes
 * first.
 */
const announcedAtMs = [30_000, 60_000, 300_000] as const

/** Ms left at which screen readers hear the time. */
export type AnnouncedAtMs = (typeof announcedAtMs)[number]

/**
 * `soon`: five minutes or less. `last`: two minutes or less, too little for a slow wallet or an
 * exchange.
 */
type Urgency = 'calm' | 'soon' | 'last'

/**
 * Minutes and seconds, `18:42`; `00:00` when nothing is left.
 *
 * @example
 * ```ts
 * countdownText(1_122_000) // => '18:42'
 * ```
 */
export function countdownText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000))
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`
}

/** How much the time left should stand out. */
export function urgency(leftMs: number): Urgency {
  if (leftMs > 300_000) return 'calm'
  return leftMs > 120_000 ? 'soon' : 'last'
}

/**
 * Whole hundredths of the quote's lifetime that are left: a ring drawn from this changes only every
 * 12 seconds.
 */
export function percentLeft(leftMs: number): number {
  return Math.max(0, Math.min(100, Math.ceil((leftMs / quoteLifetimeMs) * 100)))
}

/**
 * The threshold that was passed since the last tick, to be announced, or null. After a long gap
 * only the latest is announced. The first tick announces nothing: it is already on the screen.
 *
 * @param beforeMs - Time left at the tick before; undefined at the first.
 */
export function dueAnnouncement(beforeMs: number | undefined, leftMs: number): AnnouncedAtMs | null {
  if (beforeMs === undefined || leftMs <= 0) return null
  return announcedAtMs.find((thresholdMs) => beforeMs > thresholdMs && leftMs <= thresholdMs) ?? null
}

/**
 * Milliseconds until a countdown has to look again: when its text changes, and at the end. In a
 * hidden tab only at the end; after it never.
 */
export function nextTickMs(leftMs: number, { hidden }: { readonly hidden: boolean }): number {
  if (leftMs <= 0) return Number.POSITIVE_INFINITY
  return hidden ? leftMs : Math.min(leftMs, Math.floor(leftMs % 1000) + 1)
}

function pad(count: number): string {
  return String(count).padStart(2, '0')
}
