/** Rules for telling a payment: the right amount, the right price, the right purchase. */
import type { Arrival, Checkout } from '../../../src/contract/checkout.ts'
import { equalDecimals, toAtomic } from '../../../src/contract/decimal.ts'
import type { JsonRecord } from '../../../src/contract/parse.ts'
import type { Workflow } from '../../../src/sandbox/index.ts'
import type { StatusEvent } from '../../../src/server/options.ts'
import type { OrderState } from '../world/oracle.ts'
import type { Cart, World } from '../world/types.ts'
import type { Exchange } from './answer-rules.ts'

/** Checks that `paid` is told only of an order that shows what was asked for, at its own price. */
export function checkTold(
  { findings, oracle, shown }: World,
  { eventId, status, phase, price, checkout }: StatusEvent,
): void {
  const order = oracle.at(checkout.deposit?.address ?? '', checkout.deposit?.tag ?? null)
  if (status !== 'confirmed' || !order) return
  const wrong = (what: string) =>
    findings.violate('told as paid', `event ${eventId} of checkout ${checkout.id}: ${what}`)
  if (!equalDecimals(order.now().targetAmount, price.amount))
    wrong(`the price ${price.amount}, not ${order.now().targetAmount}`)
  const other = shown.paidOtherwise(order.id)
  if (phase !== (other?.phase ?? 'paid')) wrong(`${phase}, not ${other?.phase ?? 'paid'}`)
  // By the time of the call a later change may have come.
  if (!other || checkout.status !== 'confirmed') return
  const { received } = checkout
  const amount = (other.field === 'target_amount' ? received?.price : received?.deposit)?.amount
  if (amount === undefined || !equalDecimals(amount, other.amount)) wrong(`received ${amount}, not ${other.amount}`)
}

/** Checks that a payer does not see as paid what the service confirmed for less. */
export function checkShownPaid({ findings, oracle, shown }: World, { id, phase, address, tag }: Checkout): void {
  const order = oracle.at(address, tag)
  if (phase === 'paid' && order && shown.paidOtherwise(order.id)?.phase === 'paid_less')
    findings.violate('told as paid', `checkout ${id} is shown as paid, and was confirmed for less`)
}

const workflowsOf: Readonly<Record<Arrival['kind'], readonly Workflow[]>> = {
  exact: ['detected'],
  short: ['top_up'],
  over: ['excess', 'confirmed_excess'],
  other: ['other_asset'],
  late: ['late'],
  returning: ['canceled'],
}

/**
 * Checks that what is told of the money that arrived was true of an order of the cart, to the
 * digit, and that it is not taken back and told again where nothing has changed meanwhile.
 */
export function createArrivalCheck({ findings, oracle, audit, shown }: World): (checkout: Checkout) => void {
  const newest = new Map<string, { revision: number; text: string; gone: Map<string, number> }>()

  function ordersOf(reference: string): readonly OrderState[] {
    const places = audit.checkoutsOf(reference).map(({ instructions }) => instructions)
    return places.flatMap((place) => (place && oracle.at(place.address, place.tag)) ?? [])
  }

  function isTrue({ kind, received, due }: Arrival, order: OrderState): boolean {
    if (shown.paidOtherwise(order.id)) return true
    return order.arrivals.some((arrived) => {
      const isSum = !received || equalDecimals(received.amount, arrived.received)
      const isDue = due ? isSumOf(order.now().sourceAmount, arrived.received, due.amount) : kind !== 'short'
      return workflowsOf[kind].includes(arrived.workflow) && isSum && isDue
    })
  }

  return ({ id, reference, revision, phase, arrival }) => {
    // A waiting checkout is told of what came to another quote of the cart.
    const text = arrival ? `${JSON.stringify(arrival)}${phase === 'waiting' ? ' for another' : ''}` : ''
    const before = newest.get(id)
    if (before?.text === text || (before && before.revision >= revision)) return
    oracle.note()
    const orders = ordersOf(reference)
    if (arrival && !orders.some((order) => isTrue(arrival, order)))
      findings.violate('arrived otherwise', `checkout ${id} is told of ${text}`)
    const changes = orders.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
    const gone = before?.gone ?? new Map<string, number>()
    if (text !== '' && gone.get(text) === changes)
      findings.violate('arrived otherwise', `checkout ${id} is told again of ${text}, which was taken back`)
    if (before && before.text !== '') gone.set(before.text, changes)
    newest.set(id, { revision, text, gone })
  }
}

function isSumOf(sum: string, left: string, right: string): boolean {
  return toAtomic(sum, 36) === toAtomic(left, 36) + toAtomic(right, 36)
}

/** Checks that a reference which is used again for another purchase is not answered as paid. */
export function checkPurchase(
  { findings }: World,
  { reference, usedAgainSinceMs }: Cart,
  exchange: Exchange,
  offer: JsonRecord,
): void {
  const isAsked = /\/(?:checkouts|offer)$/.test(exchange.path)
  if (isAsked && exchange.arrivedMs > (usedAgainSinceMs ?? Number.POSITIVE_INFINITY) && offer.cart !== 'open')
    findings.violate('paid at another price', `${reference} is answered as ${offer.cart}, and costs more now`)
}

/**
 * Checks at the end that a reference in its second use got no order, and that no checkout ended
 * because its price moved by cents.
 */
export function checkPurchases({ findings, oracle, audit, carts }: World): void {
  for (const { intent, sentMs } of oracle.posts) {
    const reference = intent && audit.checkouts.get(intent.checkoutId)?.reference
    if (sentMs > (carts.get(reference ?? '')?.usedAgainSinceMs ?? Number.POSITIVE_INFINITY))
      findings.violate('paid at another price', `${reference} got another order`)
  }
  for (const { reference, moves } of carts.values())
    for (const { id } of (moves && audit.carts.get(reference)?.entries) || [])
      if (audit.endedByPrice.has(id))
        findings.violate(
          'order for each price',
          `checkout ${id} of ${reference} ended because its price moved by cents`,
        )
}
