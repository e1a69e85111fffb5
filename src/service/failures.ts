/** Makes the ServiceError of a failed request, with whether the service may have carried it out. */
import { ServiceError, type ServiceErrorCode } from './errors.ts'
import { parseExactJson } from './json.ts'

/** Network errors from before a request was sent. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const maxMessageLength = 500

/**
 * The error for an answer whose status is not 2xx.
 *
 * @param call - Method and path, for the message.
 * @param secret - The token, which is removed from the quoted message.
 */
export function statusError(call: string, response: Response, body: string | undefined, secret: string, nowMs: number) {
  const { status } = response
  const hint = status < 400 ? ', a redirect, which is not followed' : ''
  return new ServiceError(codeOfStatus(status), `${call} answered ${status}${hint}`, {
    // Gateways answer 408 when the service is late, and 499 when a gateway before them is gone.
    outcome: status >= 400 && status < 500 && ![408, 499].includes(status) ? 'not_done' : 'unknown',
    status,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), nowMs),
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

/** The error for an unusable answer. It has no cause, because parsers quote their input. */
export function answerError(call: string, status: number, reason: string): ServiceError {
  return new ServiceError('invalid_answer', `${call} answered ${status}, ${reason}`, { outcome: 'unknown', status })
}

/**
 * Milliseconds to wait by a `Retry-After` header; undefined where it is neither whole seconds nor
 * an HTTP date.
 *
 * @see RFC 9110, section 10.2.3
 */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // Date.parse reads "-5" and "2.5" as dates, too. An HTTP date begins with the name of a day.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function codeOfStatus(status: number): ServiceErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  // 408, 421 and 425 ask for the same request again, and 499 says nothing against it.
  if (status >= 500 || [408, 421, 425, 499].includes(status)) return 'unavailable'
  return status >= 400 ? 'refused' : 'invalid_answer'
}

function quoteMessage(body: string, secret: string): string | undefined {
  try {
    const json = parseExactJson(body)
    if (typeof json !== 'object' || json === null || !('message' in json)) return undefined
    const { message } = json
    if (typeof message !== 'string' || message === '') return undefined
    // Cut last: the beginning of a token would not be replaced.
    return message.replaceAll(secret, '[token]').slice(0, maxMessageLength)
  } catch {
    return undefined
  }
}

/**
 * Whether a network error shows that nothing was sent. `fetch` wraps the error in causes. Where
 * several addresses were tried, every error must show it.
 */
export function wasNeverSent(error: unknown, depth = 0): boolean {
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
