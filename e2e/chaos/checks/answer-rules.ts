/** Rules for a single answer, whatever came before it: digits, status, remaining time, secrets. */
import type { Checkout } from '../../../src/contract/checkout.ts'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import { canonicalNetwork } from '../../../src/contract/networks/table.ts'
import type { ServerClock } from '../world/clocks.ts'
import { type Cart, priceNumber, type World } from '../world/types.ts'

/** One request and its answer, as they enter and leave a server. */
export interface Exchange {
  readonly reference: string
  /** The browser's IP address. */
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly search: string
  readonly cookie: string
  /** What a form of a page asks for. */
  readonly act: string | undefined
  readonly key: string | undefined
  readonly arrivedMs: number
  /** The server that answered, and its clock. */
  readonly server: string
  readonly clock: ServerClock
  readonly status: number
  readonly headers: string
  readonly text: string
}

/**
 * By how much a returned quote may be too short. A server learns the service's time from answers;
 * between them, slow answers and a clock that was set may shorten a quote by so much.
 */
const earlyBoundMs = 240_000

const orderId = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-/i
/** Words from the sandbox's messages, and from the injected error messages. */
const serviceWords = /upstream trouble|deposit detected|waiting for a top-up|will be refunded|being refunded|reversed/i

/** Checks that a browser gets no damaged address. Money that is sent there is lost. */
export function checkAddress({ findings, damagedAddresses }: World, { id, address }: Checkout): void {
  if (damagedAddresses.has(address))
    findings.violate('damaged address', `checkout ${id} shows ${JSON.stringify(address)}`)
}

/** Checks that what the checkout says of the payment is true of its own order. */
export function checkDigits({ findings, oracle, audit }: World, checkout: Checkout, cart: Cart): void {
  const { id, address, tag, amount } = checkout
  const wrong = (what: string) => findings.violate('wrong digits', `checkout ${id} in ${cart.reference}: ${what}`)
  const order = oracle.at(address, tag)?.now()
  if (!order) {
    wrong('no order has its address')
    return
  }
  // A viewer must not learn the reference.
  if (checkout.reference !== (checkout.viewOnly ? id : cart.reference)) wrong(`it is of ${checkout.reference}`)
  if (audit.checkoutAt(address, tag)?.id !== id) wrong('its address is that of another checkout')
  if (!equalDecimals(order.sourceAmount, amount)) wrong(`amount ${amount}, not ${order.sourceAmount}`)
  if (order.sourceAsset !== checkout.asset.symbol) wrong(`asset ${checkout.asset.symbol}, not ${order.sourceAsset}`)
  if (canonicalNetwork(order.network ?? '') !== canonicalNetwork(checkout.network))
    wrong(`network ${checkout.network}, not ${order.network}`)
  if (order.targetAsset !== checkout.price.asset || !equalDecimals(order.targetAmount, checkout.price.amount))
    wrong(`price ${checkout.price.amount}, not ${order.targetAmount}`)
  if (priceNumber(cart, checkout.price) < 0) wrong(`the cart never cost ${checkout.price.amount}`)
}

/** Checks that the checkout's own order has the answered status, or had it: answers may be late. */
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

/** Checks that the payer gets the whole time of a quote, where nobody sets a server's clock. */
export function checkTimeLeft(
  { plan, time, findings, oracle, audit, serviceClock }: World,
  { id, phase, cart, reference, address, tag, expiresInMs }: Checkout,
): void {
  const post = oracle.at(address, tag)?.post
  const instructions = audit.checkouts.get(id)?.instructions
  const entry = audit.carts.get(reference)?.entries.find((each) => each.id === id)
  const isOver = phase !== 'waiting' || cart !== 'open' || entry?.endedAtMs !== null
  if (!post || !instructions || isOver || plan.clocksSet === 'servers') return
  // In one reading of the service's reference, a quote lasts for less than 20 minutes.
  const lifeMs = instructions.expiresAtMs - instructions.sentAtMs
  const leftMs = post.sentMs + lifeMs - time.nowMs()
  const forwardMs = serviceClock.forwardMs - post.serviceForwardMs
  const shortMs = leftMs - Math.max(0, expiresInMs) - forwardMs
  if (leftMs > 0 && shortMs > earlyBoundMs)
    findings.violate('over too early', `checkout ${id} is answered ${shortMs} ms too short`)
}

/** Checks that an answer contains no token, sub-account, order id, URL or words of the service. */
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
