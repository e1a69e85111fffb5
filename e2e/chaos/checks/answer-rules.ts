/** What holds for an answer by itself, whatever was answered before: digits, status, the time that is left, secrets. */
import type { Checkout } from '../../../src/contract/checkout.ts'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import { canonicalNetwork } from '../../../src/contract/networks/table.ts'
import type { ServerClock } from '../world/clocks.ts'
import { type Cart, priceNumber, type World } from '../world/types.ts'

/** One request and its answer, at the edge of a server. */
export interface Exchange {
  readonly reference: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly key: string | undefined
  readonly arrivedMs: number
  /** Of the server that answered. */
  readonly clock: ServerClock
  readonly status: number
  readonly headers: string
  readonly text: string
}

/** A server learns the service's time with its answers: until the next ones, slow answers and a clock that was set may cost so much. */
const earlyBoundMs = 240_000

const orderId = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-/i
/** Words of the sandbox's messages, and of the errors it is made to answer with. */
const serviceWords = /upstream trouble|deposit detected|waiting for a top-up|will be refunded|being refunded|reversed/i

/** Address, tag, amount, asset, network and price are those of the checkout's own order. */
export function checkDigits({ findings, oracle, audit }: World, checkout: Checkout, cart: Cart): void {
  const { id, address, tag, amount } = checkout
  const wrong = (what: string) => findings.violate('wrong digits', `checkout ${id} in ${cart.reference}: ${what}`)
  const order = oracle.at(address, tag)?.now()
  if (!order) {
    wrong('no order has its address')
    return
  }
  if (checkout.reference !== cart.reference) wrong(`it is of ${checkout.reference}`)
  if (audit.checkoutAt(address, tag)?.id !== id) wrong('its address is that of another checkout')
  if (!equalDecimals(order.sourceAmount, amount)) wrong(`amount ${amount}, not ${order.sourceAmount}`)
  if (order.sourceAsset !== checkout.asset.symbol) wrong(`asset ${checkout.asset.symbol}, not ${order.sourceAsset}`)
  if (canonicalNetwork(order.network ?? '') !== canonicalNetwork(checkout.network))
    wrong(`network ${checkout.network}, not ${order.network}`)
  if (order.targetAsset !== checkout.price.asset || !equalDecimals(order.targetAmount, checkout.price.amount))
    wrong(`price ${checkout.price.amount}, not ${order.targetAmount}`)
  if (priceNumber(cart, checkout.price) < 0) wrong(`the cart never cost ${checkout.price.amount}`)
}

/** A status is believed when the checkout's own order has it, or once had it: answers are late. */
export function checkStatus(
  { findings, oracle, audit }: World,
  { id, status, address, tag, cart, reference }: Checkout,
): void {
  if (status !== 'open') {
    oracle.note()
    if (!oracle.at(address, tag)?.statuses.has(status))
      findings.violate('status of another order', `checkout ${id} is said to be ${status}`)
  }
  if (cart === 'open') return
  oracle.note()
  const wanted = cart === 'paid' ? (['confirmed'] as const) : (['pending', 'confirmed'] as const)
  const own = audit.checkoutsOf(reference).map(({ instructions }) => instructions)
  const had = own.some((each) => {
    const statuses = each && oracle.at(each.address, each.tag)?.statuses
    return statuses !== undefined && statuses !== null && wanted.some((word) => statuses.has(word))
  })
  if (!had) findings.violate('status of another order', `${reference} is said to be ${cart}`)
}

/** The whole time of a quote is the payer's, where nobody sets a server's clock. */
export function checkTimeLeft(
  { plan, time, findings, oracle, audit, serviceClock }: World,
  { id, phase, cart, reference, address, tag, expiresInMs }: Checkout,
): void {
  const post = oracle.at(address, tag)?.post
  const instructions = audit.checkouts.get(id)?.instructions
  const entry = audit.carts.get(reference)?.entries.find((each) => each.id === id)
  const isOver = phase !== 'waiting' || cart !== 'open' || entry?.endedAtMs !== null
  if (!post || !instructions || isOver || plan.clocksSet === 'servers') return
  // One reading of the service's reference is a shorter time.
  const lifeMs = instructions.expiresAtMs - instructions.sentAtMs
  const leftMs = post.sentMs + lifeMs - time.nowMs()
  const forwardMs = serviceClock.forwardMs - post.serviceForwardMs
  const shortMs = leftMs - Math.max(0, expiresInMs) - forwardMs
  if (leftMs > 0 && shortMs > earlyBoundMs)
    findings.violate('over too early', `checkout ${id} is answered ${shortMs} ms too short`)
}

/** Nothing of the service's own leaves a server. */
export function checkSecrets({ findings, sandbox }: World, { text, headers, status, path }: Exchange): void {
  const all = `${headers}\n${text}`
  const leak =
    [sandbox.access.accessToken, sandbox.access.subAccountId, 'sandbox.invalid'].find((secret) =>
      all.includes(secret),
    ) ??
    orderId.exec(all)?.[0] ??
    serviceWords.exec(all)?.[0]
  if (leak !== undefined) findings.violate('secrets leaked', `${leak} in an answer ${status} to ${path}`)
}
