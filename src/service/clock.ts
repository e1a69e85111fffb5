/**
 * Time as an option, so that timeouts, backoff and deadlines can be tested without waiting.
 *
 * @example
 * ```ts
 * const stopped: Clock = { now: () => 0, sleep: async () => {} }
 * ```
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds of a monotonic clock, from any start. Without it, the server cannot notice that
   * `now` was set.
   */
  monotonic?(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The machine's own clock and timers.
 *
 * @example
 * ```ts
 * await systemClock.sleep(1)
 * systemClock.now() > 0 // => true
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
