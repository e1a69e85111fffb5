/** The widget's requests over a simulated connection, with the timeouts and the reading of answers that the widget has. */
import type { Answer } from '../../src/checkout/flow.ts'
import type { Checkout, CheckoutRequest, KeyedCheckout } from '../../src/contract/checkout.ts'
import { isAnswerCode, PaywindowError } from '../../src/contract/errors.ts'
import { asRecord, ParseError } from '../../src/contract/parse.ts'
import {
  parseCheckout,
  parseHandover,
  parseKeyedCheckout,
  parseOffer,
  parseOpened,
} from '../../src/contract/parsers.ts'
import type { Connection, Delivered } from './link.ts'

type ApiAnswer = Exclude<Answer, { kind: 'checkout' }> | { kind: 'checkout'; checkout: Checkout; key: string }

export interface BrowserApi {
  create(request: CheckoutRequest): Promise<ApiAnswer>
  offer(reference: string): Promise<ApiAnswer>
  read(id: string, key: string): Promise<ApiAnswer>
  renew(id: string, key: string): Promise<ApiAnswer>
  /** Resolves with a token to look at the checkout from another device. */
  handover(id: string, key: string): Promise<string>
}

const creationTimeoutMs = 30_000
const readTimeoutMs = 12_000

export function createBrowserApi(connection: Connection): BrowserApi {
  const get = (path: string, key?: string) =>
    connection({ method: 'GET', path, timeoutMs: readTimeoutMs, ...(key !== undefined && { key }) })
  const post = (path: string, body: unknown, key?: string) =>
    connection({ method: 'POST', path, body, timeoutMs: creationTimeoutMs, ...(key !== undefined && { key }) })
  return {
    create: async (request) => understand(await post('/checkouts', request), opened),
    offer: async (reference) =>
      understand(await get(`/offer?reference=${encodeURIComponent(reference)}`), (json) => ({
        kind: 'offer',
        offer: parseOffer(json),
      })),
    read: async (id, key) =>
      understand(await get(`/checkouts/${id}`, key), (json) => ({ kind: 'status', checkout: parseCheckout(json) })),
    renew: async (id, key) =>
      understand(await post(`/checkouts/${id}/renew`, {}, key), (json) => withKey(parseKeyedCheckout(json))),
    handover: async (id, key) => {
      const { status, text } = await post(`/checkouts/${id}/handover`, {}, key)
      if (status !== 200) throw new PaywindowError('unreachable', 'There is no token')
      return parseHandover(JSON.parse(text)).token
    },
  }
}

function opened(json: unknown): ApiAnswer {
  const answer = parseOpened(json)
  return 'offer' in answer ? { kind: 'offer', offer: answer.offer } : withKey(answer)
}

function withKey({ key, ...checkout }: KeyedCheckout): ApiAnswer {
  return { kind: 'checkout', checkout, key }
}

function understand(answered: Delivered, parse: (json: unknown) => ApiAnswer): ApiAnswer {
  try {
    const json: unknown = JSON.parse(answered.text)
    if (answered.status === 200) return parse(json)
    const body = asRecord(json, 'body')
    const { code, message } = asRecord(body.error, 'error')
    if (typeof code === 'string' && isAnswerCode(code)) throw failure(code, String(message), answered)
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof SyntaxError)) throw error
    if (answered.status === 200) throw failure('invalid_answer', error.message, answered)
  }
  throw failure(answered.status >= 500 ? 'unreachable' : 'invalid_answer', `Answered ${answered.status}`, answered)
}

function failure(code: PaywindowError['code'], message: string, { retryAfterMs }: Delivered): PaywindowError {
  return new PaywindowError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs })
}
