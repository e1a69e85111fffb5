/** Finds the order of a checkout whose creation was answered without an id, or leaves it open and says so. */
import { equalDecimals, isDecimal } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import { ServiceError } from '../service/errors.ts'
import type { Order } from '../service/types.ts'
import type { Context } from './context.ts'
import { contradiction, serviceTimeMs, type Verdict, weigh, within } from './evidence.ts'
import { nextLook, withBinding } from './lifecycle.ts'
import type { OrderFeed } from './order-feed.ts'
import type { Attempt, CheckoutRecord, Evidence, Instructions, TimeWindow } from './records.ts'
import { hasOpenIntent, intentLabel, openAttempts } from './repository.ts'
import { createSingleFlight } from './single-flight.ts'
import type { Tracker } from './tracker.ts'

/** A creation whose answer was lost can have been carried out until this long after it was sent. */
const lostUntilMs = 10 * 60_000
/** The merchant is told of an order that cannot be told after this long. */
const tellAfterMs = 60_000
/** Orders whose details are read to see an address that the list does not show. */
const maxDetails = 8

export interface Binder {
  /** Looks for the order once. Resolves with the checkout as it is then; rejects with a ServiceError when it could not look. */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Binds by the merchant's word. */
  bindByHand(checkoutId: string, orderId: string): Promise<CheckoutRecord>
  bindTo(checkout: CheckoutRecord, orderId: string, evidence: Evidence): Promise<CheckoutRecord>
}

export function createBinder(context: Context, feed: OrderFeed, tracker: Tracker): Binder {
  const { repository, client, settings, now, rules } = context
  const flight = createSingleFlight<CheckoutRecord>()

  async function bindTo(checkout: CheckoutRecord, orderId: string, evidence: Evidence): Promise<CheckoutRecord> {
    const owner = await repository.claimOrder(orderId, checkout.id)
    if (owner !== checkout.id) return checkout
    return repository.updateCheckout(checkout.id, (current) =>
      current.binding || current.excluded.includes(orderId)
        ? current
        : { ...withBinding(current, orderId, evidence, now()), nextLookAtMs: nextLook(current, now(), rules.phaseOf) },
    )
  }

  async function search(before: CheckoutRecord, instructions: Instructions): Promise<CheckoutRecord> {
    const attempt = before.attempts.find(({ id }) => id === instructions.attemptId)
    const window = attempt?.window ?? null
    const around = widened(window, instructions.sentAtMs)
    const listed = await feed.since(around.fromMs)
    const near = listed.filter(({ createdAt }) => Number.isNaN(serviceTimeMs(createdAt)) || within(createdAt, around))
    const free = await freeOrders(near, before.id)
    const checkout = await closeLost(before, attempt, free)
    const orders = await withAddresses(free, checkout, instructions)
    const verdict = weigh({
      checkout,
      instructions,
      orders,
      window,
      rivals: await rivalsOf(checkout, attempt),
      foreignInWindow: await hasForeign(
        orders.filter(({ createdAt }) => within(createdAt, window)),
        checkout,
      ),
      listedBefore: new Set(
        orders
          .map(({ id }) => id)
          .filter((id) => (feed.firstListedAt(id) ?? Number.POSITIVE_INFINITY) < instructions.sentAtMs),
      ),
    })
    if (verdict.kind === 'unknown') return leaveOpen(checkout, verdict)
    const bound = await bindTo(checkout, verdict.orderId, verdict.evidence)
    const order = orders.find(({ id }) => id === verdict.orderId)
    return order && bound.binding?.orderId === order.id ? tracker.record(bound.id, order) : bound
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

  async function rivalsOf(checkout: CheckoutRecord, own: Attempt | undefined): Promise<TimeWindow[]> {
    const others = await repository.listCheckouts(intentLabel(checkout), { limit: 1000 })
    // Between our clock and the service's, as our own attempt saw it.
    const offset = own?.window ? own.window.toMs - own.sentAtMs : 0
    return [checkout, ...others.filter(({ id }) => id !== checkout.id)].flatMap((other) =>
      openAttempts(other)
        .filter(({ id }) => id !== own?.id)
        .map(
          ({ window, sentAtMs }) =>
            window ?? { fromMs: sentAtMs + Math.min(0, offset), toMs: sentAtMs + Math.max(0, offset) + lostUntilMs },
        ),
    )
  }

  /** Recognises the orders that this checkout's lost requests left behind, so that they no longer stand in the way of its own. */
  async function closeLost(
    checkout: CheckoutRecord,
    own: Attempt | undefined,
    orders: readonly Order[],
  ): Promise<CheckoutRecord> {
    let current = checkout
    for (const lost of openAttempts(checkout)) {
      if (!own?.window || lost.outcome !== 'lost' || lost.sentAtMs >= own.sentAtMs) continue
      const before = { fromMs: own.window.fromMs - (own.sentAtMs - lost.sentAtMs) - 1_000, toMs: own.window.fromMs - 1 }
      const left = orders.filter((order) => within(order.createdAt, before) && fitsIntent(order, checkout))
      if (left.length !== 1 || !left[0]) continue
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
      const label =
        `intent ${order.sourceAsset?.toUpperCase()} ${order.targetAsset?.toUpperCase()} ${order.targetAmount}` as const
      if (label === intentLabel(checkout)) continue
      if ((await repository.listCheckouts(label, { limit: 1 })).length === 0) return true
    }
    return false
  }

  async function leaveOpen(
    checkout: CheckoutRecord,
    { candidates, mismatch }: Extract<Verdict, { kind: 'unknown' }>,
  ): Promise<CheckoutRecord> {
    const isOld = now() - checkout.createdAtMs > tellAfterMs
    const after = await repository.updateCheckout(checkout.id, (current) => {
      if (current.binding) return current
      const told = current.unresolvedTold || isOld
      if (told === current.unresolvedTold && same(candidates, current.candidates)) return current
      return { ...current, candidates, unresolvedTold: told }
    })
    if (isOld && !checkout.unresolvedTold && !after.binding) {
      const which =
        candidates.length > 0
          ? `It may be ${candidates.join(' or ')}: settle it with paywindow.bind(checkoutId, orderId).`
          : 'No order of the list fits.'
      const why = mismatch === null ? '' : ` Nearest mismatch: ${mismatch}.`
      settings.report(
        new PaywindowError(
          'order_unresolved',
          `The service's order of checkout ${checkout.id} cannot be told. ${which}${why}`,
        ),
        {
          checkoutId: checkout.id,
          reference: checkout.reference,
        },
      )
    }
    return after
  }

  return {
    tryBind: (checkout) => {
      const { instructions } = checkout
      if (checkout.binding || !instructions || !hasOpenIntent(checkout)) return Promise.resolve(checkout)
      return flight(checkout.id, () => search(checkout, instructions))
    },
    bindByHand: async (checkoutId, orderId) => {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout?.instructions) throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId}`)
      const order = await client.orderDetails(orderId).catch((cause: unknown) => {
        const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
        throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
      })
      const against = contradiction(order, checkout, checkout.instructions)
      if (against)
        throw new PaywindowError('invalid_request', `Order ${orderId} cannot be checkout ${checkoutId}'s: ${against}`)
      const bound = await bindTo(checkout, orderId, 'merchant')
      if (bound.binding?.orderId !== orderId)
        throw new PaywindowError('invalid_request', `Order ${orderId} or checkout ${checkoutId} is bound already`)
      return tracker.record(checkoutId, order)
    },
    bindTo,
  }
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

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at])
}
