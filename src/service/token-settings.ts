/** The options of `clientCredentials`, and their check. */
import { PaywindowError } from '../contract/errors.ts'
import { checkNames } from '../contract/option-names.ts'
import { type Clock, systemClock } from './clock.ts'

/**
 * Settings of `clientCredentials`.
 *
 * @example
 * ```ts
 * const options: ClientCredentialsOptions = {
 *   tokenUrl: 'https://service.example/oauth/token',
 *   clientId: 'shop',
 *   clientSecret: process.env.CLIENT_SECRET ?? '',
 *   scope: 'orders',
 * }
 * ```
 */
export interface ClientCredentialsOptions {
  /** Absolute `https` URL of the token endpoint. Plain `http` is accepted for this machine only. */
  readonly tokenUrl: string
  /** Your client's id at the token endpoint. */
  readonly clientId: string
  /** The client's secret. */
  readonly clientSecret: string
  /** Scopes with one space between them. Default: not sent. */
  readonly scope?: string
  /**
   * `basic`: credentials in the header, which OAuth 2.0 demands of every server, and a form as the
   * body. `json`: `client_id` and `client_secret` in a JSON body, for services that accept nothing
   * else. Default `basic`.
   */
  readonly authentication?: 'basic' | 'json'
  /** Milliseconds until the answer to a token request has been read to its end. Default 10,000. */
  readonly timeoutMs?: number
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Default: the machine's own. */
  readonly clock?: Clock
}

/** Options that were checked, with their defaults. */
export type TokenSettings = ClientCredentialsOptions & Required<Omit<ClientCredentialsOptions, 'scope'>>

const names = {
  tokenUrl: 0,
  clientId: 0,
  clientSecret: 0,
  scope: 0,
  authentication: 0,
  timeoutMs: 0,
  fetch: 0,
  clock: 0,
} satisfies Record<keyof ClientCredentialsOptions, 0>

/** @throws PaywindowError `invalid_options` that names the option and never shows its value. */
export function checkTokenOptions(options: ClientCredentialsOptions): TokenSettings {
  checkNames('clientCredentials', options, names)
  const { clientId, clientSecret, scope, authentication = 'basic', timeoutMs = 10_000 } = options
  if (!isCredential(clientId)) throw invalid('clientId must be a text of 1 to 4,096 characters')
  if (!isCredential(clientSecret))
    throw invalid('clientSecret must be a text of 1 to 4,096 characters: is its environment variable set?')
  // RFC 6749, section 3.3.
  if (scope !== undefined && !/^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/.test(scope))
    throw invalid('scope must be words of printable characters with one space between them')
  if (authentication !== 'basic' && authentication !== 'json') throw invalid("authentication must be 'basic' or 'json'")
  // Timers hold 32 bits.
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2_147_483_647)
    throw invalid('timeoutMs must be a whole number from 1 to 2147483647')
  return {
    ...options,
    tokenUrl: checkTokenUrl(options.tokenUrl),
    authentication,
    timeoutMs,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock: options.clock ?? systemClock,
  }
}

/** Whether a credential can be sent. Half of a surrogate pair would arrive altered. */
function isCredential(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4_096 && value.isWellFormed()
}

function checkTokenUrl(value: string): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalid('tokenUrl must be an absolute https URL, such as https://service.example/oauth/token')
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw invalid('tokenUrl must be https: anybody on the way could read the secret. Only localhost may be http')
  if (url.username || url.password)
    throw invalid('tokenUrl must not have a user name or password: use clientId and clientSecret')
  if (url.hash) throw invalid('tokenUrl must not have a fragment')
  return url.href
}

/** Whether a host is this machine. The URL parser has already normalised IPv4 addresses. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', `clientCredentials: ${message}`)
}
