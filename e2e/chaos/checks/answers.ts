/**
 * Checks every answer as it leaves a server. A request that arrives after an answer was sent must
 * not be answered with an older state.
 */
import type { Checkout, Price } from '../../../src/contract/checkout.ts'
import { asRecord } from '../../../src/contract/parse.ts'
import { parseCheckout } from '../../../src/contract/parsers.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import { placeOf } from '../world/oracle.ts'
import { type Cart, priceNumber, type World } from '../world/types.ts'
import { checkAddress, checkDigits, checkSecrets, checkStatus, checkTimeLeft, type Exchange } from './answer-rules.ts'
import { checkPage, checkStrangers } from './pages.ts'
import { lateBoundMs } from './screen.ts'
import { checkPurchase, checkShownPaid, createArrivalCheck } from './told.ts'

/** The parts of a checkout that a browser was shown and that must not change. */
export interface AnsweredCheckout {
  readonly id: string
  readonly key: string
  readonly reference: string
  readonly address: string
  readonly tag: string | null
}

/** The check of all answers. */
export interface Answers {
  check(exchange: Exchange): void
  checkouts(): readonly AnsweredCheckout[]
  /** Forgets the checkouts that a restore has lost. @returns How many there were. */
  restored(isKnown: (answered: AnsweredCheckout) => boolean): number
}

/** Creates the check, which parses each answer as a browser would. */
export function createAnswers(world: World): Answers {
  const { plan, findings, icons, carts } = world
  const answered = createAnswered(world)
  const marks = createMarks(world)
  const checkArrival = createArrivalCheck(world)

  /** @param isPriced - Whether the price was asked for, so that no older one is payable later. */
  function checkCheckout(given: Checkout, cart: Cart, exchange: Exchange, isPriced: boolean): Checkout {
    const checkout = { ...given, reference: cart.reference }
    checkAddress(world, given)
    checkDigits(world, given, cart)
    checkStatus(world, checkout)
    checkShownPaid(world, checkout)
    checkArrival(checkout)
    if (isPayable(checkout)) marks.checkPayable(checkout, cart, exchange)
    checkTimeLeft(world, checkout)
    marks.checkRevision(checkout, exchange)
    if (checkout.cart === 'open') marks.note(checkout, cart, isPriced)
    return checkout
  }

  function checkDrawn(given: Checkout, cart: Cart, exchange: Exchange): void {
    const checkout = checkCheckout(given, cart, exchange, true)
    // Its reader has no key.
    answered.note(checkout, world.audit.checkouts.get(checkout.id)?.key ?? '')
  }

  function check(exchange: Exchange): void {
    const { status, text, reference, path } = exchange
    checkSecrets(world, exchange)
    findings.count(`answers ${status}`)
    checkStrangers(world, exchange)
    if (path.endsWith('/pay')) {
      checkPage(world, exchange, checkDrawn)
      return
    }
    const icon = /\/icons\/[\w-]+$/.exec(path)?.[0]
    if (icon !== undefined) {
      icons.check(icon, status, text)
      return
    }
    if (exchange.method === 'GET' && status === 404) {
      const id = /\/checkouts\/([^/]+)$/.exec(path)?.[1]
      if (id !== undefined && exchange.key !== undefined && answered.has(id, exchange.key))
        findings.violate('lost', `checkout ${id} is not known any more`)
    }
    if (status !== 200) return
    const json = asRecord(JSON.parse(text), 'answer')
    icons.note(json)
    const cart = carts.get(reference)
    const offer = json.offer === undefined ? json : asRecord(json.offer, 'offer')
    const answer = offer.methods === undefined ? 'checkout' : 'offer'
    if (cart) checkPurchase(world, cart, exchange, offer)
    const found = answer === 'offer' ? offer.checkout : json
    if (!cart || found === undefined || !('address' in asRecord(found, 'answer'))) return
    const isPriced = answer === 'checkout' && exchange.method === 'POST'
    const checkout = checkCheckout(parseCheckout(found), cart, exchange, isPriced)
    if (typeof json.key === 'string') answered.note(checkout, json.key)
    const renewed = /\/checkouts\/([^/]+)\/renew$/.exec(path)?.[1]
    if (renewed !== undefined) answered.checkSuccessor(renewed, checkout.id)
  }

  findings.trace('segment', plan.seed)
  return {
    check,
    checkouts: answered.list,
    restored: (isKnown) => {
      marks.clear()
      return answered.restored(isKnown)
    },
  }
}

/** Whether a screen that shows this answer asks for money. */
function isPayable({ phase, cart, expiresInMs }: Checkout): boolean {
  return phase === 'waiting' && cart === 'open' && expiresInMs > 0
}

/** The number of the newest checkout, price or revision, and when it was first answered. */
interface Mark {
  readonly number: number
  readonly sinceMs: number
}

