/** Gathers what is known when the order of a checkout is looked for: the list, the details, the other creations of that time. */
import { equalDecimals, isDecimal } from '../contract/decimal.ts'
import type { Order } from '../service/types.ts'
import type { Context } from './context.ts'
import { contradiction, overlaps, type Situation, serviceTimeMs, within } from './evidence.ts'
import type { OrderFeed } from './order-feed.ts'
import type { Attempt, CheckoutRecord, Instructions, TimeWindow } from './records.ts'
import { intentLabel, intentOf, openAttempts } from './repository.ts'

/** A creation whose answer was lost can have been carried out until this long after it was sent. */
const lostUntilMs = 10 * 60_000
/** By then the list shows an order that was created. */
const listedWithinMs = 60_000
/** Orders whose details are read to see an address that the list does not show. */
const maxDetails = 8

/** A creation that could be confused with the one that is looked for. */
interface Rival {
  readonly checkoutId: string
  readonly window: TimeWindow
}

/** Returns a function that reads the service's list and rejects with a ServiceError when it cannot. */
export function createSurvey(
  context: Context,
  feed: OrderFeed,
): (checkout: CheckoutRecord, instructions: Instructions) => Promise<Situation> {
  const { repository, client, now } = context

  async function survey(before: CheckoutRecord, instructions: Instructions): Promise<Situation> {
    const attempt = before.attempts.find(({ id }) => id === instructions.attemptId)
    const window = attempt?.window ?? null
    const around = widened(window, instructions.sentAtMs)
    const { orders: listed, isComplete } = await feed.since(around.fromMs)
    const near = listed.filter(({ createdAt }) => Number.isNaN(serviceTimeMs(createdAt)) || within(createdAt, around))
    const free = await freeOrders(near, before.id)
    const rivals = await rivalsOf(before, attempt)
    const checkout = isComplete ? await closeLost(before, attempt, free, rivals) : before
    const orders = await withAddresses(free, checkout, instructions)
    const inWindow = orders.filter(({ createdAt }) => within(createdAt, window))
    const isOld = ({ id }: Order) => (feed.firstListedAt(id) ?? Number.POSITIVE_INFINITY) < instructions.sentAtMs
    return {
      checkout,
      instructions,
      orders,
      window,
      rivals: (checkout === before ? rivals : await rivalsOf(checkout, attempt)).map(({ window: each }) => each),
      // What could not be read may be anybody's.
      foreignInWindow:
        !isComplete ||
        (await repository.hasUnreadable(intentLabel(checkout), checkout.createdAtMs)) ||
        (await hasForeign(inWindow, checkout)),
      listedBefore: new Set(orders.filter(isOld).map(({ id }) => id)),
    }
  }

  /** Orders bound to nobody, and the one that a process which died in between had already taken for this checkout. */
  async function freeOrders(orders: readonly Order[], checkoutId: string): Promise<Order[]> {
    const owners = await Promise.all(orders.map(({ id }) => repository.ownerOf(id)))
    return orders.filter((_, at) => owners[at] === undefined || owners[at] === checkoutId)
  }

  /** Completes the orders that may be ours with what their details show. */
  async function withAddresses(
    orders: readonly Order[],
    checkout: CheckoutRecord,
    instructions: Instructions,
  ): Promise<Order[]> {
    const mayBeOurs = orders.filter(
      (order) => order.walletAddress === null && contradiction(order, checkout, instructions) === null,
    )
    const ids = new Set(mayBeOurs.slice(0, maxDetails).map(({ id }) => id))
    return Promise.all(
      orders.map(async (order) => (ids.has(order.id) ? merge(order, await client.orderDetails(order.id)) : order)),
    )
  }

  async function rivalsOf(checkout: CheckoutRecord, own: Attempt | undefined): Promise<Rival[]> {
    const others = await repository.listCheckouts(intentLabel(checkout), { limit: 1000 })
    // Between our clock and the service's, as our own attempt saw it.
    const offset = own?.window ? own.window.toMs - own.sentAtMs : 0
    const windows = [checkout, ...others.filter(({ id }) => id !== checkout.id)].flatMap((other) =>
      openAttempts(other)
        .filter(({ id }) => id !== own?.id)
        .map(({ window, sentAtMs }) => ({
          checkoutId: other.id,
          outcomeKnown: window !== null,
          window: window ?? lostWindow(sentAtMs, offset),
        })),
    )
    // What a lost request did would be in the list by now, and count as a candidate there.
    const isOver = (window: TimeWindow) => now() + Math.min(0, offset) > window.toMs + listedWithinMs
    return windows.filter(({ outcomeKnown, window }) => outcomeKnown || !isOver(window))
  }

  /** Recognises the orders that this checkout's lost requests left behind, so that they no longer stand in the way of its own. */
  async function closeLost(
    checkout: CheckoutRecord,
    own: Attempt | undefined,
    orders: readonly Order[],
    rivals: readonly Rival[],
  ): Promise<CheckoutRecord> {
    let current = checkout
    for (const lost of openAttempts(checkout)) {
      if (!own?.window || lost.outcome !== 'lost' || lost.sentAtMs >= own.sentAtMs) continue
      const before = { fromMs: own.window.fromMs - (own.sentAtMs - lost.sentAtMs) - 1_000, toMs: own.window.fromMs - 1 }
      const left = orders.filter((order) => within(order.createdAt, before) && fitsIntent(order, checkout))
      // An order of that time may be that of another checkout with these assets and this price.
      const isContested = rivals.some(
        ({ checkoutId, window }) => checkoutId !== checkout.id && overlaps(window, before),
      )
      if (isContested || left.length !== 1 || !left[0]) continue
      const orphan = left[0].id
      if ((await repository.claimOrder(orphan, checkout.id)) !== checkout.id) continue
      current = await repository.updateCheckout(checkout.id, (latest) => ({
        ...latest,
        attempts: latest.attempts.map((attempt) => (attempt.id === lost.id ? { ...attempt, orphan } : attempt)),
        excluded: [...latest.excluded, orphan],
      }))
    }
    return current
  }

  async function hasForeign(orders: readonly Order[], checkout: CheckoutRecord): Promise<boolean> {
    for (const order of orders) {
      const label = intentOf(order.sourceAsset ?? '?', order.targetAsset ?? '?', order.targetAmount ?? '?')
      if (label === intentLabel(checkout)) continue
      if ((await repository.listCheckouts(label, { limit: 1 })).length > 0) continue
      // Bound meanwhile, it is ours and its checkout no longer asks for one: orders are claimed before that.
      if ((await repository.ownerOf(order.id)) === undefined) return true
    }
    return false
  }

  return survey
}

