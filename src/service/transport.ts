/**
 * Sends requests with the token and a timeout, and reads the answers. A GET is sent again where
 * that can help. A POST or DELETE is never sent again, because the service may have carried it out.
 */
import { BodyTooLargeError, readText } from './body.ts'
import type { Clock } from './clock.ts'
import { ServiceError, type ServiceErrorCode } from './errors.ts'
import { answerError, connectionError, statusError } from './failures.ts'
import {
  type AccessTokenProvider,
  isHeaderToken,
  isProvider,
  type ServiceOptions,
  type ServiceSettings,
} from './options.ts'
import type { RequestReport, Timing } from './types.ts'
import { TimeoutError, within } from './within.ts'

/** One request of the interface. The parts of `path` are encoded. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The path as the interface writes it, with `{id}` in place of an id. */
  readonly route: string
  readonly query?: URLSearchParams
  readonly body?: Readonly<Record<string, unknown>>
}

/** A 2xx answer, not parsed yet. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly timing: Timing
}

/** The name of a request in messages, without the query, which may contain an e-mail address. */
export function nameOf(call: Call): string {
  return `${call.method} ${call.path}`
}

/** The settings of a client, with a callback for its requests. */
export interface ObservedSettings extends ServiceSettings {
  /** Called when a request that was sent has ended. Must return at once, and must not throw. */
  readonly onRequest: ((request: RequestReport) => void) | undefined
}

/** With less than this part of its timeout left, a request would hardly be answered. */
const leastToRepeat = 1 / 8

/**
 * Sends a request. After a 401 or 403 nothing was carried out, so the request is sent once more
 * with a new token, if there is one.
 *
 * @throws ServiceError for everything that is not a whole 2xx answer.
 */
async function send(call: Call, settings: ObservedSettings, tokens: TokenSource): Promise<Answer> {
  const elapsed = stopwatch(settings.clock)
  const first = await observed(call, settings, tokens)
  if (!('refusedToken' in first)) return first
  if (!tokens.refused(first.refusedToken)) throw first.error
  // Both attempts share one timeout, because callers wait no longer: a late order would be lost.
  const leftMs = settings.timeoutMs - elapsed()
  if (leftMs < settings.timeoutMs * leastToRepeat) throw first.error
  const second = await observed(call, { ...settings, timeoutMs: leftMs }, tokens)
  if (!('refusedToken' in second)) return second
  tokens.refused(second.refusedToken)
  throw second.error
}

/** Measures time by the monotonic clock: `now` may be set while a request is under way. */
function stopwatch(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const read = () => clock.monotonic?.() ?? clock.now()
  const startedMs = read()
  return () => Math.max(0, Math.ceil(read() - startedMs))
}

/** A 401 or 403. */
interface Refusal {
  readonly refusedToken: string
  readonly error: ServiceError
}

/** Sends a request once, and reports how it ended, if it was sent. */
async function observed(call: Call, settings: ObservedSettings, tokens: TokenSource): Promise<Answer | Refusal> {
  const { onRequest } = settings
  if (!onRequest) return attempt(call, settings, tokens, () => undefined)
  let sent: { readonly atMs: number; readonly elapsed: () => number } | undefined
  const onSent = () => {
    sent = { atMs: settings.clock.now(), elapsed: stopwatch(settings.clock) }
  }
  const ended = (status: number | undefined, errorCode: ServiceErrorCode | null) => {
    if (!sent) return
    const { method, route, path } = call
    const url = `${settings.baseUrl}${path}`
    const times = { sentAtMs: sent.atMs, tookMs: sent.elapsed() }
    onRequest({ method, route, url, status: status ?? null, errorCode, ...times })
  }
  try {
    const result = await attempt(call, settings, tokens, onSent)
    if ('error' in result) ended(result.error.status, result.error.code)
    else ended(result.status, null)
    return result
  } catch (error) {
    if (error instanceof ServiceError) ended(error.status, error.code)
    throw error
  }
}

async function attempt(
  call: Call,
  settings: ServiceSettings,
  tokens: TokenSource,
  onSent: () => void,
): Promise<Answer | Refusal> {
  const { clock, timeoutMs } = settings
  const state: { sent: boolean; response?: Response; token: string } = { sent: false, token: '' }
  try {
    return await within(clock, timeoutMs, async (signal) => {
      state.token = await tokens.get()
      if (signal.aborted) throw signal.reason
      const request = buildRequest(call, settings, state.token, signal)
      state.sent = true
      onSent()
      const sentAtMs = clock.now()
      const elapsed = stopwatch(clock)
      const response = await settings.fetch(request.url, request.init)
      const answeredAtMs = sentAtMs + elapsed()
      state.response = response
      const text = await readText(response, settings.maxAnswerBytes, signal)
      if (!response.ok) return refusalOf(call, settings, state.token, response, text)
      return { status: response.status, text, timing: { sentAtMs, answeredAtMs, serviceDateMs: readDate(response) } }
    })
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const { response } = state
    // The status of a refusal is enough: its body is not needed.
    if (response && !response.ok) return refusalOf(call, settings, state.token, response, undefined)
    const name = nameOf(call)
    if (error instanceof TimeoutError) {
      if (!state.sent) tokens.tooLate()
      throw new ServiceError('timeout', `${name} was not answered within ${timeoutMs} ms`, {
        outcome: state.sent ? 'unknown' : 'not_done',
        status: response?.status,
      })
    }
    if (error instanceof BodyTooLargeError && response) {
      throw answerError(name, response.status, `with more than ${settings.maxAnswerBytes} bytes`)
    }
    throw connectionError(name, error)
  }
}

