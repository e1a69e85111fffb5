/**
 * A request and its answer between listener and handler, and the checks of a request. The web's
 * `Request` and `Response` would take more time than the rest of a poll, so they are made only on
 * demand.
 */
import type { Checkout, CheckoutRequest } from '../../contract/checkout.ts'
import { isAnswerCode, PaywindowError } from '../../contract/errors.ts'
import { asSeenText, ParseError } from '../../contract/parse.ts'
import { parseCheckoutRequest } from '../../contract/parsers.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import { BodyTooLargeError, readBytes } from '../../service/body.ts'
import type { Clock } from '../../service/clock.ts'
import { TimeoutError, within } from '../../service/within.ts'

/** A request without its body. */
export interface Incoming {
  /** In capitals. */
  readonly method: string
  readonly url: URL
  /** Whether a client on this machine connected to the port in `url`. Undefined if not known. */
  readonly isFromHere?: boolean
  /** Null where there is none. @param name - In small letters. */
  header(name: string): string | null
  /** The same request with its body, for the merchant's code. Always the same object. */
  web(): Request
}

/** An answer before it is sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** Each is a header `set-cookie`. */
  readonly cookies?: readonly string[]
}

/** Never rejects. */
export type Respond = (request: Incoming) => Promise<Answer>

/** A server as the web knows it. */
export interface FetchServer {
  fetch(request: Request): Promise<Response>
}

/** A web `Request` as an `Incoming`. */
export function incomingOf(request: Request): Incoming {
  return {
    method: request.method,
    url: new URL(request.url),
    header: (name) => request.headers.get(name),
    web: () => request,
  }
}

const responds = new WeakMap<FetchServer['fetch'], Respond>()

/** The `fetch` of a server that responds like this. Our own listener does not use it. */
export function toFetch(respond: Respond): FetchServer['fetch'] {
  const fetch: FetchServer['fetch'] = async (request) => {
    const { status, headers, body, cookies } = await respond(incomingOf(request))
    const response = new Response(body, { status, headers })
    for (const cookie of cookies ?? []) response.headers.append('set-cookie', cookie)
    return response
  }
  responds.set(fetch, respond)
  return fetch
}

/** How a server responds: as it was given to `toFetch`, else by its `fetch`. */
export function respondOf(server: FetchServer): Respond {
  return responds.get(server.fetch) ?? (async (request) => answerOf(await server.fetch(request.web())))
}

/** Reads all of a response. */
export async function answerOf(response: Response): Promise<Answer> {
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer())
  const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body, cookies: response.headers.getSetCookie() }
}

/**
 * The answer to a poll, or 304 where the browser has it already. The tag contains the end of the
 * quote, the fields that money depends on, and the revision, which rises with each change that a
 * browser can see. A change of a name, icon or link alone waits for the next revision.
 */
