/** Answers to browsers: JSON that nobody caches, and errors as a code with words for people. */
import type { Checkout } from '../../contract/checkout.ts'
import { isAnswerCode, PaywindowError } from '../../contract/errors.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import type { Answer, Incoming } from './exchange.ts'

/**
 * The answer to a poll, or 304 if the browser has it already. The tag contains the revision, which rises with every change of a checkout that a
 * browser can see, what money depends on besides, and the end of the quote. Names, icons and links that the shop or a later version changes
 * arrive with the next of these.
 */
export function pollAnswer(request: Incoming, checkout: Checkout): Answer {
  const { id, revision, status, cart, tracked, viewOnly, expiresAt } = checkout
  const etag = `"${[id, revision, status, cart, tracked, viewOnly, Date.parse(expiresAt)].join('.')}"`
  // A proxy that compresses answers makes the tag a weak one, or says in it how.
  const isKnown = request.header('if-none-match')?.replace(/^W\/|[-;]gzip(?="$)/g, '') === etag
  if (!isKnown) return jsonAnswer(checkout, 200, { etag })
  return { status: 304, headers: { etag, 'cache-control': 'no-store' }, body: null }
}

/** Any JSON, with the headers that every answer has. */
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

/**
 * Turns a failure into an answer. Anything that is not meant for a browser becomes `internal`, without its words.
 *
 * @param nameOf - Names it for the payer and the merchant, where there is a need to.
 */
export function errorAnswer(error: unknown, nameOf?: (status: number) => string | undefined): Answer {
  const { code, message, retryAfterMs } = toPublicError(error)
  const status = statusOfCode[code]
  const incident = nameOf?.(status)
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  return jsonAnswer({ v: 1, error: { code, message, ...(incident && { incident }) } }, status, headers)
}

function toPublicError(error: unknown) {
  if (error instanceof PaywindowError && isAnswerCode(error.code) && statusOfCode[error.code] !== 500)
    return { code: error.code, message: error.message, retryAfterMs: error.retryAfterMs }
  // An offer stays wrong until somebody mends it, so a browser need not try again. What is wrong is the merchant's business.
  const code = error instanceof PaywindowError && error.code === 'offer_invalid' ? error.code : 'internal'
  return { code, message: "The server's onError was told what is wrong", retryAfterMs: undefined } as const
}

/** A picture as this server answers with it: kept by browsers for a day, and nothing but a picture wherever it is opened. */
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
