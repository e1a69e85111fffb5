/**
 * The API of a shop: makes payment links, says what came of an order's, and ends them. For shops
 * that would rather ask than sign links themselves.
 */
import { PaywindowError } from '../contract/errors.ts'
import { asRecord, asSeenText, asText, ParseError } from '../contract/parse.ts'
import { type Answer, type Incoming, jsonAnswer, readBody } from '../server/http/exchange.ts'
import { parsePrice, refuseUnwritable } from '../server/offers.ts'
import type { PaywindowServer } from '../server/paywindow.ts'
import { hashOf, sameSecret } from '../server/records/ids.ts'
import type { Store } from '../server/store/store.ts'
import { StoreTimeoutError } from '../server/store/store-calls.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { type Clock, systemClock } from '../service/clock.ts'
import { receivedOf } from './events.ts'
import { object, optional, readJsonText, text, type ValueOf, whole } from './form.ts'

/** A link of a request without `validForMs` is valid for this long. */
const linkMs = 7 * 86_400_000
/** An answer is given again for this long to the same `Idempotency-Key`. */
const repeatedForMs = 86_400_000

/** An order of the shop. */
export const orderForm = text(
  'your id of the order, of 1 to 200 characters that can be seen',
  /^(?=.*\S)\P{Cc}{1,200}$/u,
)

/** What is asked for. */
export const paymentForm = object('a payment', {
  order: orderForm,
  amount: text("the price as text with a point, such as '49.90'", /^[0-9]{1,40}(?:\.[0-9]{1,18})?$/u),
  asset: text('the currency of the price, such as EUR', /^[!-~]{1,32}$/u),
  number: optional(
    text('your number of the order for people, of 1 to 64 characters that can be seen', /^(?=.*\S)[^\p{Cc}]{1,64}$/u),
  ),
  returnUrl: optional(text('the address of your shop to go back to', /^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/u)),
  validForMs: optional(whole('how long the link is valid, in milliseconds', 60_000, 366 * 86_400_000)),
})

/** What can be wrong: the end of `type`, and its status and title. */
export const problems = {
  invalid_request: [400, 'The request cannot be used'],
  idempotency_key_missing: [400, 'The header Idempotency-Key is missing or cannot be used'],
  unauthorized: [401, 'The secret of the shop is missing or wrong'],
  not_found: [404, 'There is nothing at this address'],
  method_not_allowed: [405, 'This address takes other methods'],
  idempotency_key_reused: [409, 'The Idempotency-Key belongs to another request'],
  request_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  internal: [500, 'The server could not answer'],
  service_unavailable: [503, 'The server cannot answer now'],
} as const satisfies Record<string, readonly [status: number, title: string]>

/** @see RFC 9457 */
export function problem(
  name: keyof typeof problems,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const [status, title] = problems[name]
  const body = { type: `urn:paywindow:problem:${name}`, title, status, detail }
  return jsonAnswer(body, status, { 'content-type': 'application/problem+json', ...headers })
}

class Refusal extends Error {
  readonly answer: Answer
  constructor(...args: Parameters<typeof problem>) {
    super(args[1])
    this.answer = problem(...args)
  }
}

interface PaymentParts {
  readonly paywindow: Pick<PaywindowServer, 'link' | 'revokeLinks' | 'checkouts'>
  /** Of this shop alone. */
  readonly store: Store
  /** Each opens the API. */
  readonly secrets: readonly string[]
  /** Told of requests without the secret. */
  readonly refused: (request: Incoming, what: string) => void
  /** Told what made the server fail. */
  readonly report: (error: unknown) => void
  readonly clock?: Clock
}

const maxBodyBytes = 8_192
/** What is stored for a key waits in this queue until it is forgotten. */
const queue = 'api'
const forgottenAtOnce = 20

