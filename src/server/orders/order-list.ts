/**
 * Reads the newest orders of the list once for all callers, and no more often than the service's budget allows. Whether the list is
 * sorted up or down and whether its pages count from 0 or 1 is not stated, so both are learnt from the answers.
 */
import { LRUCache } from 'lru-cache'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'
import { createdByMs, inZone } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import type { Settings } from '../options.ts'
import { createWalks, type Walk } from './list-pages.ts'
import type { Listing, ListPages, Progress } from './list-reader.ts'

/** Pages of the list that readings may take in a second: of the budget, one request in five is left for single orders. Creations go first anyway. */
export function listPagesPerSecond({ serviceRequestsPerSecond }: Pick<Settings, 'serviceRequestsPerSecond'>): number {
  return serviceRequestsPerSecond * 0.8
}

/** An order as the list showed it last. */
interface ShownOrder {
  readonly order: Order
  /** When its page was answered, by our clock. */
  readonly atMs: number
}

/** The service's list of orders: one reading serves all who ask at the same time. */
export interface OrderList extends Omit<Listed, 'note'> {
  /**
   * Reads the orders created since a time by the service's clock; orders without a readable time are included. All who ask
   * meanwhile share the next reading. Rejects with a ServiceError when a page cannot be read; the next call goes on at that page.
   *
   * @param maxAgeMs - How long ago the reading may have ended. Default 0: one that begins now.
   */
  since(fromMs: number, maxAgeMs?: number): Promise<Listing>
  /** An order as a page of the last ten minutes, or more, showed it, also one of a reading that is not finished. */
  shown(orderId: string): ShownOrder | undefined
  /** To be called where it is known how far the times of its orders are ahead of UTC, where they name no zone: pages that are read later show it. */
  noteZone(minutes: number): void
}

interface World extends Sharing {
  /** Called with the orders of each page. */
  readonly onPage?: (orders: readonly Order[]) => void
}

/** Learns from the answers which way the list is sorted and from which number its pages count. */
export function createOrderList(client: ListPages, world: World): OrderList {
  const { now, onPage } = world
  const listed = createListed()
  const shown = createShown(now)
  let zoneMinutes: number | undefined
  const listOrders: ListPages['listOrders'] = async (query) => {
    const page = await client.listOrders(query)
    return {
      ...page,
      orders: page.orders.map((order) => unchanged(inZone(order, zoneMinutes), shown.get(order.id)?.order)),
    }
  }
  const walks = createWalks({ listOrders }, ({ orders }) => {
    listed.note(orders)
    shown.note(orders)
    onPage?.(orders)
  })
  const join = createSharedReadings(world, () => createRead(walks, shown.isAnyGone, now))

  return {
    since: async (fromMs, maxAgeMs = 0) => {
      const whole = await join(fromMs, maxAgeMs)
      const end = whole.orders.findIndex((order) => createdByMs(order) < fromMs)
      return end < 0 ? whole : { ...whole, orders: whole.orders.slice(0, end) }
    },
    shown: shown.get,
    noteZone: (minutes) => {
      zoneMinutes = minutes
    },
    noteSending: listed.noteSending,
    hasSent: listed.hasSent,
    wasListedBefore: listed.wasListedBefore,
  }
}

/**
 * An order with the texts of the one before, where they are the same: most orders are read again and again without a change, and texts
 * that live from one reading to the next are those that fill the memory.
 */
function unchanged(order: Order, before: Order | undefined): Order {
  const names = Object.keys(order) as (keyof Order)[]
  const isSame = before && names.every((name) => name === 'timing' || order[name] === before[name])
  return isSame ? { ...before, timing: order.timing } : order
}

/** The orders of the pages of the last ten to twenty minutes. Old ones are forgotten with the map that they are in. */
function createShown(now: () => number) {
  let newer = new Map<string, ShownOrder>()
  let older = newer
  let newerSinceMs = now()
  const get = (orderId: string) => newer.get(orderId) ?? older.get(orderId)
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
    /** Whether an order that was created since a time was shown before a reading began, and not since. */
    isAnyGone: (fromMs: number, beganAtMs: number) => {
      for (const shown of [newer, older])
        for (const [id, { order }] of shown)
          if ((get(id)?.atMs ?? beganAtMs) < beganAtMs && createdByMs(order) >= fromMs) return true
      return false
    },
  }
}

