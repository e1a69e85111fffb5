/**
 * Holds every answer of a server against the rules, as it leaves. Requests that came in after another answer had gone out
 * must not tell of an older state than that answer did.
 */

import { quoteLifetimeMs } from '../../src/checkout/deadline.ts'
import type { Checkout } from '../../src/contract/checkout.ts'
import { equalDecimals } from '../../src/contract/decimal.ts'
import { canonicalNetwork } from '../../src/contract/networks/table.ts'
import { asRecord } from '../../src/contract/parse.ts'
import { parseCheckout } from '../../src/contract/parsers.ts'
import type { ServerClock } from './clocks.ts'
import { lateBoundMs } from './screen.ts'
import { type Cart, priceNumber, type World } from './world.ts'

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

/** What browsers were told and may rely on. */
export interface Told {
  readonly id: string
  readonly key: string
  readonly reference: string
  readonly address: string
  readonly tag: string | null
}

export interface Answers {
  check(exchange: Exchange): void
  told(): readonly Told[]
  /** Forgets what the store has forgotten. @returns How many checkouts that are. */
  restored(isKnown: (told: Told) => boolean): number
}

/** A value that has been answered, and since when. */
interface Mark {
  readonly number: number
  readonly sinceMs: number
}

/** A server learns the service's time with its answers: until the next ones, slow answers and a clock that was set may cost so much. */
const earlyBoundMs = 240_000

const orderId = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-/i
/** Words of the sandbox's messages, and of the errors it is made to answer with. */
const serviceWords = /upstream trouble|deposit detected|waiting for a top-up|will be refunded|being refunded|reversed/i

