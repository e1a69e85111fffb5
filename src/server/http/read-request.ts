/** Reads what a browser sends, within bounds, and refuses requests that another site's page made. */
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
/** A body of this size takes a moment. A slower sender only holds a connection. */
const bodyMs = 10_000
/**
 * Controls, ends of lines, halves of characters, what turns the direction of a text, and what is not seen at all: databases take a text
 * with such a character for the text without. Joiners stay behind letters that are not ASCII, because languages and emoji need them.
 */
const unprintable =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0f]]|(?<!\P{ASCII})[\u200c\u200d\ufe0f]/v

/** Names that nobody can register: a page of another site has none of them. */
const unregistrable = /^[^.]*$|^[\d.]+$|\.(?:localhost|local|test|internal)$/

/**
 * Refuses what a page of another site sent, before anything is looked up for it: how an answer differs tells that page about the visitor.
 * Browsers name the site of a request; a client without a browser has no session that could be abused, and names none.
 *
 * @throws PaywindowError `forbidden_origin`
 */
export function checkOrigin(request: Incoming, own: Pick<Settings, 'allowedOrigins' | 'publicOrigin' | 'test'>): void {
  const { allowedOrigins, publicOrigin, test } = own
  const origin = request.header('origin')
  const { url } = request
  // The name may lead here for a page that came from elsewhere (DNS rebinding). In production a proxy may be what is on this machine.
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
  // A proxy may change the host of a page of our own; who has named the origin means that alone.
  if (site === 'same-origin' && (isOwn || publicOrigin === undefined)) return
  if (site === null && isOwn) return
  // Somebody has opened the address itself.
  if (site === 'none' && request.method !== 'POST') return
  throw forbidden(origin ?? 'another site', 'add it to allowedOrigins')
}

function forbidden(origin: string, advice: string): PaywindowError {
  return new PaywindowError(
    'forbidden_origin',
    `This endpoint does not take requests from pages of ${origin}: ${advice} if it should`,
  )
}

function isOwnHost(origin: string, request: Incoming, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined) return origin === publicOrigin
  const host = request.header('host') ?? request.url.host
  const own = URL.parse(origin)
  // `Host` may have other letters, or the port that goes without saying.
  return own !== null && URL.parse(`${own.protocol}//${host}`)?.host === own.host
}

/** @throws PaywindowError `invalid_request` for a page that is only being prepared: nobody sees it yet. */
export function refusePrefetch(request: Incoming): void {
  const purpose = request.header('sec-purpose') ?? request.header('purpose') ?? ''
  if (/prefetch|prerender/i.test(purpose))
    throw new PaywindowError('invalid_request', 'A checkout is only created for a visible page')
}

/**
 * Accepts the reference of a cart. Merchants write it to their logs and pages, so it holds nothing that breaks or reorders a line.
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

/** Only errors in what the browser sent are its own; an unreadable stored record is ours. */
function fromBrowser<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ParseError) throw new PaywindowError('invalid_request', error.message)
    throw error
  }
}

/** @throws PaywindowError `unsupported_media_type`, `request_too_large`, `invalid_request`; `service_unavailable` after ten seconds */
export async function readJson(request: Request, clock: Pick<Clock, 'now' | 'sleep'>): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new PaywindowError('unsupported_media_type', 'Send JSON, with content-type: application/json')
  const bytes = await readBody(request, clock, maxBodyBytes)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new PaywindowError(
      'invalid_request',
      'The body is not JSON. On the server, mount Paywindow before what reads bodies',
    )
  }
}

/** Whether somebody else reads the body, or has read it. */
export function isBodyUsed({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true
}

/** Waits ten seconds for the body. @throws PaywindowError `request_too_large`, `invalid_request`; `service_unavailable` where it comes too slowly */
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
