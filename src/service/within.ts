/** Limits the time that a request, the merchant's code or a store may take. */
import type { Clock } from './clock.ts'

/** A ready reason: an abort without a reason creates an exception, which is slow. */
const endOfWait = new Error('No longer waiting')

/** A timer that is later shows that the process was suspended, or the clock was set. */
const lateMs = 1_000
/** A long wait is made of pieces, because only the piece with a suspension does not count. */
const longestPieceMs = 15_000

/** Thrown by `within`. The work may still go on. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Races work against a timeout. Work that ignores the signal goes on, and nobody waits for it. Time
 * in which the process was suspended hardly counts: after it the timer would fire before the answer
 * that came meanwhile is read.
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
    waiting.abort(endOfWait)
    // The rejection of the aborted timeout has no other handler.
    timeout.catch(() => undefined)
  }
}

/** Waits for work, at most `timeoutMs`. Resolves with whether it ended; rejects with it. */
export async function endsWithin(
  clock: Pick<Clock, 'now' | 'sleep'>,
  timeoutMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work.then(() => true), sleepAwake(clock, timeoutMs, waiting.signal).then(() => false)])
  } finally {
    waiting.abort(endOfWait)
  }
}

/** Sleeps in pieces. A piece whose timer was late does not count. */
async function sleepAwake(clock: Pick<Clock, 'now' | 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
  let leftMs = ms
  do {
    const pieceMs = Math.min(leftMs, longestPieceMs)
    const dueMs = clock.now() + pieceMs
    await clock.sleep(pieceMs, signal)
    if (clock.now() <= dueMs + lateMs) leftMs -= pieceMs
  } while (leftMs > 0)
}
