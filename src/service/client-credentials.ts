/** Holds the token of a client: asks for it once, renews it before it ends, and pauses when the endpoint fails. */
import { ServiceError } from './errors.ts'
import type { AccessTokenProvider } from './options.ts'
import { requestToken } from './token-request.ts'
import { type ClientCredentialsOptions, checkTokenOptions } from './token-settings.ts'

/** A token is renewed this long before its end, or in the last fifth of its life where that is later. */
const renewBeforeMs = 60_000
const renewShare = 0.2
/** A life that is shorter would cost a request for each call. If the token ends sooner, the service's 401 or 403 shows it. */
const shortestLifeMs = 10_000
/** A token that the service refuses is replaced at most this often. */
const replaceEveryMs = 60_000
const firstHoldMs = 2_000
const longestHoldMs = 60_000
/** The longest pause that the endpoint itself can ask for. */
const longestAskedMs = 5 * 60_000

interface Moment {
  readonly nowMs: number
  readonly monotonicMs: number
}

interface Held {
  readonly token: string
  readonly since: Moment
  readonly lifeMs: number
}

interface Failure {
  readonly error: ServiceError
  readonly since: Moment
  readonly holdMs: number
  readonly count: number
}

/**
 * The access token by OAuth 2.0 client credentials, for the option `accessToken`. One request serves all calls of the process: the token is
 * kept in memory, renewed before it ends, and replaced when the service answers 401 or 403, at most once a minute. While it holds, a token
 * endpoint that fails does no harm. One that failed is asked again after 2 s, then after twice as long each time up to a minute, and never
 * before its `Retry-After`.
 *
 * @throws PaywindowError `invalid_options` that names the option and never shows its value.
 *
 * @example
 * ```ts
 * const accessToken = clientCredentials({
 *   tokenUrl: 'https://service.example/oauth/token',
 *   clientId: 'shop',
 *   clientSecret: 'from the environment',
 *   fetch: async () => Response.json({ access_token: 'token-1', token_type: 'Bearer', expires_in: 3_600 }),
 * })
 * await accessToken.get() // => 'token-1'
 * ```
 */
export function clientCredentials(options: ClientCredentialsOptions): AccessTokenProvider {
  const settings = checkTokenOptions(options)
  const { clock, timeoutMs } = settings
  let held: Held | undefined
  let failure: Failure | undefined
  let flight: { readonly since: Moment; readonly work: Promise<string> } | undefined
  let replacedSince: Moment | undefined

  const moment = (): Moment => ({ nowMs: clock.now(), monotonicMs: clock.monotonic?.() ?? 0 })
  /** By the clock that says more: one does not run while the machine sleeps, the other may be set. */
  const sinceMs = (then: Moment) =>
    Math.max(Math.abs(clock.now() - then.nowMs), (clock.monotonic?.() ?? 0) - then.monotonicMs)

  function noteFailure(error: ServiceError): void {
    const count = (failure?.count ?? 0) + 1
    const grownMs = Math.min(longestHoldMs, firstHoldMs * 2 ** Math.min(count - 1, 10))
    const holdMs = Math.max(grownMs, Math.min(error.retryAfterMs ?? 0, longestAskedMs))
    failure = { error, since: moment(), holdMs, count }
  }

  async function ask(since: Moment): Promise<string> {
    const { token, lifeMs } = await requestToken(settings)
    held = { token, since, lifeMs: Math.max(shortestLifeMs, lifeMs ?? Number.POSITIVE_INFINITY) }
    failure = undefined
    return token
  }

  /** Shares a request that is under way. One that is over its time limit is left behind: some runtimes drop work without a word. */
  function renew(): Promise<string> {
    if (flight && sinceMs(flight.since) <= timeoutMs) return flight.work
    if (failure && sinceMs(failure.since) < failure.holdMs) return Promise.reject(heldOff(failure, sinceMs))
    const since = moment()
    const work = ask(since).catch((error: unknown) => {
      if (error instanceof ServiceError) noteFailure(error)
      throw error
    })
    const begun = { since, work }
    flight = begun
    const end = () => {
      if (flight === begun) flight = undefined
    }
    work.then(end, end)
    return work
  }

  return {
    get: async () => {
      if (!held) return renew()
      const ageMs = sinceMs(held.since)
      if (ageMs >= held.lifeMs) return renew()
      // The token still holds. A failure is kept in `failure`, and shown once the token has ended.
      if (ageMs >= held.lifeMs - Math.min(renewBeforeMs, held.lifeMs * renewShare)) renew().catch(() => undefined)
      return held.token
    },
    refused: (token) => {
      // Another request with this token was faster: there is a newer one, or it is being asked for.
      if (held?.token !== token) return true
      if (replacedSince && sinceMs(replacedSince) < replaceEveryMs) return false
      replacedSince = moment()
      held = undefined
      return true
    },
  }
}

function heldOff({ error, since, holdMs }: Failure, sinceMs: (then: Moment) => number): ServiceError {
  const waitMs = Math.max(1, Math.ceil(holdMs - sinceMs(since)))
  const message = `${error.message}. It is asked again in ${Math.ceil(waitMs / 1_000)} s`
  return new ServiceError(error.code, message, { outcome: 'not_done', retryAfterMs: waitMs })
}
