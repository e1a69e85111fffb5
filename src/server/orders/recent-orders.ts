/**
 * Answers polls about the orders of the last 31 minutes from readings of the list that all polls
 * share. A busy shop then costs the service a few pages in place of one request for each order.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { createSingleFlight } from '../time/work.ts'
import type { OrderList } from './order-list.ts'
import type { Listing } from './shared-readings.ts'

interface World extends Pick<Context, 'now' | 'sleep'> {
  /** Reads unless another server reads or has just read. */
  readonly inTurn: (read: () => Promise<Listing>) => Promise<Listing | 'left to another server'>
  readonly onFailure: (error: ServiceError) => void
}

/** The orders of the last 31 minutes, for bound checkouts. Reads nothing before it is called. */
export function createRecentOrders(orderList: OrderList, { now, sleep, inTurn, onFailure }: World) {
  const flight = createSingleFlight<void>()
  const waiting = createWaiting({ now, sleep })
  let beganAtMs = Number.NEGATIVE_INFINITY
  let failedAtMs = Number.NEGATIVE_INFINITY
  let tookMs = 0
  let isUnderWay = false
  let isLeftToOther = false
  /** Time at which the last reading of this server began. */
  let ownBeganAtMs = Number.NEGATIVE_INFINITY
  /** Time since which this server has left all readings to others. */
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
    // Now and then this server reads even out of turn: only the reader knows which orders no page
    // shows.
    const reliesForMs = now() - (reliesSinceMs ?? now())
    try {
      const listing =
        reliesForMs > Math.max(policy.list.ownEveryMs, tookMs / policy.list.ownShare)
          ? await read()
          : await inTurn(read)
      isLeftToOther = listing === 'left to another server'
      if (listing === 'left to another server') {
        reliesSinceMs ??= now()
        return
      }
      tookMs = now() - beganAtMs
      ownBeganAtMs = listing.beganAtMs
      reliesSinceMs = undefined
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      isLeftToOther = false
      failedAtMs = now()
      onFailure(error)
    } finally {
      isUnderWay = false
    }
  }

  /** Whether the last reading by this server should have shown the order, and did not. */
  function isUnshown({ binding }: CheckoutRecord): boolean {
    if (!binding || binding.boundAtMs >= ownBeganAtMs) return false
    return (orderList.shown(binding.orderId)?.atMs ?? Number.NEGATIVE_INFINITY) < ownBeganAtMs
  }

  return {
    /** The order as a page showed it a moment ago; undefined if none did. Reads nothing. */
    known: (checkout: CheckoutRecord) => shown(checkout, policy.list.freshMs),
    /**
     * Reads the list if the last reading is too old. While a reading takes long, and after a
     * failure, an earlier reading answers, up to a minute after its end.
     *
     * @returns Undefined if no reading shows the order. `not yet` while the first reading that could
     * show it is under way, or if another server reads: the checkout's record then has what that
     * server found.
     */
    read: async (checkout: CheckoutRecord): Promise<Order | 'not yet' | undefined> => {
      const ageMs = now() - checkout.createdAtMs
      if (ageMs > policy.list.recentMs) return undefined
      // The start by the service's clock, the age by ours: the two may differ.
      const reading = flight('', () => readList(orderedSince(checkout) + ageMs - policy.list.recentMs))
      const before = shown(checkout, policy.list.oldestMs + tookMs)
      const patience = before ? policy.poll.listPatienceMs.answered : policy.poll.listPatienceMs.unanswered
      const leftMs = Math.max(0, beganAtMs + patience - now())
      const isSlow = before !== undefined && !isLeftToOther && tookMs > patience
      // A poll waits only for a reading that may end in time.
      const isTooLong = isUnderWay && (leftMs === 0 || isSlow || waiting.isFull())
      const isOver = !isTooLong && (await waiting.endsWithin(leftMs, reading))
      if (isOver && isLeftToOther) return isUnshown(checkout) ? undefined : 'not yet'
      return shown(checkout, policy.list.oldestMs + tookMs) ?? (isOver ? undefined : 'not yet')
    },
  }
}

/**
 * The earliest time at which the order of a checkout can have been created, by the service's clock.
 */
export function orderedSince(checkout: CheckoutRecord): number {
  return (attemptWindow(checkout)?.fromMs ?? checkout.createdAtMs) - 60_000
}

/** Waits for work as `endsWithin` does, and counts who waits. */
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