export function pollAnswer(request: Incoming, checkout: Checkout): Answer {
  const { id, revision, status, cart, tracked, viewOnly, expiresAt, earlier = '' } = checkout
  const fields = [id, revision, status, cart, tracked, viewOnly, Date.parse(expiresAt), encodeURIComponent(earlier)]
  const etag = `"${fields.join('.')}"`
  // A proxy that compresses answers weakens the tag, or adds the encoding to it.
  const isKnown = request.header('if-none-match')?.replace(/^W\/|[-;]gzip(?="$)/g, '') === etag
  // Some service workers keep answers in spite of `no-store`, and ignore what is after the `?`.
  // With `vary` they answer no poll that names another tag, and keep no 304.
  if (!isKnown) return jsonAnswer(checkout, 200, { etag, vary: 'if-none-match' })
  return { status: 304, headers: { etag, 'cache-control': 'no-store', vary: '*' }, body: null }
}

/** Any JSON, with the headers of every answer. Nobody caches it. */
export function jsonAnswer(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** A failure as a browser gets it. `incident`: its name, which a payer gives the merchant. */
export type PublicError = ReturnType<typeof toPublicError>

/**
 * An error that is not meant for browsers becomes `internal`, without its words.
 *
 * @param nameOf - Names the failure, if the payer has to ask the merchant.
 */
export function toPublicError(error: unknown, nameOf?: (status: number) => string | undefined) {
  const { code, message, retryAfterMs } = withoutWords(error)
  const status = statusOfCode[code]
  return { code, message, status, retryAfterMs, incident: nameOf?.(status) }
}

/** A failure as an answer in JSON. */
export function errorAnswer({ code, message, status, retryAfterMs, incident }: PublicError): Answer {
  return jsonAnswer({ v: 1, error: { code, message, ...(incident && { incident }) } }, status, retryAfter(retryAfterMs))
}

/** The header that says when to ask again. */
export function retryAfter(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) }
}

function withoutWords(error: unknown) {
  if (error instanceof PaywindowError && isAnswerCode(error.code) && statusOfCode[error.code] !== 500)
    return { code: error.code, message: error.message, retryAfterMs: error.retryAfterMs }
  // A wrong offer stays wrong: its code tells the browser not to try again.
  const code = error instanceof PaywindowError && error.code === 'offer_invalid' ? error.code : 'internal'
  return { code, message: "The server's onError was told what is wrong", retryAfterMs: undefined } as const
}

/** An image that browsers keep for a day, and never run as a page. */
export function imageAnswer(image: ArrayBuffer | string, type: string): Response {
  return new Response(image, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}

const maxBodyBytes = 4_096
/** A body of this size takes a moment. A slower sender only blocks a connection. */
const bodyMs = 10_000

/** @throws PaywindowError `invalid_request` for a page that is prefetched: nobody sees it yet. */
export function refusePrefetch(request: Incoming): void {
  const purpose = request.header('sec-purpose') ?? request.header('purpose') ?? ''
  if (/prefetch|prerender/i.test(purpose))
    throw new PaywindowError('invalid_request', 'A checkout is only created for a visible page')
}

/**
 * Accepts the reference of a cart. Merchants write it to logs and pages, so nothing in it may break
 * or reorder a line.
 *
 * @throws PaywindowError `invalid_request`
 */
export function readReference(value: unknown): string {
  return fromBrowser(() => asSeenText(value, 'reference'))
}

/** @throws PaywindowError `invalid_request` */
export function readCheckoutRequest(body: unknown): CheckoutRequest {
  const request = fromBrowser(() => parseCheckoutRequest(body))
  return { ...request, reference: readReference(request.reference) }
}

/** Makes a `ParseError` the browser's mistake. In a stored record it is ours. */
function fromBrowser<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ParseError) throw new PaywindowError('invalid_request', error.message)
    throw error
  }
}

/** @throws PaywindowError `unsupported_media_type`, and as `readBody`. */
export async function readJson(request: Request, clock: Pick<Clock, 'now' | 'sleep'>): Promise<unknown> {
  if (typeOf(request) !== 'application/json')
    throw new PaywindowError('unsupported_media_type', 'Send JSON, with content-type: application/json')
  const bytes = await readBody(request, clock, maxBodyBytes)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    const what = 'The body is not JSON. On the server, mount Paywindow before body parsers'
    throw new PaywindowError('invalid_request', what)
  }
}

/** @throws PaywindowError `unsupported_media_type`, and as `readBody`. */
export async function readForm(request: Request, clock: Pick<Clock, 'now' | 'sleep'>): Promise<URLSearchParams> {
  if (typeOf(request) !== 'application/x-www-form-urlencoded')
    throw new PaywindowError('unsupported_media_type', 'Send a form, as a browser does')
  return new URLSearchParams(new TextDecoder().decode(await readBody(request, clock, maxBodyBytes)))
}

function typeOf({ headers }: Request): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** Whether other code reads the body, or has read it. */
export function isBodyUsed({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true
}

/** @throws PaywindowError `request_too_large`, `invalid_request`; if slow `service_unavailable`. */
export async function readBody(
  request: Request,
  clock: Pick<Clock, 'now' | 'sleep'>,
  maxBytes: number,
): Promise<ArrayBuffer> {
  if (isBodyUsed(request))
    throw new PaywindowError(
      'invalid_request',
      'The body was read before Paywindow got the request. On the server, mount Paywindow before body parsers, or pass it request.clone()',
    )
  try {
    return await within(clock, bodyMs, (signal) => readBytes(request, maxBytes, signal))
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new PaywindowError('request_too_large', `The body has more than ${maxBytes} bytes`)
    const late = `The body did not arrive within ${bodyMs / 1_000} seconds`
    if (error instanceof TimeoutError) throw new PaywindowError('service_unavailable', late, { retryAfterMs: 1_000 })
    throw new PaywindowError('invalid_request', 'The body ended early')
  }
}
