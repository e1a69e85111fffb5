/** The newest checkout, price and revision that were answered so far. Later answers must not show older ones. */
import type { Checkout, Price } from '../../../src/contract/checkout.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import { type Cart, priceNumber, type World } from '../world/types.ts'
import type { Exchange } from './answer-rules.ts'
import { lateBoundMs } from './screen.ts'

/** The number of the newest checkout or price that was answered, and when it was first answered. */
interface Mark {
  readonly number: number
  readonly sinceMs: number
}

interface AnswerMarks {
  /** Checks that a payable checkout is the newest of its method and has the newest price, and that its quote is not over. */
  checkPayable(checkout: Checkout, cart: Cart, exchange: Exchange): void
  /** Checks that the revision is none that a browser takes for older than what it has, and remembers it. */
  checkRevision(checkout: Checkout, exchange: Exchange): void
  /** Remembers the checkout and price of this answer for later checks. */
  note(checkout: Checkout, cart: Cart, exchange: Exchange, answer: 'offer' | 'checkout'): void
  clear(): void
}

/** A quote stays while the price moves by no more than 1 %. */
function isNear({ amount }: Price, newer: Price | undefined): boolean {
  const [one, other] = [Number(amount), Number(newer?.amount)]
  return Math.abs(one - other) <= Math.min(one, other) / 100
}

/** Creates it with nothing answered yet. */
export function createAnswerMarks({ time, findings, oracle, audit, unreadable }: World): AnswerMarks {
  const newest = new Map<string, Mark>()
  const newestPrice = new Map<string, Mark>()
  const newestRevision = new Map<string, Mark>()
  const payableAt = new Map<string, { readonly id: string; readonly untilMs: number }>()

  /** Checks that two carts do not ask for money at one place at the same time. */
  function checkAlone({ id, address, tag, expiresInMs }: Checkout): void {
    const place = `${address} ${tag ?? ''}`
    const other = payableAt.get(place)
    if (other && other.id !== id && other.untilMs > time.nowMs())
      findings.violate('one deposit for two', `checkout ${id} is payable where ${other.id} is`)
    payableAt.set(place, { id, untilMs: time.nowMs() + expiresInMs })
  }

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
    // The answer of a server that stood still on its way out is late by as much; the browser counts from its request.
    const pausedMs = clock.pauses.sinceMs(arrivedMs)
    const lateMs = time.nowMs() + expiresInMs - (post?.sentMs ?? 0) - quoteLifetimeMs - pausedMs
    if (lateMs > lateBoundMs && post?.laterMs) findings.count('shown late by clocks apart')
    if (lateMs > lateBoundMs + (post?.laterMs ?? 0))
      findings.violate('shown late', `checkout ${id} is answered ${lateMs} ms too long`)
    const settledMs = audit.settledSinceMs(reference)
    if (settledMs !== undefined && settledMs < arrivedMs)
      findings.violate('quote after deposit', `checkout ${id} is payable although ${reference} has a deposit`)
  }

  function checkRevision({ id, revision }: Checkout, { arrivedMs }: Exchange): void {
    // Without one of its records a cart has changed less often.
    if (unreadable.isDamaged(id)) return
    const newer = newestRevision.get(id)
    if (newer && newer.number > revision && newer.sinceMs < arrivedMs)
      findings.violate('older revision', `checkout ${id} is answered with ${revision} after ${newer.number}`)
    raise(newestRevision, id, revision, time.nowMs())
  }

  function note(
    { id, reference, price }: Checkout,
    cart: Cart,
    exchange: Exchange,
    answer: 'offer' | 'checkout',
  ): void {
    const entries = audit.carts.get(reference)?.entries ?? []
    const at = entries.findIndex((entry) => entry.id === id)
    if (at < 0) findings.violate('lost', `checkout ${id} is not in its cart`)
    raise(newest, `${reference} ${entries[at]?.method}`, at, time.nowMs())
    if (answer === 'checkout' && exchange.method === 'POST')
      raise(newestPrice, reference, priceNumber(cart, price), time.nowMs())
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

function raise(marks: Map<string, Mark>, name: string, number: number, nowMs: number): void {
  if ((marks.get(name)?.number ?? -1) < number) marks.set(name, { number, sinceMs: nowMs })
}
