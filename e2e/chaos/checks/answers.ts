/**
 * Checks every answer as it leaves a server. A request that arrives after an answer was sent must not be answered with an older
 * state than that answer had.
 */
import type { Checkout } from '../../../src/contract/checkout.ts'
import { asRecord } from '../../../src/contract/parse.ts'
import { parseCheckout } from '../../../src/contract/parsers.ts'
import type { World } from '../world/types.ts'
import { createAnswerMarks } from './answer-marks.ts'
import { checkAddress, checkDigits, checkSecrets, checkStatus, checkTimeLeft, type Exchange } from './answer-rules.ts'
import { type AnsweredCheckout, createAnswered } from './answered.ts'
import { checkPurchase, checkShownPaid } from './told.ts'

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
  const marks = createAnswerMarks(world)

  function check(exchange: Exchange): void {
    const { status, text, reference, path } = exchange
    checkSecrets(world, exchange)
    findings.count(`answers ${status}`)
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
    const given = parseCheckout(found)
    checkAddress(world, given)
    checkDigits(world, given, cart)
    const checkout = { ...given, reference }
    checkStatus(world, checkout)
    checkShownPaid(world, checkout)
    if (isPayable(checkout)) marks.checkPayable(checkout, cart, exchange)
    checkTimeLeft(world, checkout)
    marks.checkRevision(checkout, exchange)
    if (checkout.cart === 'open') marks.note(checkout, cart, exchange, answer)
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
