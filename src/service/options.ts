/** The options of a client, and their check. */
import { PaywindowError } from '../contract/errors.ts'
import { checkNames } from '../contract/option-names.ts'
import { type Clock, systemClock } from './clock.ts'
import { readsExactNumbers } from './json.ts'

/**
 * A source of access tokens that decides by itself when to get a new token, such as
 * `clientCredentials`.
 *
 * @example
 * ```ts
 * const provider: AccessTokenProvider = { get: async () => 'token-1', refused: () => false }
 * ```
 */
export interface AccessTokenProvider {
  /**
   * Resolves with the token to send: printable ASCII without spaces. Called for every request, so
   * it has to be quick while a token is valid.
   */
  get(): Promise<string>
  /**
   * Called when the service answered 401 or 403 to this token. Returns whether to send the request
   * once more, with a token that `get` gives then.
   */
  refused(token: string): boolean
}

/**
 * Settings of `createServiceClient`.
 *
 * @example
 * ```ts
 * const options: ServiceOptions = { ...createSandbox().access, timeoutMs: 5_000, retries: 0 }
 * ```
 */
export interface ServiceOptions {
  /**
   * Absolute `http(s)` URL of the service, with a path prefix if it has one:
   * `https://api.example.com`.
   */
  readonly baseUrl: string
  /**
   * The bearer token, a function that obtains one, or `clientCredentials`. The function is called
   * for the first request and after each 401 or 403. Its result is kept in memory.
   */
  readonly accessToken: string | (() => string | Promise<string>) | AccessTokenProvider
  /** The sub-account on which orders are created. It is sent with every request. */
  readonly subAccountId: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The clock of all timeouts, pauses and time stamps. Default: the machine's own. */
  readonly clock?: Clock
  /** A number from 0 up to 1, for jitter. Default: `Math.random`. */
  readonly random?: () => number
  /** Milliseconds until the answer to a request has been read to its end. Default 15,000. */
  readonly timeoutMs?: number
  /** The most bytes of an answer. Default 1 MiB. */
  readonly maxAnswerBytes?: number
  /**
   * How often a GET is sent again after a timeout, a broken connection, 429 or 5xx. Default 2. POST
   * and DELETE are never sent again. The merchant server does not use this option: it schedules
   * repeats within its budget of requests.
   */
  readonly retries?: number
}

/** Options that were checked, with their defaults. `baseUrl` ends without a slash. */
export type ServiceSettings = Required<ServiceOptions>

const names = {
  baseUrl: 0,
  accessToken: 0,
  subAccountId: 0,
  fetch: 0,
  clock: 0,
  random: 0,
  timeoutMs: 0,
  maxAnswerBytes: 0,
  retries: 0,
} satisfies Record<keyof ServiceOptions, 0>

/** @throws PaywindowError `invalid_options` that names the option and never shows its value. */
export function checkOptions(options: ServiceOptions): ServiceSettings {
  checkNames('service', options, names)
  const missing = (['baseUrl', 'accessToken', 'subAccountId'] as const).filter((name) => options[name] === undefined)
  if (missing.length > 0)
    throw invalid(
      `${missing.join(', ')} of the service: missing. If they come from the environment, are its variables set?`,
    )
  const { accessToken, subAccountId } = options
  if (typeof accessToken !== 'function' && !isProvider(accessToken) && !isHeaderToken(accessToken)) {
    throw invalid(
      'accessToken must be a text of printable characters without spaces, a function that returns one, or clientCredentials({ … })',
    )
  }
  if (!isHeaderToken(subAccountId)) throw invalid('subAccountId must be a text of printable characters without spaces')
  if (!readsExactNumbers()) {
    throw invalid('This runtime cannot read JSON numbers exactly: Node 22.13 or later is needed')
  }
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    accessToken,
    subAccountId,
    // A wrapper, because some runtimes throw "Illegal invocation" for `settings.fetch(…)`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? 15_000, 1),
    maxAnswerBytes: wholeNumber('maxAnswerBytes', options.maxAnswerBytes ?? 1_048_576, 1),
    retries: wholeNumber('retries', options.retries ?? 2, 0),
  }
}

/** Whether a header can have this text: printable ASCII, no spaces, at most 8,192 characters. */
export function isHeaderToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,8192}$/.test(value)
}

/** Whether the option `accessToken` is an object that provides tokens. */
export function isProvider(value: unknown): value is AccessTokenProvider {
  return (
    typeof value === 'object' &&
    value !== null &&
    'get' in value &&
    typeof value.get === 'function' &&
    'refused' in value &&
    typeof value.refused === 'function'
  )
}

function checkBaseUrl(value: string): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw invalid('baseUrl must be an absolute http(s) URL')
  if (url.username || url.password) throw invalid('baseUrl must not have a user name or password')
  if (url.search || url.hash) throw invalid('baseUrl must not have a query or fragment')
  return url.href.replace(/\/+$/, '')
}

function wholeNumber(name: string, value: number, least: number): number {
  // Timers hold 32 bits: a longer timeout would fire at once.
  if (!Number.isInteger(value) || value < least || value > 2_147_483_647) {
    throw invalid(`${name} must be a whole number from ${least} to 2147483647`)
  }
  return value
}

function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', message)
}
