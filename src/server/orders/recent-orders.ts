/**
 * The orders of the last minutes, from one reading of the list for all polls: a busy shop costs the
 * service a few pages, and not one request for each order.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { attemptWindow } from '../core/attempts.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { createSingleFlight } from '../time/work.ts'
import type { Listing } from './list-reader.ts'
import type { OrderList } from './order-list.ts'

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
