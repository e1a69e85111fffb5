/** Tells a shop of its payments by HTTP, after the Standard Webhooks specification. */
import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestInClear } from 'node:http'
import { request } from 'node:https'
import type { Price } from '../contract/checkout.ts'
import { ParseError } from '../contract/parse.ts'
import { publicLookupBy, refuseInnerHost } from '../server/icons/public-fetch.ts'
import type { StatusEvent } from '../server/options.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { signWebhook } from './standard-webhook.ts'

/**
 * What can happen to a payment. `docs/serve.md` and each plug-in say what a shop does then:
 * `grep -rn taken_back docs plugins` finds the places.
 */
export const eventTypes = [
  'seen',
  'paid',
  'short',
  'over',
  'late',
  'ended',
  'lapsed',
  'taken_back',
  'returned',
  'paid_twice',
] as const
type EventType = (typeof eventTypes)[number]

/** What a shop is told, in JSON. */
export interface ShopEvent {
  readonly type: `payment.${EventType}`
  /** When the server learnt of it, ISO 8601. */
  readonly timestamp: string
  readonly data: {
    readonly order: string
    readonly number: string | null
    readonly price: Price
    readonly received: Received | null
    readonly phase: StatusEvent['phase']
    readonly status: StatusEvent['status']
    readonly checkout: string
    readonly at: string
    readonly also_paid: readonly string[]
    readonly test: boolean
  }
}

/**
 * What came, as far as the service shows it: what the payer has sent, and what you receive for it.
 */
type Received = NonNullable<MerchantCheckout['received']>

/** The event of a change. */
export function toShopEvent(event: StatusEvent): ShopEvent {
  return eventOf(typeOf(event), event.checkout, event)
}

/** The event of an order that nobody pays any more. @param last - Its last quote. */
export function toLapsedEvent(last: MerchantCheckout, at: string): ShopEvent {
  const { price, phase, status } = last
  return eventOf('lapsed', last, { price, phase, status, at, alsoPaid: [] })
}

function eventOf(
  type: EventType,
  checkout: MerchantCheckout,
  { price, phase, status, at, alsoPaid }: Pick<StatusEvent, 'price' | 'phase' | 'status' | 'at' | 'alsoPaid'>,
): ShopEvent {
  const { id, reference: order, orderNumber: number = null, test } = checkout
  const received = receivedOf(checkout)
  return {
    type: `payment.${type}`,
    timestamp: at,
    data: { order, number, price, received, phase, status, checkout: id, at, also_paid: alsoPaid, test },
  }
}

/** What came of a payment; null where nothing is known of it. */
export function receivedOf({ received, arrival }: MerchantCheckout): Received | null {
  if (received) return received
  return arrival?.received ? { deposit: arrival.received, price: null } : null
}

function typeOf({ phase, previousStatus, checkout, alsoPaid }: StatusEvent): EventType {
  switch (phase) {
    case 'paid':
      return alsoPaid.length > 0 ? 'paid_twice' : 'paid'
    case 'paid_less':
      return 'short'
    case 'paid_more':
      return 'over'
    case 'waiting':
      return 'taken_back'
    case 'ended':
      // First what a shop has to stop.
      if (previousStatus === 'confirmed') return 'taken_back'
      return checkout.arrival?.kind === 'returning' ? 'returned' : 'ended'
    case 'seen':
      return previousStatus === 'confirmed' ? 'taken_back' : typeOfDeposit(checkout)
  }
}

function typeOfDeposit(checkout: MerchantCheckout): EventType {
  const { kind } = checkout.arrival ?? { kind: 'exact' }
  switch (kind) {
    case 'short':
    case 'over':
    case 'late':
      return kind
    case 'returning':
      return 'returned'
    case 'exact':
    case 'other':
      return checkout.isLate ? 'late' : 'seen'
  }
}

interface Receiver {
  readonly url: string
  readonly allowPrivate?: boolean
}

/** The network and the time. */
interface World {
  readonly lookup: typeof lookup
  readonly now: () => number
  readonly timeoutMs: number
}

/** Less than a call of `onStatusChange` may take. */
const answerMs = 15_000

const machine: World = { lookup, now: Date.now, timeoutMs: answerMs }

/** @throws ParseError for an address that needs `allowPrivate`. */
export function checkReceiver({ url, allowPrivate = false }: Receiver, at: string): void {
  if (allowPrivate) return
  if (!url.startsWith('https:'))
    throw new ParseError(`${at}.url must begin with https://, or set allowPrivate beside it`)
  const { hostname } = new URL(url)
  try {
    // Other names are looked up when they are called.
    if (/(?:^|\.)localhost\.?$/.test(hostname)) throw new Error(`${hostname} is not a public address`)
    refuseInnerHost(url)
  } catch (error) {
    throw new ParseError(`${at}.url: ${error instanceof Error ? error.message : error}: set allowPrivate beside it`)
  }
}

/**
 * Returns a function that tells the shop of an event, by its id. It throws unless the shop answers
 * 2xx in time: whoever calls it does so again. It follows no redirect, and reaches no address of a
 * private network unless told.
 */
export function createTelling(
  receiver: Receiver,
  secrets: readonly string[],
  world: World = machine,
): (id: string, event: ShopEvent) => Promise<void> {
  return async (id, event) => {
    const body = JSON.stringify(event)
    const timestampS = Math.floor(world.now() / 1_000)
    const status = await post(receiver, world, body, {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
      'user-agent': 'paywindow',
      'webhook-id': id,
      'webhook-timestamp': `${timestampS}`,
      'webhook-signature': signWebhook(secrets, id, timestampS, body),
    })
    if (status >= 300 && status < 400) throw new Error(`The shop answered ${status}: a redirect, which is not followed`)
    if (status < 200 || status >= 300) throw new Error(`The shop answered ${status}, not 2xx`)
  }
}

/** Resolves with the status. The rest of the answer is not read. */
function post(
  { url, allowPrivate = false }: Receiver,
  { lookup, timeoutMs }: World,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  if (!allowPrivate) refuseInnerHost(url)
  const send = url.startsWith('https:') ? request : requestInClear
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage) => {
      answer.on('error', () => undefined)
      answer.destroy()
      resolve(answer.statusCode ?? 0)
    }
    // A connection of its own: what is sent too late reaches no other request.
    const options = {
      method: 'POST',
      agent: false,
      signal,
      headers,
      lookup: allowPrivate ? lookup : publicLookupBy(lookup),
    }
    send(url, options, answered)
      .on('error', (error) => {
        // A name with several addresses fails at each, and the error of all of them has no message.
        const [first = error] = error instanceof AggregateError ? error.errors : []
        reject(signal.aborted ? new Error(`The shop did not answer within ${timeoutMs / 1_000} seconds`) : first)
      })
      // Another protocol ends the connection without an error.
      .on('close', () => reject(new Error('The shop closed the connection without an answer')))
      .end(body)
  })
}