/** Remembers the newest of what was answered, to find later answers that show an older state. */
function createMarks({ time, findings, oracle, audit, unreadable }: World) {
  const newest = new Map<string, Mark>()
  const newestPrice = new Map<string, Mark>()
  const newestRevision = new Map<string, Mark>()
  const payableAt = new Map<string, { readonly id: string; readonly untilMs: number }>()

  /** Checks that two carts do not ask for money at one place at the same time. */
  function checkAlone({ id, address, tag, expiresInMs }: Checkout): void {
    const place = placeOf(address, tag)
    const other = payableAt.get(place)
    if (other && other.id !== id && other.untilMs > time.nowMs())
      findings.violate('one deposit for two', `checkout ${id} is payable where ${other.id} is`)
    payableAt.set(place, { id, untilMs: time.nowMs() + expiresInMs })
  }

  /** Checks that a payable checkout is the newest, has the newest price, and has time left. */
  function checkPayable(checkout: Checkout, cart: Cart, { arrivedMs, clock }: Exchange): void {
    const { id, reference, price, address, tag, expiresInMs } = checkout
    checkAlone(checkout)
    const entries = audit.carts.get(reference)?.entries ?? []
    const at = entries.findIndex((entry) => entry.id === id)
    const newer = newest.get(`${reference} ${entries[at]?.method}`)
    if (newer && newer.number > at && newer.sinceMs < arrivedMs)
      findings.violate('second payable', `checkout ${id} is payable beside ${entries[newer.number]?.id}`)
    const newerPrice = newestPrice.get(reference)
    const isOld = newerPrice && newerPrice.number > priceNumber(cart, price) && newerPrice.sinceMs < arrivedMs
    if (isOld && !isNear(price, cart.prices[newerPrice.number]))
      findings.violate('old price', `checkout ${id} is payable at ${price.amount} although a newer price was answered`)
    const post = oracle.at(address, tag)?.post
    // A server that has just started goes by its own clock until it learns the service's time.
    if (post && !clock.hasServiceTime) post.laterMs = Math.max(post.laterMs, post.senderAheadMs - clock.aheadMs)
    // While a server stands still, its answer gets late; the browser counts from its own request.
    const pausedMs = clock.pauses.sinceMs(arrivedMs)
    const lateMs = time.nowMs() + expiresInMs - (post?.sentMs ?? 0) - quoteLifetimeMs - pausedMs
    if (lateMs > lateBoundMs && post?.laterMs) findings.count('shown late by clocks apart')
    if (lateMs > lateBoundMs + (post?.laterMs ?? 0))
      findings.violate('shown late', `checkout ${id} is answered ${lateMs} ms too long`)
    const settledMs = audit.settledSinceMs(reference)
    if (settledMs !== undefined && settledMs < arrivedMs)
      findings.violate('quote after deposit', `checkout ${id} is payable although ${reference} has a deposit`)
  }

  /** Checks that a browser does not take this revision for an older one, and remembers it. */
  function checkRevision({ id, revision }: Checkout, { arrivedMs }: Exchange): void {
    // Without one of its records a cart has changed less often.
    if (unreadable.isDamaged(id)) return
    const newer = newestRevision.get(id)
    if (newer && newer.number > revision && newer.sinceMs < arrivedMs)
      findings.violate('older revision', `checkout ${id} is answered with ${revision} after ${newer.number}`)
    raise(newestRevision, id, revision, time.nowMs())
  }

  /** Remembers the checkout and price of this answer. */
  function note({ id, reference, price }: Checkout, cart: Cart, isPriced: boolean): void {
    const entries = audit.carts.get(reference)?.entries ?? []
    const at = entries.findIndex((entry) => entry.id === id)
    if (at < 0) findings.violate('lost', `checkout ${id} is not in its cart`)
    raise(newest, `${reference} ${entries[at]?.method}`, at, time.nowMs())
    if (isPriced) raise(newestPrice, reference, priceNumber(cart, price), time.nowMs())
  }

  return {
    checkPayable,
    checkRevision,
    note,
    clear: () => {
      newestRevision.clear()
      newest.clear()
      newestPrice.clear()
    },
  }
}

/** A quote stays while the price moves by no more than 1 %. */
function isNear({ amount }: Price, newer: Price | undefined): boolean {
  const [one, other] = [Number(amount), Number(newer?.amount)]
  return Math.abs(one - other) <= Math.min(one, other) / 100
}

function raise(marks: Map<string, Mark>, name: string, number: number, nowMs: number): void {
  if ((marks.get(name)?.number ?? -1) < number) marks.set(name, { number, sinceMs: nowMs })
}

/** Remembers the checkouts that browsers were shown. */
function createAnswered({ findings, audit }: World) {
  const answered = new Map<string, AnsweredCheckout>()
  const successors = new Map<string, string>()

  function note({ id, reference, address, tag }: Checkout, key: string): void {
    const before = answered.get(id)
    if (!before) {
      findings.count('checkouts shown to a browser')
      answered.set(id, { id, key, reference, address, tag })
    } else if (before.key !== key || before.address !== address || before.tag !== tag)
      findings.violate('lost', `checkout ${id} is another than it was`)
  }

  const hasEnded = (id: string) => {
    const { entries = [] } = audit.carts.get(audit.checkouts.get(id)?.reference ?? '') ?? {}
    return entries.some((entry) => entry.id === id && entry.endedAtMs !== null)
  }

  /** Checks that a renewed checkout has one successor that has not ended, whoever renews it. */
  function checkSuccessor(id: string, successor: string): void {
    const before = successors.get(id)
    if (before !== undefined && before !== successor && !hasEnded(before) && !hasEnded(successor))
      findings.violate('second payable', `checkout ${id} was renewed twice: ${before} and ${successor}`)
    successors.set(id, successor)
  }

  return {
    note,
    checkSuccessor,
    has: (id: string, key: string) => answered.get(id)?.key === key,
    list: () => [...answered.values()],
    restored: (isKnown: (answered: AnsweredCheckout) => boolean) => {
      const lost = [...answered.values()].filter((each) => !isKnown(each))
      for (const { id } of lost) answered.delete(id)
      successors.clear()
      return lost.length
    },
  }
}
