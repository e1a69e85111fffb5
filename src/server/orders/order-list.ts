/**
 * The service's list of orders for the rest of the server: reads back to a given time, once for all
 * callers, within the budget. Remembers the orders of pages, and answers polls from them.
 * `list-walk.ts` chooses the pages, and `page-reader.ts` reads them.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { isOfOtherSubAccount, mayBeEqual } from '../core/agreement.ts'
import { createdByMs, firstWhere, inZone } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow } from '../core/transitions.ts'
import { bounds, type CheckoutRecord } from '../core/types.ts'
import type { Settings } from '../options.ts'
import { createSingleFlight } from '../time/work.ts'
import { createWalks, type Walk, type Walks } from './list-walk.ts'
import type { ListClient, Progress } from './page-reader.ts'
import { createSharedReadings, type Listing, type Sharing } from './shared-readings.ts'

/** Pages of the list that readings may take a second. */
export function listPagesPerSecond({ serviceRequestsPerSecond }: Pick<Settings, 'serviceRequestsPerSecond'>): number {
  return serviceRequestsPerSecond * policy.list.budgetPart
}

/** An order as the list showed it last. */
interface ShownOrder {
  readonly order: Order
  /** Time at which its page was answered, by our clock. */
  readonly atMs: number
}

/** The service's list of orders. One reading serves all callers of the same time. */
export type OrderList = ReturnType<typeof createOrderList>

interface World extends Sharing {
  /** Ours. Default: all orders of the list are ours. */
  readonly subAccountId?: string
}

/**
 * Reads nothing before it is asked.
 *
 * @param onPage - Called with every page. `paywindow.ts` records the changes that the page shows.
 */
export function createOrderList(client: ListClient, world: World, onPage?: (orders: readonly Order[]) => void) {
  const { now, subAccountId } = world
  const shown = createShown(now)
  let zoneMinutes: number | undefined
  // Each sub-account may number its orders from 1.
  const named = (order: Order): Order =>
    subAccountId !== undefined && isOfOtherSubAccount(order, subAccountId)
      ? { ...order, id: `${order.subAccountId} ${order.id}` }
      : order
  const listOrders: ListClient['listOrders'] = async (query) => {
    const page = await client.listOrders(query)
    const orders = page.orders.map((order) => inZone(named(order), zoneMinutes))
    return { ...page, orders: orders.map((order) => unchanged(order, shown.get(order.id)?.order)) }
  }
  const walks = createWalks({ listOrders }, ({ orders }) => {
    shown.note(orders)
    onPage?.(orders)
  })
  const join = createSharedReadings(world, () => createRead(walks, shown, now))

  return {
    /**
     * Reads the orders created since a time by the service's clock, and those without a readable
     * time. Callers during a reading share the next one. Rejects with a ServiceError if a page
     * cannot be read; the next call goes on at that page.
     *
     * @param maxAgeMs - A reading that ended within this time serves, too. Default 0: a new reading
     * begins.
     */
    since: async (fromMs: number, maxAgeMs = 0): Promise<Listing> => {
      const whole = await join(fromMs, maxAgeMs)
      const end = whole.orders.findIndex((order) => createdByMs(order) < fromMs)
      return end < 0 ? whole : { ...whole, orders: whole.orders.slice(0, end) }
    },
    /** An order as a page of the last ten to twenty minutes showed it, even during a reading. */
    shown: shown.get,
    /**
     * Sets how many minutes times without a zone are ahead of UTC. Applies to pages read from then
     * on.
     */
    noteZone: (minutes: number) => {
      zoneMinutes = minutes
    },
    /**
     * The ids of the newest shown orders that may have a checkout's assets and price, created since
     * `fromMs` or at an unreadable time.
     */
    equalTo: shown.equalTo,
  }
}

/**
 * An unchanged order with the texts of the reading before: copies of texts that are read again and
 * again would fill the memory.
 */
function unchanged(order: Order, before: Order | undefined): Order {
  const names = Object.keys(order) as (keyof Order)[]
  const isSame = before && names.every((name) => name === 'timing' || order[name] === before[name])
  return isSame ? { ...before, timing: order.timing } : order
}

type Shown = ReturnType<typeof createShown>

/**
 * Remembers the orders on pages of the last ten to twenty minutes, in two maps: every ten minutes
 * the older map is dropped.
 */
function createShown(now: () => number) {
  let newer = new Map<string, ShownOrder>()
  let older: typeof newer = new Map()
  let newerSinceMs = now()
  const get = (orderId: string): ShownOrder | undefined => newer.get(orderId) ?? older.get(orderId)
  return {
    note: (orders: readonly Order[]) => {
      if (now() - newerSinceMs > policy.list.shownForMs) {
        older = newer
        newer = new Map()
        newerSinceMs = now()
      }
      for (const order of orders) newer.set(order.id, { order, atMs: now() })
    },
    get,
    equalTo: (checkout: CheckoutRecord, fromMs: number): readonly string[] => {
      const equal = new Map<string, Order>()
      for (const shown of [older, newer])
        for (const [id, { order }] of shown)
          if (!(createdByMs(order) < fromMs) && mayBeEqual(order, checkout)) equal.set(id, order)
      // Among orders without a readable time, the last shown are the newest.
      const newestFirst = [...equal.values()].reverse().sort((a, b) => rank(b) - rank(a))
      return newestFirst.slice(0, bounds.listed).map(({ id }) => id)
    },
    /** Whether an order created since `fromMs` was shown before a reading began, and not since. */
    isAnyGone: (fromMs: number, beganAtMs: number) => {
      for (const shown of [newer, older])
        for (const [id, { order, atMs }] of shown)
          if (atMs < beganAtMs && createdByMs(order) >= fromMs && (get(id)?.atMs ?? atMs) < beganAtMs) return true
      return false
    },
  }
}

