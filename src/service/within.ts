/** Limits the time for work: a request, the merchant's own code, a store. */
import type { Clock } from './clock.ts'

/** Cheaper than the exception that an abort without a reason makes: this happens with every request. */
const over = new Error('No longer waiting')

/** A timer that is late by more says that the process stood still, or that somebody set the clock. */
const lateMs = 1_000
/** A long wait is made of pieces, so that a pause shows that ends before the wait does. */
const longestPieceMs = 15_000

/** Thrown by `within`. The work may still be going on. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Races work against the injected clock. Work that ignores the signal is left behind, not waited for. Time in which
 * the process stood still hardly counts: timers fire first, and what arrived meanwhile has not been read yet.
 *
 * @throws TimeoutError when the time is over; else what the work throws.
 */
export async function within<Value>(
  clock: Pick<Clock, 'now' | 'sleep'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const working = new AbortController()
  const waiting = new AbortController()
  const timeout = sleepAwake(clock, timeoutMs, waiting.signal).then(() => {
    const error = new TimeoutError(`Not done within ${timeoutMs} ms`)
    working.abort(error)
    throw error
  })
  try {
    return await Promise.race([work(working.signal), timeout])
  } finally {
    waiting.abort(over)
    // Nobody listens to whichever came second.
    timeout.catch(() => undefined)
  }
}

/** Waits for work at most this long. Resolves with whether it ended; rejects if the work does. */
export async function endsWithin(
  clock: Pick<Clock, 'now' | 'sleep'>,
  timeoutMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleepAwake(clock, timeoutMs, waiting.signal).then(() => false)])
  } finally {
    waiting.abort(over)
  }
}

/** Sleeps in pieces, and does not count one whose timer was late. */
async function sleepAwake(clock: Pick<Clock, 'now' | 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
  let leftMs = ms
  do {
    const pieceMs = Math.min(leftMs, longestPieceMs)
    const dueMs = clock.now() + pieceMs
    await clock.sleep(pieceMs, signal)
    if (clock.now() <= dueMs + lateMs) leftMs -= pieceMs
  } while (leftMs > 0)
}
