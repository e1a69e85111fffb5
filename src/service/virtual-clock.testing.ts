/**
 * A clock that stands still until it is moved, so that tests of timeouts and backoff wait for
 * nothing. For tests only.
 */
import type { Clock } from './clock.ts'

/** A clock under a test's control. */
export interface VirtualClock extends Clock {
  /** How long each sleep was asked to last, in the order they began; in milliseconds. */
  readonly sleeps: readonly number[]
  /** Timers that are still running. */
  pending(): number
  /** Moves on to the next timer whenever nothing else is left to do, until the work is done. */
  run<Value>(work: Promise<Value>): Promise<Value>
}

interface Timer {
  readonly atMs: number
  readonly ring: () => void
}

/** The reading of a machine's monotonic clock, which has fractions. They differ, and it rises. */
export function withFraction(ms: number): number {
  return ms + (Math.floor(ms) % 7) / 8
}

/** @param startMs - Time it begins with, in milliseconds since the epoch. */
export function createVirtualClock(startMs = Date.parse('2026-11-21T10:00:00Z')): VirtualClock {
  let nowMs = startMs
  const timers = new Set<Timer>()
  const sleeps: number[] = []

  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      sleeps.push(ms)
      const stop = () => {
        timers.delete(timer)
        reject(signal?.reason)
      }
      // A signal that kept the listeners of all sleeps that are over would compare each new one
      // with thousands.
      const ring = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const timer: Timer = { atMs: nowMs + ms, ring }
      timers.add(timer)
      signal?.addEventListener('abort', stop, { once: true })
    })

  const ringNext = () => {
    let next: Timer | undefined
    // Of several at one time, the one that was set first.
    for (const timer of timers) if (next === undefined || timer.atMs < next.atMs) next = timer
    if (!next) throw new Error('The work waits for something that no timer will bring')
    timers.delete(next)
    nowMs = next.atMs
    next.ring()
  }

  return {
    sleeps,
    now: () => nowMs,
    sleep,
    pending: () => timers.size,
    run: async (work) => {
      const state = { settled: false }
      work.then(
        () => (state.settled = true),
        () => (state.settled = true),
      )
      for (;;) {
        // Streams and promises finish between two turns of the event loop; what still waits after
        // that waits for time.
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        if (state.settled) return work
        ringNext()
      }
    },
  }
}