/** When a request without an answer may have been carried out; wide, where the clocks differ. */
function lostWindow(sentAtMs: number, offsetMs: number): TimeWindow {
  return { fromMs: sentAtMs + Math.min(0, offsetMs), toMs: sentAtMs + Math.max(0, offsetMs) + lostUntilMs }
}

/** Around the attempt, with room for clocks that differ and for orders that show what is wrong with them. */
function widened(window: TimeWindow | null, sentAtMs: number): TimeWindow {
  const { fromMs, toMs } = window ?? { fromMs: sentAtMs, toMs: sentAtMs + lostUntilMs }
  return { fromMs: fromMs - 60_000, toMs: toMs + 60_000 }
}

/** What the details say, filled up with what only the list says. */
function merge(listed: Order, details: Order): Order {
  const entries = Object.entries(details).filter(([, value]) => value !== null)
  return { ...listed, ...Object.fromEntries(entries), id: listed.id }
}

/** Whether an order is one that this checkout asked for, as far as a request without an answer can tell. */
function fitsIntent(order: Order, { method, terms }: CheckoutRecord): boolean {
  return (
    order.sourceAsset?.toUpperCase() === method.asset.toUpperCase() &&
    order.targetAsset?.toUpperCase() === terms.price.asset.toUpperCase() &&
    order.targetAmount !== null &&
    isDecimal(order.targetAmount) &&
    equalDecimals(order.targetAmount, terms.price.amount)
  )
}
