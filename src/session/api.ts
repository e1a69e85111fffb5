/**
 * Requests to the merchant server. Every answer passes a parser of the contract before anything
 * sees it, and every failure leaves as a `PaywindowError`. Nothing is retried here: the session
 * decides when to ask again.
 */
import type { Answer } from '../checkout/flow.ts'
import {
  type Checkout,
  type CheckoutRequest,
  type Handover,
  type KeyedCheckout,
  keyHeader,
} from '../contract/checkout.ts'
import { isAnswerCode, PaywindowError } from '../contract/errors.ts'
import { asRecord, own, ParseError } from '../contract/parse.ts'
import { parseCheckout, parseHandover, parseKeyedCheckout, parseOffer, parseOpened } from '../contract/parsers.ts'
import { showDeveloper } from './tell.ts'
import type { BrowserWindow } from './world.ts'

/** An answer; a checkout comes with the key that reads and renews it. */
export type ApiAnswer = Exclude<Answer, { kind: 'checkout' }> | { kind: 'checkout'; checkout: Checkout; key: string }

/** The operations of the contract that the widget needs. All throw `PaywindowError` only. */
export interface Api {
  /**
   * The current checkout of this cart and method or a first one; the offer when a method must be
   * chosen.
   */
  create(request: CheckoutRequest): Promise<ApiAnswer>
  offer(reference: string): Promise<ApiAnswer>
  read(id: string, key: string, signal: AbortSignal): Promise<Extract<ApiAnswer, { kind: 'status' }>>
  renew(id: string, key: string): Promise<ApiAnswer>
  handOver(id: string, key: string): Promise<Handover>
}

/**
 * A creation waits for the exchange service behind the merchant server; reading a status does not.
 */
const creationTimeoutMs = 30_000
const readTimeoutMs = 12_000
const longestRetryAfterMs = 300_000

/**
 * @param endpoint - Where the merchant server is mounted: a path or an absolute URL.
 * @param fetchOption - Used in place of the window's own.
 */
export function createApi(endpoint: string, fetchOption: typeof fetch | undefined, window: BrowserWindow): Api {
  const base = endpoint.replace(/\/+$/, '')
  /** The last status, and the name of its answer, which names the checkout too. */
  let last: Extract<ApiAnswer, { kind: 'status' }> | undefined
  let etag: string | null = null

  async function ask(
    path: string,
    headers: Record<string, string>,
    timeoutMs: number,
    body: string | null = null,
    signal?: AbortSignal,
  ): Promise<Answered> {
    const abort = new AbortController()
    const stop = () => abort.abort()
    const timer = window.setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop)
    // What stands in front of `fetch` may know no signal, and wait for something else for ever.
    const stopped = new Promise<never>((_, fail) => abort.signal.addEventListener('abort', fail))
    const answer = async () => {
      // Browsers fetch nothing from an address with the name and password that a page was opened
      // with.
      const { href, origin } = new URL(base + path, window.document.baseURI.replace(/\/\/[^/]*@/, '//'))
      const response = await (fetchOption ?? window.fetch)(href, {
        cache: 'no-store',
        // A merchant server on another origin knows the visitor's session only when cookies are
        // sent along.
        credentials: origin === window.origin ? 'same-origin' : 'include',
        headers,
        signal: abort.signal,
        // In every request, so that no script of the page gives it others by `Object.prototype`. An
        // object without a prototype would end in the scripts that a page puts before its `fetch`:
        // they ask it for `hasOwnProperty`.
        method: body ? 'POST' : 'GET',
        body,
      })
      const notes = response.headers.get('paywindow-notes')
      if (notes) showDeveloper(window, notes)
      return { response, status: response.status, text: await response.text() }
    }
    try {
      return await Promise.race([answer(), stopped])
    } catch (cause) {
      throw new PaywindowError('unreachable', `${base}${path} did not answer ${window.origin}`, { cause })
    } finally {
      window.clearTimeout(timer)
    }
  }

  function post(path: string, headers: Record<string, string>, body: unknown): Promise<Answered> {
    const all = { 'content-type': 'application/json', ...headers }
    return ask(path, all, creationTimeoutMs, JSON.stringify(body))
  }

  return {
    create: async (request) => understand(await post('/checkouts', {}, request), opened),
    offer: async (reference) => {
      const answered = await post('/offer', {}, { reference })
      // A merchant server of 0.1 takes it in the address alone.
      const older = `/offer?${unasked(window)}&reference=${encodeURIComponent(reference)}`
      return understand(answered.status === 405 ? await ask(older, {}, readTimeoutMs) : answered, offered)
    },
    read: async (id, key, signal) => {
      const headers = { [keyHeader]: key, ...(etag && { 'if-none-match': etag }) }
      // Whoever is refused, or has a script in front of `fetch` that takes 304 for a failure, asks
      // for everything once, with the time that is left then. Not for good: what service workers keep
      // has no tag.
      etag = null
      const answered = await ask(`${pathOf(id)}?${unasked(window)}`, headers, readTimeoutMs, null, signal)
      // Nothing is new. The time left is that of an earlier answer, but no answer makes a deadline
      // later.
      const isSame = answered.status === 304 && last
      last = isSame || understand(answered, (json) => ({ kind: 'status', checkout: parseCheckout(json) }))
      etag = answered.response.headers.get('etag')
      return last
    },
    renew: async (id, key) =>
      understand(await post(`${pathOf(id)}/renew`, { [keyHeader]: key }, {}), (json) =>
        withKey(parseKeyedCheckout(json)),
      ),
    handOver: async (id, key) =>
      understand(await post(`${pathOf(id)}/handover`, { [keyHeader]: key }, {}), parseHandover),
  }
}

