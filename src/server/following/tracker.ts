/** Takes over what the service says of an order into the checkout that it is bound to. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, otherAmounts } from '../orders/evidence.ts'
import type { OrderFeed } from '../orders/order-list.ts'
import { createRecentOrders, fewOrders } from '../orders/recent-orders.ts'
import { isStale, nextLook, withoutBinding, withStatus } from '../records/transitions.ts'
import type { Binding, CheckoutRecord, Instructions } from '../records/types.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import { HeldOffError } from '../upstream/service-gate.ts'

/** However many browsers ask, the service is asked about an order at most this often. */
const quietMs = 2_500
/** A browser asks about every five seconds, and the watcher never sooner: what was looked at within this time, it can leave out. */
const followedMs = 5_000
/** Words of the service that the merchant is told of once. */
const maxWords = 100
/** Orders of whom it is remembered when they were looked at: those looked at longest ago are forgotten first. */
const maxRemembered = 100_000

/** An order that the creation named is let go when the service answers for so long that there is none. */
const unknownForMs = 3 * 60_000

export interface Tracker {
  /** Asks the service for the order of a bound checkout, unless it was asked a moment ago; failures leave what is known. */
  look(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** The same for who has to know: resolves with undefined when the service could not be asked, or gave no usable answer. */
  tryLook(checkout: CheckoutRecord): Promise<CheckoutRecord | undefined>
  /** Takes over an order as the list or the details show it. */
  record(checkoutId: string, order: Order): Promise<CheckoutRecord>
  /** Lets go of an order that may be another's, and of the status that came from it, while `isMeant` holds for the binding. */
  unbind(
    checkoutId: string,
    orderId: string,
    why: string,
    isMeant?: (binding: Binding) => boolean,
  ): Promise<CheckoutRecord>
  /** Whether the order of a checkout was looked at a moment ago, as it is while a browser polls. */
  isFollowed(checkout: CheckoutRecord): boolean
}

export function createTracker(
  context: Context,
  feed: OrderFeed,
  onChange: (checkout: CheckoutRecord) => void,
): Tracker {
  const { repository, client, settings, rules, now } = context
  const lookedAt = new Map<string, number>()
  const wordsReported = new Set<string>()
  const flight = createSingleFlight<CheckoutRecord | null>()
  const recent = createRecentOrders(feed, now, (error) => failed(error, 'The order list could not be read', {}))
  /** When the last few orders were looked at. */
  let lastLooks: readonly number[] = []

  async function record(checkoutId: string, order: Order): Promise<CheckoutRecord> {
    let against: string | null = null
    let before: CheckoutRecord | undefined
    const after = await repository.updateCheckout(checkoutId, (checkout) => {
      before = checkout
      against = null
      if (checkout.binding?.orderId !== order.id || !checkout.instructions) return checkout
      against = speaksAgainst(order, checkout, checkout.binding, checkout.instructions)
      if (against !== null) return withoutBinding(checkout, order.id, true, now(), rules)
      const known = isUnread(checkout.binding) ? { ...checkout, binding: certain(checkout.binding) } : checkout
      // What may turn out wrong is looked at once more before anybody is told of money.
      if (order.status === null || known.binding?.isProvisional) return known
      const asOfMs = order.timing.serviceDateMs ?? order.timing.sentAtMs
      const isNews = order.status !== known.status && !isStale(known, order.status, asOfMs)
      const changed = isNews ? { ...withStatus(known, order.status, now(), rules), statusAsOfMs: asOfMs } : known
      // A due time that is still ahead is left alone: writing it again at every look would be a write for nothing.
      const isDue = changed.nextLookAtMs === null || changed.nextLookAtMs <= now()
      return changed === checkout && !isDue
        ? checkout
        : { ...changed, nextLookAtMs: nextLook(changed, now(), rules.phaseOf) }
    })
    const about = { checkoutId, reference: after.reference }
    if (against !== null) await letGo(after, order.id, against)
    if (order.status === null && !wordsReported.has(order.statusText ?? '') && wordsReported.size < maxWords) {
      wordsReported.add(order.statusText ?? '')
      settings.report(
        new PaywindowError(
          'status_unknown',
          `The service calls order ${order.id} ${JSON.stringify(order.statusText)}, which is no status we know: nothing was changed`,
        ),
        about,
      )
    }
    if (before && before.status !== after.status) onChange(after)
    return after
  }

  async function letGo(checkout: CheckoutRecord, orderId: string, why: string): Promise<void> {
    await repository.disownOrder(orderId, checkout.id)
    settings.report(
      new PaywindowError('binding_contradicted', `Order ${orderId} is not checkout ${checkout.id}'s after all: ${why}`),
      {
        checkoutId: checkout.id,
        reference: checkout.reference,
      },
    )
  }

  async function unbind(
    checkoutId: string,
    orderId: string,
    why: string,
    isMeant: (binding: Binding) => boolean = () => true,
  ): Promise<CheckoutRecord> {
    let before: CheckoutRecord | undefined
    const after = await repository.updateCheckout(checkoutId, (checkout) => {
      before = checkout
      const { binding } = checkout
      return binding && isMeant(binding) ? withoutBinding(checkout, orderId, false, now(), rules) : checkout
    })
    if (before !== after) await letGo(after, orderId, why)
    if (before?.status !== after.status) onChange(after)
    return after
  }

  async function find(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord | null> {
    const isBusy = lastLooks.filter((at) => now() - at < quietMs).length === fewOrders
    lastLooks = [...lastLooks, now()].slice(-fewOrders)
    const listed = recent.known(checkout) ?? (isBusy ? await recent.read(checkout) : undefined)
    if (listed) return record(checkout.id, listed)
    return ask(checkout.id, orderId)
  }

  async function ask(checkoutId: string, orderId: string): Promise<CheckoutRecord | null> {
    try {
      return await record(checkoutId, await client.orderDetails(orderId))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failed(error, `The status of order ${orderId} could not be read`, { checkoutId })
      if (error.code !== 'not_found') return null
      // That there is no such order is an answer, too.
      const minutes = unknownForMs / 60_000
      return unbind(
        checkoutId,
        orderId,
        `the creation named it, and the service has not known it for ${minutes} minutes; it is looked for in the list now`,
        (binding) => isUnread(binding) && now() > binding.boundAtMs + unknownForMs,
      )
    }
  }

  function failed(error: ServiceError, what: string, about: { checkoutId?: string }): void {
    if (error instanceof HeldOffError) return
    const code = error.code === 'invalid_answer' ? 'service_invalid' : 'service_unavailable'
    settings.report(new PaywindowError(code, `${what}: ${error.message}`, { cause: error }), about)
  }

  const sinceLook = (orderId: string) => now() - (lookedAt.get(orderId) ?? Number.NEGATIVE_INFINITY)

  async function tryLook(checkout: CheckoutRecord): Promise<CheckoutRecord | undefined> {
    const orderId = checkout.binding?.orderId
    if (orderId === undefined || sinceLook(orderId) < quietMs) return checkout
    lookedAt.delete(orderId)
    lookedAt.set(orderId, now())
    if (lookedAt.size > maxRemembered) lookedAt.delete(lookedAt.keys().next().value ?? '')
    return (await flight(orderId, () => find(checkout, orderId))) ?? undefined
  }

  return {
    look: async (checkout) => (await tryLook(checkout)) ?? checkout,
    tryLook,
    isFollowed: ({ binding }) => binding !== null && sinceLook(binding.orderId) < followedMs,
    record,
    unbind,
  }
}

/** Whether a binding rests on the id in the answer to the creation, and nobody has seen that order yet. */
function isUnread({ evidence, isProvisional }: Binding): boolean {
  return evidence === 'response_id' && isProvisional
}

function certain(binding: Binding): Binding {
  return { ...binding, isProvisional: false }
}

/** What speaks against a binding, in words; nothing does against the merchant's own. */
function speaksAgainst(
  order: Order,
  checkout: CheckoutRecord,
  binding: Binding,
  instructions: Instructions,
): string | null {
  if (binding.evidence === 'merchant') return null
  return (
    contradiction(order, checkout, instructions) ??
    (isUnread(binding) ? otherAmounts(order, checkout, instructions) : null)
  )
}
