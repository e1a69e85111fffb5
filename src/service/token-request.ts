/** Sends one token request of OAuth 2.0 client credentials (RFC 6749, section 4.4). */
import { BodyTooLargeError, readText } from './body.ts'
import { ServiceError } from './errors.ts'
import { readRetryAfter } from './failures.ts'
import { isHeaderToken } from './options.ts'
import type { TokenSettings } from './token-settings.ts'
import { TimeoutError, within } from './within.ts'

/** A token is a few hundred bytes. */
const maxAnswerBytes = 65_536
/** A longer life is not a duration, but for example a time since 1970. */
const longestLifeMs = 10 * 366 * 86_400_000

/** A token of the endpoint. `lifeMs` is null where the answer does not say when it expires. */
interface IssuedToken {
  readonly token: string
  readonly lifeMs: number | null
}

/**
 * Requests a token. Errors neither quote the answer nor have a cause, because both could contain
 * the secret or a token.
 *
 * @throws ServiceError `unavailable` where the endpoint is not reached, is late or answers 429 or
 *   5xx; else `unauthorized`.
 */
export async function requestToken(settings: TokenSettings): Promise<IssuedToken> {
  const { clock, timeoutMs } = settings
  try {
    return await within(clock, timeoutMs, async (signal) => {
      const response = await settings.fetch(settings.tokenUrl, {
        method: 'POST',
        headers: tokenHeaders(settings),
        body: tokenBody(settings),
        // A redirect would carry the secret to wherever it points.
        redirect: 'manual',
        cache: 'no-store',
        signal,
      })
      const text = await readText(response, maxAnswerBytes, signal)
      if (response.ok) return readToken(text, settings)
      throw refusal(response, text, settings)
    })
  } catch (error) {
    if (error instanceof ServiceError) throw error
    if (error instanceof TimeoutError) throw failed(settings, 'unavailable', `did not answer within ${timeoutMs} ms`)
    if (error instanceof BodyTooLargeError)
      throw failed(settings, 'unauthorized', `answered with more than ${maxAnswerBytes} bytes: check tokenUrl`)
    throw failed(settings, 'unavailable', `could not be reached${codeOf(error)}: check tokenUrl and the network`)
  }
}

function readToken(text: string, settings: TokenSettings): IssuedToken {
  const { access_token, token_type, expires_in, expiration } = fieldsOf(text)
  if (!isHeaderToken(access_token))
    throw failed(settings, 'unauthorized', 'answered without a usable access_token: check tokenUrl')
  if (token_type !== undefined && !(typeof token_type === 'string' && /^bearer$/i.test(token_type)))
    throw failed(settings, 'unauthorized', 'gave a token that is no bearer token: ask the service for one')
  return { token: access_token, lifeMs: readLifeMs(expires_in ?? expiration) }
}

/** The life of a token in ms, from seconds, which some servers write as text. */
function readLifeMs(value: unknown): number | null {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,12}$/.test(value))
  const lifeMs = isNumber ? Number(value) * 1_000 : Number.NaN
  return lifeMs >= 0 && lifeMs <= longestLifeMs ? lifeMs : null
}

/** What the merchant can do, by the error codes of RFC 6749, section 5.2. */
const adviceOf: Readonly<Record<string, string>> = {
  invalid_client: 'check clientId and clientSecret',
  invalid_request: 'check tokenUrl and authentication',
  invalid_scope: 'check scope',
  unauthorized_client: 'ask the service to allow client credentials for this client',
  unsupported_grant_type: 'ask the service to allow client credentials, or check tokenUrl',
}

function refusal(response: Response, text: string, settings: TokenSettings): ServiceError {
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), settings.clock.now())
  const isTransient = status === 429 || status >= 500
  if (isTransient) return failed(settings, 'unavailable', `answered ${status}`, retryAfterMs)
  // In some runtimes a redirect that is not followed has the status 0.
  if (status < 400) return failed(settings, 'unauthorized', 'answered with a redirect: set tokenUrl to where it leads')
  const { error } = fieldsOf(text)
  const known = typeof error === 'string' && Object.hasOwn(adviceOf, error) ? error : undefined
  const advice = adviceOf[known ?? (status === 404 || status === 405 ? 'invalid_request' : 'invalid_client')]
  return failed(settings, 'unauthorized', `answered ${status}${known ? ` ${known}` : ''}: ${advice}`, retryAfterMs)
}

/** The fields of a JSON object; none where the text is something else. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? { ...json } : {}
  } catch {
    return {}
  }
}

/** The code of a network error, such as ECONNREFUSED. The message could quote the request. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string' && /^[A-Z_]{3,40}$/.test(error.code)) return ` (${error.code})`
  return 'cause' in error && error.cause !== error ? codeOf(error.cause) : ''
}

function failed(
  { tokenUrl }: TokenSettings,
  code: 'unauthorized' | 'unavailable',
  what: string,
  retryAfterMs?: number,
): ServiceError {
  const { origin, pathname } = new URL(tokenUrl)
  const message = `The token endpoint ${origin}${pathname} ${what}`
  return new ServiceError(code, message, { outcome: 'not_done', retryAfterMs })
}

/** The headers of a token request, with the credentials or, for `json`, without them. */
function tokenHeaders({ clientId, clientSecret, authentication }: TokenSettings): Record<string, string> {
  if (authentication === 'json') return { accept: 'application/json', 'content-type': 'application/json' }
  return {
    accept: 'application/json',
    authorization: basic(clientId, clientSecret),
    'content-type': 'application/x-www-form-urlencoded',
  }
}

function tokenBody({ clientId, clientSecret, scope, authentication }: TokenSettings): string {
  const scoped = scope === undefined ? {} : { scope }
  if (authentication === 'json') return JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...scoped })
  return new URLSearchParams({ grant_type: 'client_credentials', ...scoped }).toString()
}

/** HTTP Basic (RFC 6749, section 2.3.1), form-encoded because the id may have a colon. */
export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`
}

/**
 * The encoding of `application/x-www-form-urlencoded`.
 *
 * @see RFC 6749, appendix B
 */
export function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
