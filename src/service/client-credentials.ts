/** Keeps an access token: requests, renews and replaces it, and pauses if the endpoint fails. */
import { ServiceError } from './errors.ts'
import type { AccessTokenProvider } from './options.ts'
import { requestToken } from './token-request.ts'
import { type ClientCredentialsOptions, checkTokenOptions } from './token-settings.ts'

/** A token is renewed this long before it expires, but not before the last fifth of its life. */
const renewBeforeMs = 60_000
const renewShare = 0.2
/** A shorter life would cost a request for each call. A 401 or 403 shows an expired token. */
const shortestLifeMs = 10_000
/** A token that the service refuses is replaced at most this often. */
const replaceEveryMs = 60_000
const firstHoldMs = 2_000
const longestHoldMs = 60_000
/** The longest pause that the endpoint itself can ask for. */
const longestAskedMs = 5 * 60_000

/** A moment by both clocks. */
interface Moment {
  readonly nowMs: number
  readonly monotonicMs: number
}

/** The token in use. */
interface Held {
  readonly token: string
  readonly since: Moment
  readonly lifeMs: number
}

/** The last of `count` failures in a row. No request goes out for `holdMs` after it. */
interface Failure {
  readonly error: ServiceError
  readonly since: Moment
  readonly holdMs: number
  readonly count: number
}

/**
 * The access token by OAuth 2.0 client credentials, for the option `accessToken`.
 *
 * All calls of the process share one token, which is kept in memory. It is renewed before it
 * expires, and replaced when the service answers 401 or 403, at most once a minute. A token
 * endpoint that fails does no harm while the token is valid. It is asked again after 2 s, then
 * after twice as long each time, up to a minute, and never before its `Retry-After`.
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
  /** The larger of both: one clock stops while the machine sleeps, the other may be set. */
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

  /**
   * Requests a token, or shares a request that is under way. A request that has exceeded its
   * timeout is not shared, because some runtimes drop work silently.
   */
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
      // The token is still valid. An error is kept in `failure`, and thrown after the token's end.
      if (ageMs >= held.lifeMs - Math.min(renewBeforeMs, held.lifeMs * renewShare)) renew().catch(() => undefined)
      return held.token
    },
    refused: (token) => {
      // Another request has reported this token already: a newer one is there or on its way.
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