function refusalOf(
  call: Call,
  { clock }: ServiceSettings,
  token: string,
  response: Response,
  text: string | undefined,
) {
  const error = statusError(nameOf(call), response, text, token, clock.now())
  // Some services answer 403 to an expired token.
  if (response.status !== 401 && response.status !== 403) throw error
  return { refusedToken: token, error }
}

function buildRequest(call: Call, settings: ServiceSettings, token: string, signal: AbortSignal) {
  const query = call.query?.toString()
  const init: RequestInit = {
    method: call.method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'x-sub-account-id': settings.subAccountId,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    // A redirect would carry the token to wherever it points.
    redirect: 'manual',
    // Some frameworks cache every fetch by default; a cached order would be out of date.
    cache: 'no-store',
    signal,
  }
  return { url: `${settings.baseUrl}${call.path}${query ? `?${query}` : ''}`, init }
}

function readDate(response: Response): number | null {
  const dateMs = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(dateMs) ? null : dateMs
}

const firstBackoffMs = 300
const longestBackoffMs = 5_000

/** With a longer `Retry-After` nothing is sent again: the caller gets it as `retryAfterMs`. */
const longestRetryAfterMs = 60_000

/** Sends a request, and a GET up to `retries` times more. */
export async function sendWithRetries(call: Call, settings: ObservedSettings, tokens: TokenSource): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(call, settings, tokens)
    } catch (error) {
      const mayRepeat = call.method === 'GET' && attempt < settings.retries && error instanceof ServiceError
      const waitMs = mayRepeat ? backoffMs(error, attempt, settings.random) : undefined
      if (waitMs === undefined) throw error
      await settings.clock.sleep(waitMs)
    }
  }
}

/** Exponential backoff with full jitter, after any `Retry-After`; undefined: do not repeat. */
function backoffMs(error: ServiceError, attempt: number, random: () => number): number | undefined {
  const jitterMs = Math.floor(random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt))
  switch (error.code) {
    case 'rate_limited':
    case 'unavailable':
    case 'timeout':
    case 'unreachable': {
      const askedMs = error.retryAfterMs ?? 0
      return askedMs > longestRetryAfterMs ? undefined : askedMs + jitterMs
    }
    case 'unauthorized':
    case 'forbidden':
    case 'refused':
    case 'not_found':
    case 'invalid_answer':
    case 'invalid_request':
      return undefined
  }
}

/** Where requests get the token from. */
interface TokenSource {
  /** The token to send. Rejects with a `ServiceError` `unauthorized` where there is none. */
  get(): Promise<string>
  /** Notes that a request gave up waiting for `get`: a hung call must not block others. */
  tooLate(): void
  /** Notes that the service refused this token. Returns whether `get` may give another one. */
  refused(token: string): boolean
}

/** A text never changes; a function is called again if refused; a provider decides itself. */
export function createTokenSource(accessToken: ServiceOptions['accessToken']): TokenSource {
  if (typeof accessToken === 'string') return { get: async () => accessToken, tooLate: () => {}, refused: () => false }
  return isProvider(accessToken) ? fromProvider(accessToken) : fromFunction(accessToken)
}

function fromProvider(provider: AccessTokenProvider): TokenSource {
  return {
    get: async () => {
      let token: unknown
      try {
        token = await provider.get()
      } catch (error) {
        throw error instanceof ServiceError ? error : failed('The accessToken provider failed', error)
      }
      if (isHeaderToken(token)) return token
      throw failed('The accessToken provider gave no usable token')
    },
    tooLate: () => {},
    refused: (token) => provider.refused(token),
  }
}

function fromFunction(accessToken: () => string | Promise<string>): TokenSource {
  let held: Promise<string> | undefined
  let isAsking = false
  let refusedToken: string | undefined
  const ask = async () => {
    isAsking = true
    try {
      const token: unknown = await accessToken()
      if (isHeaderToken(token)) return token
    } catch (error) {
      throw failed('The accessToken function failed', error)
    }
    throw failed('The accessToken function returned no usable token')
  }
  return {
    get: () => {
      if (held) return held
      // Requests that start together share one call; a failure is not kept.
      const asking: Promise<string> = ask().then(
        (token) => {
          if (held === asking) isAsking = false
          if (token === refusedToken && held === asking) held = undefined
          return token
        },
        (error: unknown) => {
          if (held === asking) held = undefined
          throw error
        },
      )
      held = asking
      return asking
    },
    tooLate: () => {
      if (isAsking) held = undefined
    },
    refused: (token) => {
      // Several requests may report the same token. Only the first report drops it.
      if (refusedToken !== token) {
        refusedToken = token
        held = undefined
      }
      return true
    },
  }
}

function failed(message: string, cause?: unknown): ServiceError {
  return new ServiceError('unauthorized', message, { outcome: 'not_done', ...(cause === undefined ? {} : { cause }) })
}
