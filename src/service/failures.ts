/** Says what went wrong with one request, and whether the service may have carried it out. */
import { ServiceError, type ServiceErrorCode } from './errors.ts'
import { parseExactJson } from './json.ts'

/** Network errors from before a request was sent: no such host, nothing listening, no route. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const maxMessageLength = 500

/** The error for an answer whose status is not 2xx. `call` is the method and path, `secret` is cut out of what is quoted. */
export function statusError(call: string, response: Response, body: string | undefined, secret: string, nowMs: number) {
  const { status } = response
  const hint = status < 400 ? ', a redirect, which is not followed' : ''
  return new ServiceError(codeOfStatus(status), `${call} answered ${status}${hint}`, {
    outcome: status >= 400 && status < 500 ? 'not_done' : 'unknown',
    status,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), nowMs),
    // Shortened after the token is taken out: half a token at the end would not match.
    serviceMessage: body === undefined ? undefined : quoteMessage(body, secret),
  })
}

/** The error for a request that got no whole answer. */
export function connectionError(call: string, error: unknown): ServiceError {
  const sent = !wasNeverSent(error)
  return new ServiceError('unreachable', `${call} ${sent ? 'broke off' : 'could not connect to the service'}`, {
    outcome: sent ? 'unknown' : 'not_done',
    cause: error,
  })
}

/** The error for an answer that cannot be used. It has no cause, because parsers quote what they could not read. */
export function answerError(call: string, status: number, reason: string): ServiceError {
  return new ServiceError('invalid_answer', `${call} answered ${status}, ${reason}`, { outcome: 'unknown', status })
}

/**
 * Milliseconds that a `Retry-After` header asks to wait, as whole seconds or an HTTP date; undefined when it says neither.
 *
 * @see RFC 9110, section 10.2.3
 */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // Date.parse also reads "-5" and "2.5" as dates of some year; an HTTP date begins with the name of its day.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function codeOfStatus(status: number): ServiceErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'refused' : 'invalid_answer'
}

function quoteMessage(body: string, secret: string): string | undefined {
  try {
    const json = parseExactJson(body)
    if (typeof json !== 'object' || json === null || !('message' in json)) return undefined
    const { message } = json
    if (typeof message !== 'string' || message === '') return undefined
    return message.replaceAll(secret, '[token]').slice(0, maxMessageLength)
  } catch {
    return undefined
  }
}

/** Walks the causes that `fetch` wraps; a connection tried on several addresses was never sent only when none accepted it. */
function wasNeverSent(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every((each) => wasNeverSent(each, depth + 1))
  }
  if ('code' in error && typeof error.code === 'string') {
    const atConnect = 'syscall' in error && error.syscall === 'connect'
    return neverSent.has(error.code) || (atConnect && error.code.startsWith('E'))
  }
  return 'cause' in error && wasNeverSent(error.cause, depth + 1)
}