/** A reading under way, or stopped by a failed page. */
interface ListReading {
  fromMs: number
  readonly beganAtMs: number
  readonly orders: ReturnType<typeof createNewestFirst>
  readonly progress: Progress
  readonly walk: Walk
}

/**
 * Returns a function that reads the list back to a time, and continues a stopped reading. It takes
 * one call at a time.
 */
function createRead(walks: Walks, { isAnyGone }: Shown, now: () => number) {
  let stopped: ListReading | undefined

  function begin(fromMs: number): ListReading {
    const before = stopped
    stopped = undefined
    if (before && now() - before.beganAtMs < policy.list.continuedForMs)
      return Object.assign(before, { fromMs: Math.min(before.fromMs, fromMs) })
    const progress: Progress = { isComplete: true, pages: 0, asOfMs: undefined }
    return { fromMs, beganAtMs: now(), orders: createNewestFirst(), progress, walk: walks(progress) }
  }

  return async (wantedFromMs: number): Promise<Listing> => {
    const reading = begin(wantedFromMs)
    const { fromMs, beganAtMs, orders, progress, walk } = reading
    for (;;) {
      const page = await walk().catch((error: unknown) => {
        stopped = reading
        throw error
      })
      if (!page) break
      const timesMs = page.orders.map(orders.add).filter((atMs) => !Number.isNaN(atMs))
      if (page.sorted && Math.min(...timesMs) < fromMs) break
    }
    const times = { beganAtMs, endedAtMs: now(), asOfMs: progress.asOfMs ?? null }
    const isComplete = progress.isComplete && !isAnyGone(fromMs, beganAtMs)
    return { orders: orders.orders, ...progress, isComplete, fromMs, ...times }
  }
}

/** A collection of orders, empty at first: those without a readable time, then the newest first. */
export function createNewestFirst() {
  const orders: Order[] = []
  const ids = new Set<string>()

  /** The index behind all orders that are as new or newer: mostly the end. */
  function placeAfter(order: Order): number {
    const wanted = rank(order)
    const last = orders.at(-1)
    return last && rank(last) >= wanted ? orders.length : firstWhere(orders, (each) => rank(each) < wanted)
  }

  return {
    /**
     * Adds an order, and removes an earlier one of the same id.
     *
     * @returns The latest possible time of its creation, in ms; NaN if unreadable.
     */
    add: (order: Order) => {
      const before = ids.has(order.id) ? orders.findLastIndex(({ id }) => id === order.id) : -1
      if (before >= 0) orders.splice(before, 1)
      ids.add(order.id)
      const at = placeAfter(order)
      if (at === orders.length) orders.push(order)
      else orders.splice(at, 0, order)
      return createdByMs(order)
    },
    orders,
  }
}

function rank(order: Order): number {
  const atMs = createdByMs(order)
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs
}

interface Polls {
  /** Reads unless another server reads or has just read. */
  readonly inTurn: (read: () => Promise<Listing>) => Promise<Listing | 'left to another server'>
  readonly onFailure: (error: ServiceError) => void
}

/**
 * Answers polls about the orders of the last 31 minutes from readings that all polls share. A busy
 * shop then costs a few pages instead of one request for each order. Reads nothing before it is
 * called.
 */
export function createRecentOrders({ now, sleep }: Context, orderList: OrderList, { inTurn, onFailure }: Polls) {
  const flight = createSingleFlight<void>()
  let waiting = 0
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
    // Now and then this server reads out of turn: only the reader knows which orders are missing.
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

  async function ends(withinMs: number, reading: Promise<void>): Promise<boolean> {
    waiting += 1
    return endsWithin({ now, sleep }, withinMs, reading).finally(() => {
      waiting -= 1
    })
  }

  return {
    /** The order as a page showed it less than 2.5 s ago; undefined if none did. Reads nothing. */
    known: (checkout: CheckoutRecord) => shown(checkout, policy.list.freshMs),
    /**
     * Reads the list if the last reading is too old. While a reading takes long, and after a
     * failure, an earlier reading answers, up to a minute after its end.
     *
     * @returns Undefined if no reading shows the order. `not yet` while the first reading that
     *   could show it is under way, or if another server reads and updates the records.
     */
    read: async (checkout: CheckoutRecord): Promise<Order | 'not yet' | undefined> => {
      const ageMs = now() - checkout.createdAtMs
      if (ageMs > policy.list.recentMs) return undefined
      // The start is by the service's clock, the age by ours.
      const reading = flight('', () => readList(orderedSince(checkout) + ageMs - policy.list.recentMs))
      const before = shown(checkout, policy.list.oldestMs + tookMs)
      const patience = before ? policy.poll.listPatienceMs.answered : policy.poll.listPatienceMs.unanswered
      const leftMs = Math.max(0, beganAtMs + patience - now())
      const isSlow = before !== undefined && !isLeftToOther && tookMs > patience
      // A poll waits only for a reading that may end in time.
      const isTooLong = isUnderWay && (leftMs === 0 || isSlow || waiting >= policy.poll.mostWaiting)
      const isOver = !isTooLong && (await ends(leftMs, reading))
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
