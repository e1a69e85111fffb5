/**
 * When to ask the merchant server next. Polite by default: slower with time, slower in hidden tabs,
 * backing off on failures, never before the server's own `Retry-After`, and spread by a random part
 * so that many payers do not ask in step.
 */
import type { ViewKind } from './view.ts'

/** What the time until the next request depends on. */
export interface PollSituation {
  readonly view: ViewKind
  /** How long this checkout has been on the screen. */
  readonly shownForMs: number
  readonly hidden: boolean
  /** Answers in a row that failed. */
  readonly failures: number
  /** What is left of the time that the last failure asked for; zero or less when there is none. */
  readonly retryAfterMs: number
  /** A random number from 0 to 1, drawn once per request. */
  readonly jitter: number
}

const hiddenMs = 30_000
const longestMs = 60_000

/** Milliseconds until the next request, or false when nothing is asked on its own any more. */
export function nextDelayMs(situation: PollSituation): number | false {
  const baseMs = baseDelayMs(situation)
  if (baseMs === false) return false
  const backedOffMs = Math.min(baseMs * 2 ** situation.failures, longestMs)
  const politeMs = situation.hidden ? Math.max(backedOffMs, hiddenMs) : backedOffMs
  const spreadMs = politeMs * (0.85 + 0.3 * situation.jitter)
  return Math.round(Math.max(spreadMs, situation.retryAfterMs))
}

function baseDelayMs({ view, shownForMs }: PollSituation): number | false {
  switch (view) {
    case 'preparing':
    case 'unreachable':
    case 'refused':
      return 1000
    case 'waiting':
    case 'seen':
      return 5000
    case 'expired':
      return shownForMs < 3_600_000 ? 10_000 : 30_000
    case 'settledElsewhere':
      return 30_000
    case 'choosing':
    case 'paid':
    case 'ended':
      return false
  }
}