/** A reading under way, or stopped by a refusal. */
interface ListReading {
  fromMs: number
  readonly beganAtMs: number
  readonly orders: NewestFirst
  readonly progress: Progress
  readonly walk: Walk
}

/** Reads the list back to a time; where the reading before was stopped, goes on with that one. One at a time. */
function createRead(
  walks: (progress: Progress) => Walk,
  isAnyGone: (fromMs: number, beganAtMs: number) => boolean,
  now: () => number,
): (fromMs: number) => Promise<Listing> {
  let stopped: ListReading | undefined

  function begin(fromMs: number): ListReading {
    const before = stopped
    stopped = undefined
    if (before && now() - before.beganAtMs < policy.list.continuedForMs)
      return Object.assign(before, { fromMs: Math.min(before.fromMs, fromMs) })
    const progress: Progress = { isComplete: true, pages: 0, asOfMs: undefined }
    return { fromMs, beganAtMs: now(), orders: createNewestFirst(), progress, walk: walks(progress) }
  }

  return async (wantedFromMs) => {
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

/** Creation requests that are remembered: the oldest are forgotten first. */
const maxRequests = 10_000
/** Orders that are remembered, twice as many as one reading can show: those listed longest ago are forgotten first. */
const maxListed = 200_000

/** What this process knows of its own requests. */
interface Listed {
  /** To be called with the orders of each page. */
  note(orders: readonly Order[]): void
  /** To be called before a creation request is sent: what was listed by then is not its order. */
  noteSending(requestId: string): void
  /** Whether a page that showed the order had been answered when this process sent the request. False for requests of others. */
  wasListedBefore(orderId: string, requestId: string): boolean
  /** Whether this process sent the request, and remembers it. */
  hasSent(requestId: string): boolean
}

/** Counted, not timed: clocks of two servers say nothing about what came first. */
function createListed(): Listed {
  let pagesAnswered = 0
  const firstListed = new LRUCache<string, number>(growingTo(maxListed))
  const sentAfter = new LRUCache<string, number>(growingTo(maxRequests))
  return {
    note: (orders: readonly Order[]) => {
      pagesAnswered += 1
      // Asking for one keeps it among the last listed: else a long reading would forget the newest, which it shows first.
      for (const { id } of orders) if (firstListed.get(id) === undefined) firstListed.set(id, pagesAnswered)
    },
    noteSending: (requestId: string) => {
      if (!sentAfter.has(requestId)) sentAfter.set(requestId, pagesAnswered)
    },
    hasSent: (requestId) => sentAfter.has(requestId),
    wasListedBefore: (orderId: string, requestId: string) => {
      const [first, sent] = [firstListed.get(orderId), sentAfter.get(requestId)]
      return first !== undefined && sent !== undefined && first <= sent
    },
  }
}

/** Orders without a readable time, and then the newest first. */
export interface NewestFirst {
  /** Adds an order, or takes it in place of what was added under its id. Returns the latest time at which it can have been created, in ms; NaN if not readable. */
  add(order: Order): number
  readonly orders: readonly Order[]
}

/** Empty at first. */
export function createNewestFirst(): NewestFirst {
  const orders: Order[] = []
  const ids = new Set<string>()

  /** The first place behind all that are as new, or newer. Pages mostly come from the newest to the oldest: then it is the end. */
  function placeAfter(order: Order): number {
    const wanted = rank(order)
    let [from, to] = [0, orders.length]
    if (to > 0 && rank(orders[to - 1]) >= wanted) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if (rank(orders[middle]) >= wanted) from = middle + 1
      else to = middle
    }
    return from
  }

  function remove(id: string): void {
    const at = orders.findLastIndex((order) => order.id === id)
    orders.splice(at, 1)
  }

  return {
    add: (order) => {
      if (ids.has(order.id)) remove(order.id)
      ids.add(order.id)
      const at = placeAfter(order)
      if (at === orders.length) orders.push(order)
      else orders.splice(at, 0, order)
      return createdByMs(order)
    },
    orders,
  }
}

function rank(order: Order | undefined): number {
  const atMs = order ? createdByMs(order) : Number.NaN
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs
}

/** How readings are shared. */
interface Sharing {
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
