/** The sandbox's time, which can be moved by hand. Orders follow it; latency runs in real time. */
import type { Clock } from '../service/clock.ts'

/**
 * A clock that can be moved.
 *
 * @example
 * ```ts
 * const clock: SandboxClock = createSandbox({ now: () => 0 }).clock
 * clock.advance(60_000)
 * clock.now() // => 60_000
 * ```
 */
export interface SandboxClock extends Clock {
  /** Moves the sandbox's time forward by `ms` milliseconds, or back if negative. */
  advance(ms: number): void
}

/**
 * @param now - The time before any move, in milliseconds since the epoch.
 * @param sleep - Waits for a latency.
 */
export function createSandboxClock(now: () => number, sleep: Clock['sleep']): SandboxClock {
  let offsetMs = 0
  return {
    now: () => now() + offsetMs,
    sleep,
    advance: (ms) => {
      if (!isTime(now() + offsetMs + ms)) throw new RangeError('The clock can only be moved to a year before 10000')
      offsetMs += ms
    },
  }
}

const afterAllYears = Date.UTC(10_000, 0)

/** Whether a time can be written as the service writes times: with a year of four digits. */
export function isTime(atMs: number): boolean {
  return Math.abs(atMs) < afterAllYears
}

/** Waits in real time; rejects with the signal's reason as soon as it aborts. */
export function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * A time as the service writes it.
 *
 * @param atMs - Milliseconds since the epoch.
 * @param finer - Digits below the millisecond; three give microseconds, six nanoseconds.
 */
export function timestamp(atMs: number, finer: string): string {
  return new Date(atMs).toISOString().replace('Z', `${finer}Z`)
}
