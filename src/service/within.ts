/** Limits the time for work: a request, the merchant's own code, a store. */
import type { Clock } from './clock.ts'

/** Cheaper than the exception that an abort without a reason makes: this happens with every request. */
const over = new Error('No longer waiting')

/** A timer that is late by more says that the process stood still, or that somebody set the clock. */
const lateMs = 1_000

/** Thrown by `within`. The work may still be going on. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Races work against the injected clock. Work that ignores the signal is left behind, not waited for. After a process
 * has stood still it waits as long again: timers fire first, and what arrived meanwhile has not been read yet.
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

/** Sleeps until a timer fires in time. */
async function sleepAwake(clock: Pick<Clock, 'now' | 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
  const dueMs = clock.now() + ms
  await clock.sleep(ms, signal)
  if (clock.now() > dueMs + lateMs) await sleepAwake(clock, ms, signal)
}