export function createAnswers(world: World): Answers {
  const { plan, time, findings, truth, books, icons, carts, sandbox } = world
  const told = new Map<string, Told>()
  const successors = new Map<string, string>()
  const newest = new Map<string, Mark>()
  const newestPrice = new Map<string, Mark>()
  const { accessToken, subAccountId } = sandbox.access

  function check(exchange: Exchange): void {
    const { status, text, reference, path } = exchange
    checkSecrets(exchange)
    findings.count(`answers ${status}`)
    const icon = /\/icons\/[\w-]+$/.exec(path)?.[0]
    if (icon !== undefined) {
      icons.check(icon, status, text)
      return
    }
    if (exchange.method === 'GET' && status === 404) {
      const id = /\/checkouts\/([^/]+)$/.exec(path)?.[1]
      if (id !== undefined && exchange.key !== undefined && told.get(id)?.key === exchange.key)
        findings.violate('lost', `checkout ${id} is not known any more`)
    }
    if (status !== 200) return
    const json = asRecord(JSON.parse(text), 'answer')
    icons.note(json)
    const cart = carts.get(reference)
    const offer = json.offer === undefined ? json : asRecord(json.offer, 'offer')
    const inOffer = offer.methods !== undefined
    const found = inOffer ? offer.checkout : json
    if (!cart || found === undefined || !('address' in asRecord(found, 'answer'))) return
    const checkout = parseCheckout(found)
    checkDigits(checkout, cart)
    checkStatus(checkout)
    if (isPayable(checkout)) checkPayable(checkout, cart, exchange)
    checkTimeLeft(checkout)
    if (checkout.cart === 'open') note(checkout, cart, exchange, inOffer)
    if (typeof json.key === 'string') tell(checkout, json.key)
    const renewed = /\/checkouts\/([^/]+)\/renew$/.exec(path)?.[1]
    if (renewed !== undefined) checkSuccessor(renewed, checkout.id)
  }

  function checkDigits(checkout: Checkout, cart: Cart): void {
    const { id, address, tag, amount } = checkout
    const wrong = (what: string) => findings.violate('wrong digits', `checkout ${id} in ${cart.reference}: ${what}`)
    const order = truth.at(address, tag)?.now()
    if (!order) {
      wrong('no order has its address')
      return
    }
    if (checkout.reference !== cart.reference) wrong(`it is of ${checkout.reference}`)
    if (books.checkoutAt(address, tag)?.id !== id) wrong('its address is that of another checkout')
    if (!equalDecimals(order.sourceAmount, amount)) wrong(`amount ${amount}, not ${order.sourceAmount}`)
    if (order.sourceAsset !== checkout.asset.symbol) wrong(`asset ${checkout.asset.symbol}, not ${order.sourceAsset}`)
    if (canonicalNetwork(order.network ?? '') !== canonicalNetwork(checkout.network))
      wrong(`network ${checkout.network}, not ${order.network}`)
    if (order.targetAsset !== checkout.price.asset || !equalDecimals(order.targetAmount, checkout.price.amount))
      wrong(`price ${checkout.price.amount}, not ${order.targetAmount}`)
    if (priceNumber(cart, checkout.price) < 0) wrong(`the cart never cost ${checkout.price.amount}`)
  }

  /** A status is believed when the checkout's own order has it, or once had it: answers are late. */
  function checkStatus({ id, status, address, tag, cart, reference }: Checkout): void {
    if (status !== 'open') {
      truth.note()
      if (!truth.at(address, tag)?.statuses.has(status))
        findings.violate('status of another order', `checkout ${id} is said to be ${status}`)
    }
    if (cart === 'open') return
    truth.note()
    const wanted = cart === 'paid' ? (['confirmed'] as const) : (['pending', 'confirmed'] as const)
    const own = books.checkoutsOf(reference).map(({ instructions }) => instructions)
    const had = own.some((each) => {
      const statuses = each && truth.at(each.address, each.tag)?.statuses
      return statuses !== undefined && statuses !== null && wanted.some((word) => statuses.has(word))
    })
    if (!had) findings.violate('status of another order', `${reference} is said to be ${cart}`)
  }

  function checkPayable(checkout: Checkout, cart: Cart, { arrivedMs, clock }: Exchange): void {
    const { id, reference, price, address, tag, expiresInMs } = checkout
    const entries = books.carts.get(reference)?.entries ?? []
    const at = entries.findIndex((entry) => entry.id === id)
    const newer = newest.get(`${reference} ${entries[at]?.method}`)
    if (newer && newer.number > at && newer.sinceMs < arrivedMs)
      findings.violate('second payable', `checkout ${id} is payable beside ${entries[newer.number]?.id}`)
    const newerPrice = newestPrice.get(reference)
    if (newerPrice && newerPrice.number > priceNumber(cart, price) && newerPrice.sinceMs < arrivedMs)
      findings.violate('old price', `checkout ${id} is payable at ${price.amount} although a newer price was answered`)
    const post = truth.at(address, tag)?.post
    // A server that was just started goes by its own clock until the service has told the time.
    if (post && !clock.hasServiceTime) post.laterMs = Math.max(post.laterMs, post.senderAheadMs - clock.aheadMs)
    const lateMs = time.nowMs() + expiresInMs - (post?.sentMs ?? 0) - quoteLifetimeMs
    if (lateMs > lateBoundMs && post?.laterMs) findings.count('shown late by clocks apart')
    if (lateMs > lateBoundMs + (post?.laterMs ?? 0))
      findings.violate('shown late', `checkout ${id} is answered ${lateMs} ms too long`)
    const settledMs = books.settledSinceMs(reference)
    if (settledMs !== undefined && settledMs < arrivedMs)
      findings.violate('quote after deposit', `checkout ${id} is payable although ${reference} has a deposit`)
  }

  /** The whole time of a quote is the payer's, where nobody sets a server's clock. */
  function checkTimeLeft({ id, phase, cart, reference, address, tag, expiresInMs }: Checkout): void {
    const post = truth.at(address, tag)?.post
    const instructions = books.checkouts.get(id)?.instructions
    const entry = books.carts.get(reference)?.entries.find((each) => each.id === id)
    const isOver = phase !== 'waiting' || cart !== 'open' || entry?.endedAtMs !== null
    if (!post || !instructions || isOver || plan.clocksSet === 'servers') return
    // One reading of the service's reference is a shorter time.
    const lifeMs = instructions.expiresAtMs - instructions.sentAtMs
    const leftMs = post.sentMs + lifeMs - time.nowMs()
    const forwardMs = world.serviceClock.forwardMs - post.serviceForwardMs
    const shortMs = leftMs - Math.max(0, expiresInMs) - forwardMs
    if (leftMs > 0 && shortMs > earlyBoundMs)
      findings.violate('over too early', `checkout ${id} is answered ${shortMs} ms too short`)
  }

  /** What this answer tells is known from now on. */
  function note({ id, reference, price }: Checkout, cart: Cart, exchange: Exchange, inOffer: boolean): void {
    const entries = books.carts.get(reference)?.entries ?? []
    const at = entries.findIndex((entry) => entry.id === id)
    if (at < 0) findings.violate('lost', `checkout ${id} is not in its cart`)
    raise(newest, `${reference} ${entries[at]?.method}`, at, time.nowMs())
    if (!inOffer && exchange.method === 'POST') raise(newestPrice, reference, priceNumber(cart, price), time.nowMs())
  }

  function tell({ id, reference, address, tag, expiresInMs, phase }: Checkout, key: string): void {
    const before = told.get(id)
    if (!before) {
      findings.count('checkouts told to a browser')
      const ended = books.carts.get(reference)?.entries.some((entry) => entry.id === id && entry.endedAtMs !== null)
      const post = truth.at(address, tag)?.post
      if (expiresInMs <= 0 && phase === 'waiting' && !ended && post && time.nowMs() - post.sentMs < 1_000_000)
        findings.count('first seen when over')
      told.set(id, { id, key, reference, address, tag })
    } else if (before.key !== key || before.address !== address || before.tag !== tag)
      findings.violate('lost', `checkout ${id} is another than it was`)
  }

  function checkSuccessor(id: string, successor: string): void {
    if ((successors.get(id) ?? successor) !== successor)
      findings.violate('second payable', `checkout ${id} was renewed twice: ${successors.get(id)} and ${successor}`)
    successors.set(id, successor)
  }

  function checkSecrets({ text, headers, status, path }: Exchange): void {
    const all = `${headers}\n${text}`
    const leak =
      [accessToken, subAccountId, 'sandbox.invalid'].find((secret) => all.includes(secret)) ??
      orderId.exec(all)?.[0] ??
      serviceWords.exec(all)?.[0]
    if (leak !== undefined) findings.violate('secrets leaked', `${leak} in an answer ${status} to ${path}`)
  }

  findings.trace('segment', plan.seed)
  function restored(isKnown: (told: Told) => boolean): number {
    const lost = [...told.values()].filter((each) => !isKnown(each))
    for (const { id } of lost) told.delete(id)
    for (const marks of [successors, newest, newestPrice]) marks.clear()
    return lost.length
  }

  return { check, restored, told: () => [...told.values()] }
}

/** Whether a screen that shows this answer asks for money. */
function isPayable({ phase, cart, expiresInMs }: Checkout): boolean {
  return phase === 'waiting' && cart === 'open' && expiresInMs > 0
}

function raise(marks: Map<string, Mark>, name: string, number: number, nowMs: number): void {
  if ((marks.get(name)?.number ?? -1) < number) marks.set(name, { number, sinceMs: nowMs })
}