/** Answers requests for `/v1/payments`. Never rejects. */
export function createPayments({ paywindow, store, secrets, refused, report, clock = systemClock }: PaymentParts) {
  const hashes = secrets.map(hashOf)

  /** All are compared, whichever fits. */
  function isAllowed(header: string | null): boolean {
    const given = hashOf(/^Bearer ([!-~]{1,500})$/i.exec(header ?? '')?.[1] ?? '')
    return hashes.filter((hash) => sameSecret(hash, given)).length > 0
  }

  async function make(request: Incoming): Promise<Answer> {
    const key = request.header('idempotency-key') ?? ''
    // A comma joins two headers.
    if (!/^[!-+\--~]{1,255}$/.test(key))
      throw new Refusal('idempotency_key_missing', 'Send 1 to 255 printable characters without spaces and commas')
    const asked = await readPayment(request, clock)
    const name = `api ${hashOf(key)}`
    const askedHash = hashOf(JSON.stringify(asked))
    const found = await store.read(name)
    // Where few payments are made, it is not forgotten in time, and its link may have ended.
    const isOver = found?.due.every(({ atMs }) => atMs <= clock.now()) ?? true
    const made: Made = found && !isOver ? found : await makeOnce(name, askedHash, asked, found?.version)
    const { asked: before, url, expiresAt } = readMade(made.value)
    if (before !== askedHash) throw new Refusal('idempotency_key_reused', 'Send a new key for a new payment')
    const { drawCode } = await import('#page')
    return jsonAnswer({ url, code: made.code ?? drawCode(url), expiresAt }, 201)
  }

  /**
   * Of two requests at once one is stored, and both get its link. @param over - Version of what is
   * stored for longer than it counts.
   */
  async function makeOnce(key: string, asked: string, payment: Payment, over: number | undefined): Promise<Made> {
    const { order, amount, asset, validForMs = linkMs, ...rest } = payment
    const { url, expiresAtMs, code } = await paywindow.link({
      reference: order,
      price: { asset, amount },
      validForMs,
      ...rest,
    })
    const value = JSON.stringify({ v: 1, asked, url, expiresAt: new Date(expiresAtMs).toISOString() })
    const due = [{ queue, atMs: clock.now() + repeatedForMs }]
    const record = { key, value, due, labels: [] }
    const isFirst = over === undefined ? await store.create(record) : await store.replace(record, over)
    for (const old of await store.listDue(queue, clock.now(), forgottenAtOnce)) await store.remove(old.key, old.version)
    return (isFirst ? undefined : await store.read(key)) ?? { value, code }
  }

  async function answer(request: Incoming): Promise<Answer> {
    if (!isAllowed(request.header('authorization'))) {
      refused(request, 'a request of the API had not the secret of the shop')
      return problem('unauthorized', 'Send Authorization: Bearer and the API secret of this shop', {
        'www-authenticate': 'Bearer',
      })
    }
    switch (request.method) {
      case 'POST':
        return make(request)
      case 'GET': {
        const order = orderOf(request)
        const found = await paywindow.checkouts.list({ reference: order, limit: 1_000 })
        return jsonAnswer({ order, payments: found.map(paymentOf) })
      }
      case 'DELETE':
        await paywindow.revokeLinks(orderOf(request))
        return { status: 204, headers: { 'cache-control': 'no-store' }, body: null }
    }
    return problem('method_not_allowed', 'Use POST, GET or DELETE', { allow: 'POST, GET, DELETE' })
  }

  return async (request: Incoming): Promise<Answer> => {
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      if (error instanceof ParseError) return problem('invalid_request', error.message)
      const { code, message = '' }: Partial<PaywindowError> = error instanceof PaywindowError ? error : {}
      // What the server found wrong with the link.
      if (code === 'invalid_request' || code === 'invalid_options') return problem('invalid_request', message)
      if (code === 'request_too_large') return problem('request_too_large', message)
      report(error)
      return code === 'service_unavailable' || error instanceof StoreTimeoutError
        ? problem('service_unavailable', 'Ask again with the same key', { 'retry-after': '5' })
        : problem('internal', 'The log of the server says why')
    }
  }
}

type Payment = ValueOf<typeof paymentForm>

/**
 * A stored link, with its code where that was just drawn: to draw it takes longer than all else.
 */
interface Made {
  readonly value: string
  readonly code?: string
}

/** In the order of the form, however they were sent. @throws Refusal, ParseError, PaywindowError */
async function readPayment(request: Incoming, clock: Clock): Promise<Payment> {
  const [type = ''] = (request.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Refusal('unsupported_media_type', 'Send content-type: application/json')
  const bytes = await readBody(request.web(), clock, maxBodyBytes)
  const payment = paymentForm.read(jsonOf(bytes), '')
  refuseUnwritable(parsePrice(payment))
  for (const name of ['order', 'number'] as const) if (name in payment) asSeenText(payment[name], name)
  return payment
}

function jsonOf(bytes: ArrayBuffer): unknown {
  try {
    return readJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof ParseError) throw error
    throw new Refusal('invalid_request', 'The body is no JSON in UTF-8')
  }
}

function orderOf({ url }: Incoming): string {
  const [order, ...more] = url.searchParams.getAll('order')
  if (order === undefined || more.length > 0) throw new Refusal('invalid_request', 'Name one order: ?order=…')
  return asSeenText(orderForm.read(order, 'order'), 'order')
}

function readMade(value: string) {
  const { asked, url, expiresAt } = asRecord(JSON.parse(value), 'a stored link')
  return { asked: asText(asked, 'asked'), url: asText(url, 'url', 5_000), expiresAt: asText(expiresAt, 'expiresAt') }
}

/** Field by field, so that nothing else passes. */
function paymentOf(checkout: MerchantCheckout) {
  const { id, orderNumber = null, phase, status, price, asset, network, createdAt, deposit, history, test } = checkout
  return {
    checkout: id,
    number: orderNumber,
    phase,
    status,
    price,
    received: receivedOf(checkout),
    asset,
    network,
    createdAt,
    expiresAt: deposit?.expiresAt ?? null,
    history: history.map(({ status, phase, at }) => ({ status, phase, at })),
    test,
  }
}
