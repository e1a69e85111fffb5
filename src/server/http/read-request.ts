/** Reads requests of browsers, within bounds, and refuses those that another site's page made. */
import type { CheckoutRequest } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { asText, ParseError } from '../../contract/parse.ts'
import { parseCheckoutRequest } from '../../contract/parsers.ts'
import { BodyTooLargeError, readBytes } from '../../service/body.ts'
import type { Clock } from '../../service/clock.ts'
import { TimeoutError, within } from '../../service/within.ts'
import type { Settings } from '../options.ts'
import type { Incoming } from './exchange.ts'

const maxBodyBytes = 4_096
/** A body of this size takes a moment. A slower sender only occupies a connection. */
const bodyMs = 10_000
/**
 * Controls, ends of lines, halves of characters, invisible characters, and those that turn the
 * direction of a text. Databases take a text with an invisible character for the text without it.
 * Languages and emoji need joiners, so these may follow letters that are not ASCII.
 */
const unprintable =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0f]]|(?<!\P{ASCII})[\u200c\u200d\ufe0f]/v

/** Hosts that nobody can register, so no page of another site has one. */
const unregistrable = /^[^.]*$|^[\d.]+$|\.(?:localhost|local|test|internal)$/

/**
 * Refuses requests from pages of other sites, before anything is looked up: differences between
 * answers would tell such a page about the visitor. Browsers name the site of a request. Other
 * clients name none, and have no session that could be abused.
 *
 * @throws PaywindowError `forbidden_origin`
 */
export function checkOrigin(request: Incoming, own: Pick<Settings, 'allowedOrigins' | 'publicOrigin' | 'test'>): void {
  const { allowedOrigins, publicOrigin, test } = own
  const origin = request.header('origin')
  const { url } = request
  // DNS rebinding: a site may let its name lead here. In production the client may be a proxy.
  if (
    test &&
    request.isFromHere &&
    !unregistrable.test(url.hostname) &&
    ![publicOrigin, ...allowedOrigins].includes(url.origin)
  )
    throw forbidden(url.origin, 'name it in publicOrigin')
  if (origin !== null && allowedOrigins.includes(origin)) return
  const site = request.header('sec-fetch-site')
  const isOwn = origin === null || isOwnHost(origin, request, publicOrigin)
  // A proxy may change the host of our own page. Where `publicOrigin` is set, it alone counts.
  if (site === 'same-origin' && (isOwn || publicOrigin === undefined)) return
  if (site === null && isOwn) return
  // Somebody has opened the address itself.
  if (site === 'none' && request.method !== 'POST') return
  throw forbidden(origin ?? 'another site', 'add it to allowedOrigins')
}

function forbidden(origin: string, advice: string): PaywindowError {
  const what = `This endpoint does not take requests from pages of ${origin}: ${advice} if it should`
  return new PaywindowError('forbidden_origin', what)
}

function isOwnHost(origin: string, request: Incoming, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined) return origin === publicOrigin
  const host = request.header('host') ?? request.url.host
  const own = URL.parse(origin)
  // `Host` may be in capitals, or have the default port.
  return own !== null && URL.parse(`${own.protocol}//${host}`)?.host === own.host
}

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
  return fromBrowser(() => {
    const reference = asText(value, 'reference')
    if (unprintable.test(reference)) throw new ParseError('reference has characters that cannot be seen')
    return reference
  })
}

/** @throws PaywindowError `invalid_request` */
export function readCheckoutRequest(body: unknown): CheckoutRequest {
  const request = fromBrowser(() => parseCheckoutRequest(body))
  return { ...request, reference: readReference(request.reference) }
}

/** Makes a `ParseError` the browser's mistake. One of a stored record is ours. */
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
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new PaywindowError('unsupported_media_type', 'Send JSON, with content-type: application/json')
  const bytes = await readBody(request, clock, maxBodyBytes)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    const what = 'The body is not JSON. On the server, mount Paywindow before what reads bodies'
    throw new PaywindowError('invalid_request', what)
  }
}

/** Whether somebody else reads the body, or has read it. */
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
      'The body was read before Paywindow got the request. On the server, mount Paywindow before what reads bodies, or pass it request.clone()',
    )
  try {
    return await within(clock, bodyMs, (signal) => readBytes(request, maxBytes, signal))
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new PaywindowError('request_too_large', `The body has more than ${maxBytes} bytes`)
    if (error instanceof TimeoutError)
      throw new PaywindowError('service_unavailable', `The body did not arrive within ${bodyMs / 1_000} seconds`, {
        retryAfterMs: 1_000,
      })
    throw new PaywindowError('invalid_request', 'The body ended early')
  }
}
