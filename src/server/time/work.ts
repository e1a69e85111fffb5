/** Background work, shared work, seldom work, and clocks that only run forward. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { createLru } from '../../service/lru.ts'
import type { Report } from '../observing/occurrence.ts'

/** Work that goes on after an answer was sent. */
export function createBackground(report: Report) {
  // A count, because a set of promises would keep old ones in memory until a full garbage
  // collection.
  let underWay = 0
  let waiting: (() => void)[] = []

  function end(): void {
    underWay -= 1
    if (underWay > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    /** Lets work go on after an answer was sent. A failure is reported. */
    add: (work: Promise<unknown>): void => {
      underWay += 1
      work.catch(reporting(report, 'Work in the background failed')).finally(end)
    },
    /** Resolves when no work is under way. */
    whenIdle: async () => {
      while (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** Returns a function that reports why work has failed. */
export function reporting(report: Report, what: string): (cause: unknown) => void {
  return (cause) => report(new PaywindowError('internal', what, { cause }), {})
}

/** Returns a function that does the work on its first call, and then at most once in `ms`. */
export function atMostEvery<Args extends readonly unknown[]>(
  ms: number,
  now: () => number,
  work: (...args: Args) => void,
): (...args: Args) => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return (...args) => {
    if (now() - lastMs < ms) return
    lastMs = now()
    work(...args)
  }
}

/** Returns a function that lets only `few` callers go on in each turn of the event loop. */
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

/**
 * Remembers when work was last done for each id.
 *
 * @param max - The number of ids that are remembered.
 */
export function createLastTimes(max: number, now: () => number) {
  const times = createLru<number>(max)
  return {
    /** Notes that it was done now for this id. */
    note: (id: string) => void times.set(id, now()),
    /** Ms since it was last done; infinite if never, or forgotten. */
    sinceMs: (id: string) => now() - (times.peek(id) ?? Number.NEGATIVE_INFINITY),
  }
}

/** Lets simultaneous calls with the same key share one promise. */
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
 * A clock that never goes back. It advances with the monotonic clock, and jumps forward with the
 * machine's clock. So neither setting the clock back nor a sleep of the machine lengthens a quote.
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

/** A clock that never goes back, in whole milliseconds: databases refuse fractions in a time. */
export function steadyClock(clock: Clock) {
  const now = steady(clock)
  const monotonic = () => Math.floor(clock.monotonic?.() ?? now())
  return { now, monotonic, sleep: clock.sleep.bind(clock) }
}

/**
 * Whether more than `forMs` have passed since a stored time. An equally distant time in the future
 * counts as passed, too: a wrong clock wrote it.
 */
export function hasPassed(forMs: number, sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) > forMs
}
