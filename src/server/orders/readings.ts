/**
 * Readings of the list that all share who ask: one long reading at a time, and short ones beside it.
 * A busy shop costs the service a few pages, and not one request for each order.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { attemptWindow } from '../core/attempts.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { createSingleFlight } from '../time/work.ts'
import type { Listing, OrderList } from './order-list.ts'

/** What readings of the list show of the orders of the last minutes. */
export interface RecentOrders {
  /** The order of a bound checkout as a page showed it a moment ago; undefined when none did. */
  known(checkout: CheckoutRecord): Order | undefined
  /**
   * Reads the list when it is time to. While a reading takes long or when it fails, the order is as a page showed it before, up to a
   * minute after the end of its reading. Undefined when no reading shows the order; `not yet` while the first that could is under way,
   * and where another server reads: what that shows is in the store.
   */
  read(checkout: CheckoutRecord): Promise<Order | 'not yet' | undefined>
}

interface World extends Pick<Context, 'now' | 'sleep'> {
  /** Reads where no other server reads or has just read. */
  readonly inTurn: (read: () => Promise<Listing>) => Promise<Listing | 'by others'>
  /** Called once for each reading that failed. */
  readonly onFailure: (error: ServiceError) => void
}

/** Reads nothing before it is asked. */
export function createRecentOrders(orderList: OrderList, { now, sleep, inTurn, onFailure }: World): RecentOrders {
  const flight = createSingleFlight<void>()
  const waiting = createWaiting({ now, sleep })
  let beganAtMs = Number.NEGATIVE_INFINITY
  let failedAtMs = Number.NEGATIVE_INFINITY
  /** How long the last reading took. */
  let tookMs = 0
  let isUnderWay = false
  let isByOthers = false
  /** When the last reading of this server began, and since when it relies on others. */
  let ownBeganAtMs = Number.NEGATIVE_INFINITY
  let reliesSinceMs: number | undefined

  function shown({ binding }: CheckoutRecord, maxAgeMs: number): Order | undefined {
    const found = binding ? orderList.shown(binding.orderId) : undefined
    return found && now() - found.atMs < maxAgeMs ? found.order : undefined
  }

  async function readList(fromMs: number): Promise<void> {
    if (now() - failedAtMs < policy.list.freshMs) return
    beganAtMs = now()
    isUnderWay = true
    const read = () => orderList.since(fromMs, policy.list.freshMs)
    const reliesForMs = now() - (reliesSinceMs ?? now())
    try {
      const listing =
        reliesForMs > Math.max(policy.list.ownEveryMs, tookMs / policy.list.ownShare)
          ? await read()
          : await inTurn(read)
      isByOthers = listing === 'by others'
      if (listing === 'by others') {
        reliesSinceMs ??= now()
        return
      }
      tookMs = now() - beganAtMs
      ownBeganAtMs = listing.beganAtMs
      reliesSinceMs = undefined
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      isByOthers = false
      failedAtMs = now()
      onFailure(error)
    } finally {
      isUnderWay = false
    }
  }

  /** Whether the last reading of this server should have shown the order, and did not. */
  function isUnshown({ binding }: CheckoutRecord): boolean {
    if (!binding || binding.boundAtMs >= ownBeganAtMs) return false
    return (orderList.shown(binding.orderId)?.atMs ?? Number.NEGATIVE_INFINITY) < ownBeganAtMs
  }

  return {
    known: (checkout) => shown(checkout, policy.list.freshMs),
    read: async (checkout) => {
      const ageMs = now() - checkout.createdAtMs
      if (ageMs > policy.list.recentMs) return undefined
      // By the service's clock, which may be another than ours.
      const reading = flight('', () => readList(orderedSince(checkout) + ageMs - policy.list.recentMs))
      const before = shown(checkout, policy.list.oldestMs + tookMs)
      const patience = before ? policy.poll.listPatienceMs.answered : policy.poll.listPatienceMs.unanswered
      const leftMs = Math.max(0, beganAtMs + patience - now())
      const isSlow = before !== undefined && !isByOthers && tookMs > patience
      const isTooLong = isUnderWay && (leftMs === 0 || isSlow || waiting.isFull())
      const isOver = !isTooLong && (await waiting.endsWithin(leftMs, reading))
      if (isOver && isByOthers) return isUnshown(checkout) ? undefined : 'not yet'
      return shown(checkout, policy.list.oldestMs + tookMs) ?? (isOver ? undefined : 'not yet')
    },
  }
}

/** From when on the list shows the order of a checkout, by the service's clock. */
export function orderedSince(checkout: CheckoutRecord): number {
  return (attemptWindow(checkout)?.fromMs ?? checkout.createdAtMs) - 60_000
}

/** Waits for work as `endsWithin` does, and tells whether so many wait that no other should. */
function createWaiting(clock: Pick<World, 'now' | 'sleep'>) {
  let count = 0
  return {
    isFull: () => count >= policy.poll.mostWaiting,
    endsWithin: (ms: number, work: Promise<void>): Promise<boolean> => {
      count += 1
      return endsWithin(clock, ms, work).finally(() => {
        count -= 1
      })
    },
  }
}

/** How readings are shared. */
export interface Sharing {
  readonly now: () => number
  /** The service's time. Default: ours. */
  readonly serviceNow?: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly pagesPerSecond: number
}

/** Returns a reading that goes back to a time and is new enough. */
type Join = (fromMs: number, maxAgeMs: number) => Promise<Listing>

/** Short readings go on beside a long one: whoever wants the newest orders does not wait until the oldest have been read. */
export function createSharedReadings(world: Sharing, createReader: () => (fromMs: number) => Promise<Listing>): Join {
  const { now, serviceNow = now } = world
  const long = createOneAtATime(world, createReader(), () => 1)
  // Together they must not take more pages than one does alone.
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
  /** `undefined` while it is under way, and when it failed. */
  endedAtMs: number | undefined
  hasFailed: boolean
}

/** One reading at a time, not too often, shared by all who ask meanwhile. @param slowness - How many times as long pauses are. */
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

  /** Begins the next reading when the one before has ended, and was long enough ago. */
  async function beginAfter(
    { beganAtMs, reading }: LastReading,
    wanted: { readonly fromMs: number },
  ): Promise<Listing> {
    // Those who asked for a reading know that it failed.
    const pagesRead = await reading.then(
      ({ pages }) => pages,
      () => 0,
    )
    const waitMs =
      beganAtMs + Math.max(policy.list.leastPauseMs, (slowness() * pagesRead * 1_000) / pagesPerSecond) - now()
    if (waitMs > 0) await sleep(waitMs)
    return begin(wanted.fromMs)
  }

  /** Whether a reading is new enough. One that is under way is, unless it has to begin now. */
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
    /** A reading that serves and has ended: whoever wants the newest orders would wait for the oldest. */
    ended: (fromMs: number, maxAgeMs: number) => (isUnderWay() ? undefined : serving(fromMs, maxAgeMs)),
  }
}
