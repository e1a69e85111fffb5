/** Shares readings of the list between their callers, with pauses by the budget of pages. */
import type { Clock } from '../../service/clock.ts'
import type { Order } from '../../service/types.ts'
import { policy } from '../core/policy.ts'

/** The result of reading the list. */
export interface Listing {
  /** Newest first, after orders without a readable time. */
  readonly orders: readonly Order[]
  /**
   * False if an order may be missing: an item was unreadable, the list was too long for one
   * reading, or a shown order has disappeared.
   */
  readonly isComplete: boolean
  readonly pages: number
  /** Orders created since this time were read, by the service's clock. */
  readonly fromMs: number
  /** Time of the first page by the service's clock; null if unknown. */
  readonly asOfMs: number | null
  /** Time at which the first page was asked for, by our clock. */
  readonly beganAtMs: number
  /** Time at which the last page was answered, by our clock. */
  readonly endedAtMs: number
}

/** Clocks, and the budget of pages. */
export interface Sharing extends Pick<Clock, 'now' | 'sleep'> {
  /** The service's time. Default: `now`. */
  readonly serviceNow?: () => number
  readonly pagesPerSecond: number
}

/** Joins a new enough reading back to a time, or begins one. */
type Join = (fromMs: number, maxAgeMs: number) => Promise<Listing>

/**
 * Short readings run beside a long one, so that callers for the newest orders do not wait for the
 * oldest.
 */
export function createSharedReadings(world: Sharing, createReader: () => (fromMs: number) => Promise<Listing>): Join {
  const { now, serviceNow = now } = world
  const long = createOneAtATime(world, createReader(), () => 1)
  // Two readings must take no more pages than one, so pauses double beside a long reading.
  const short = createOneAtATime(world, createReader(), () => (long.isLongUnderWay() ? 2 : 1))
  return (fromMs, maxAgeMs) => {
    const isShort = fromMs >= serviceNow() - policy.list.shortMs
    return isShort ? (long.ended(fromMs, maxAgeMs) ?? short.join(fromMs, maxAgeMs)) : long.join(fromMs, maxAgeMs)
  }
}

interface LastReading {
  readonly fromMs: number
  readonly beganAtMs: number
  readonly reading: Promise<Listing>
  /** Undefined while it is under way, and after a failure. */
  endedAtMs: number | undefined
  hasFailed: boolean
}

/**
 * Runs one reading at a time, with pauses. All callers during a reading share the next.
 *
 * @param slowness - Factor of the pauses.
 */
function createOneAtATime(
  { now, sleep, pagesPerSecond }: Sharing,
  read: (fromMs: number) => Promise<Listing>,
  slowness: () => number,
) {
  let last: LastReading | undefined
  let next: { fromMs: number; readonly reading: Promise<Listing> } | undefined

  function begin(fromMs: number): Promise<Listing> {
    next = undefined
    const begun: LastReading = {
      fromMs,
      beganAtMs: now(),
      reading: read(fromMs),
      endedAtMs: undefined,
      hasFailed: false,
    }
    begun.reading.then(
      () => Object.assign(begun, { endedAtMs: now() }),
      () => Object.assign(begun, { hasFailed: true }),
    )
    last = begun
    return begun.reading
  }

  async function beginAfter(
    { beganAtMs, reading }: LastReading,
    wanted: { readonly fromMs: number },
  ): Promise<Listing> {
    // The reading's own callers learn of a failure.
    const pagesRead = await reading.then(
      ({ pages }) => pages,
      () => 0,
    )
    const waitMs =
      beganAtMs + Math.max(policy.list.leastPauseMs, (slowness() * pagesRead * 1_000) / pagesPerSecond) - now()
    if (waitMs > 0) await sleep(waitMs)
    return begin(wanted.fromMs)
  }

  /**
   * Whether a reading is new enough. A reading under way is, unless the caller wants one that
   * begins now.
   */
  function serves({ beganAtMs, endedAtMs, hasFailed }: LastReading, maxAgeMs: number): boolean {
    const ageMs = now() - (endedAtMs ?? now())
    return !hasFailed && (now() === beganAtMs || (maxAgeMs > 0 && ageMs < maxAgeMs))
  }

  function serving(fromMs: number, maxAgeMs: number): Promise<Listing> | undefined {
    return last && last.fromMs <= fromMs && serves(last, maxAgeMs) ? last.reading : undefined
  }

  const isUnderWay = () => last !== undefined && last.endedAtMs === undefined && !last.hasFailed
  const isLongUnderWay = () => isUnderWay() && now() - (last?.beganAtMs ?? 0) > policy.list.leastPauseMs

  const join: Join = (fromMs, maxAgeMs) => {
    const served = serving(fromMs, maxAgeMs)
    if (served) return served
    if (!last) return begin(fromMs)
    if (next) {
      next.fromMs = Math.min(next.fromMs, fromMs)
      return next.reading
    }
    const wanted = { fromMs }
    next = Object.assign(wanted, { reading: beginAfter(last, wanted) })
    return next.reading
  }

  return {
    join,
    isLongUnderWay,
    /**
     * A new enough reading that has ended; undefined if none. Waiting for one under way could take
     * long.
     */
    ended: (fromMs: number, maxAgeMs: number) => (isUnderWay() ? undefined : serving(fromMs, maxAgeMs)),
  }
}