interface Answered {
  readonly response: Response
  readonly status: number
  readonly text: string
}

/**
 * If the payer has to choose, the answer contains the offer, so that choosing needs no second
 * request.
 */
function opened(json: unknown): ApiAnswer {
  const answer = own(parseOpened(json))
  return 'offer' in answer ? { kind: 'offer', offer: answer.offer } : withKey(answer)
}

function offered(json: unknown): ApiAnswer {
  return { kind: 'offer', offer: parseOffer(json) }
}

function withKey({ key, ...checkout }: KeyedCheckout): ApiAnswer {
  return { kind: 'checkout', checkout, key }
}

function understand<Value>(answered: Answered, parse: (json: unknown) => Value): Value {
  try {
    const json: unknown = JSON.parse(answered.text)
    if (answered.status === 200) return parse(json)
    const body = asRecord(json, 'body')
    const { code, message, incident } = own(asRecord(body.error, 'error'))
    // Others answer in this form, too.
    if (body.v === 1 && typeof code === 'string') {
      const known = isAnswerCode(code) ? code : codeOfStatus(answered.status)
      throw failure(known, String(message), answered, { incident: typeof incident === 'string' ? incident : undefined })
    }
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof SyntaxError)) throw error
    if (answered.status === 200) throw failure('invalid_answer', error.message, answered, { cause: error })
  }
  throw failure(codeOfStatus(answered.status), `status ${answered.status}`, answered)
}

/** Its message begins with the address that was asked: whoever builds the page reads that first. */
function failure(
  code: PaywindowError['code'],
  words: string,
  { response }: Answered,
  more: { cause?: unknown; incident?: string | undefined } = {},
) {
  return new PaywindowError(code, `${response.url}: ${words}`, { retryAfterMs: retryAfterMs(response), ...more })
}

/**
 * For answers that the merchant server did not write, such as the error page of a proxy in front of
 * it.
 */
function codeOfStatus(status: number): PaywindowError['code'] {
  if (status === 429) return 'rate_limited'
  // Those below 500 came too slowly, by a connection that is for another host, or too early: sent
  // again they arrive.
  return status >= 500 || [408, 421, 425].includes(status) ? 'unreachable' : 'invalid_answer'
}

/** A date is counted from that of the answer: the device's own clock may be wrong. */
function retryAfterMs({ headers }: Response): number | undefined {
  const header = headers.get('retry-after')
  if (!header) return undefined
  const timeOf = (text: string | null) => Number(new Date(text ?? ''))
  const ms = Number(header) * 1000 || timeOf(header) - timeOf(headers.get('date'))
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs)
}

/**
 * A cache on the way, or the page's own service worker, may keep answers in spite of `no-store`: no
 * address is asked twice.
 */
function unasked(window: BrowserWindow): string {
  return `t=${window.Date.now()}`
}

function pathOf(id: string): string {
  return `/checkouts/${encodeURIComponent(id)}`
}
