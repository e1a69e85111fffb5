/** When work is done: after an answer was sent, a few at a time, at most so often, once for all who ask. */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Report } from '../observing/occurrence.ts'

interface Background {
  /** Failures are reported. */
  add(work: Promise<unknown>): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
}

/** Failures of the work are reported. */
export function createBackground(report: Report): Background {
  // Counted, because a set that changes with each work keeps what it held long ago in memory until the old heap is collected.
  let underWay = 0
  let waiting: (() => void)[] = []

  function end(): void {
    underWay -= 1
    if (underWay > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    add: (work) => {
      underWay += 1
      work
        .catch((cause: unknown) =>
          report(new PaywindowError('internal', 'Work in the background failed', { cause }), {}),
        )
        .finally(end)
    },
    settled: async () => {
      while (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** Does something on the first call, and then at most once in this time. */
export function atMostEvery(ms: number, now: () => number, work: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lastMs < ms) return
    lastMs = now()
    work()
  }
}

/** Returns a function that resolves for no more than so many callers in a turn of the event loop, in the order of their calls. */
export function createFewAtATime({ sleep }: Pick<Clock, 'sleep'>, few: number): () => Promise<void> {
  let turn = Promise.resolve()
  let left = 0
  return () => {
    if (left === 0) {
      turn = turn.then(() => sleep(0))
      left = few
    }
    left -= 1
    return turn
  }
}

interface LastTimes {
  /** It is done now. */
  note(id: string): void
  /** Ms since it was done; infinite where it was not, or is forgotten. */
  sinceMs(id: string): number
}

/** @param max - Things that are remembered. */
export function createLastTimes(max: number, now: () => number): LastTimes {
  const times = new LRUCache<string, number>(growingTo(max))
  return {
    note: (id) => {
      times.set(id, now())
    },
    sinceMs: (id) => now() - (times.peek(id) ?? Number.NEGATIVE_INFINITY),
  }
}

/** Lets everybody who asks for the same thing at the same time share one answer. */
export function createSingleFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const flights = new Map<string, Promise<Result>>()
  return (key, work) => {
    const flying = flights.get(key)
    if (flying) return flying
    const flight = work().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}

/**
 * Time that only runs forward, by the larger of what the machine's clock and its monotonic clock say has passed: a clock that is
 * set back does not lengthen a quote, and neither does a machine that slept.
 */
export function steady(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const monotonic = () => clock.monotonic?.() ?? 0
  let latest = clock.now()
  let mark = monotonic()
  return () => {
    const passed = monotonic() - mark
    mark += passed
    latest = Math.max(latest + passed, clock.now())
    return Math.floor(latest)
  }
}

/**
 * Whether this much time has passed since a stored time. A time further in the future was written by a wrong clock, and nobody waits
 * for it.
 */
export function hasPassed(forMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) > forMs
}
