/** The options of `createPaywindow`, their check, and their defaults. */
import { type Arrival, type OrderStatus, orderStatuses, type Phase, type Price, phases } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import { canonicalNetwork } from '../contract/networks/table.ts'
import { checkNames } from '../contract/option-names.ts'
import { parseArrival } from '../contract/parsers.ts'
import { type Clock, systemClock } from '../service/clock.ts'
import type { ServiceOptions } from '../service/options.ts'
import type { Order } from '../service/types.ts'
import { TimeoutError, within } from '../service/within.ts'
import type { MerchantPhase } from './core/agreement.ts'
import { policy } from './core/policy.ts'
import type { IconFetch } from './icons/icons.ts'
import type { ErrorContext } from './observing/occurrence.ts'
import { createRecentReports, type RecentReports } from './observing/recent-reports.ts'
import { createReporting, type Logger, type Reporting, type Telemetry } from './observing/reporting.ts'
import type { OfferCallback } from './offers.ts'
import type { RandomBytes } from './records/ids.ts'
import type { Store } from './store/store.ts'
import type { MerchantCheckout } from './views/merchant-view.ts'

/**
 * One change of a checkout's status. Each is delivered to the merchant at least once, in order for
 * each checkout.
 *
 * @example
 * ```ts
 * const mayShip = ({ phase, price, alsoPaid }: StatusEvent) =>
 *   phase === 'paid' && price.asset === 'USD' && price.amount === '49.90' && alsoPaid.length === 0
 * ```
 */
export interface StatusEvent {
  /**
   * The same for every delivery of this change, and for no other change: use it as an idempotency
   * key. After a restored backup of the store, later changes come again under other ids: also check
   * your own order's state.
   */
  readonly eventId: string
  readonly reference: string
  /** As `offer` gave it. */
  readonly orderNumber?: string
  /**
   * The price of the quote, as `offer` wrote it for this checkout: `49.90` comes back as `49.90`.
   * Before you fulfil, compare it as text with what your `offer` returns for this order.
   */
  readonly price: Price
  readonly status: OrderStatus
  /** The same as `status` if `checkout.arrival` is the news, or `paid` after `paid_less`. */
  readonly previousStatus: OrderStatus
  /** `paid` only where the service shows no other amount: see `MerchantPhase` and `received`. */
  readonly phase: MerchantPhase
  /** When Paywindow learnt of it, ISO 8601. */
  readonly at: string
  /** The present state; but until it is paid, `arrival` is as first told with this event. */
  readonly checkout: MerchantCheckout
  /** Ids of other checkouts of this cart that are paid too: the payer paid twice. */
  readonly alsoPaid: readonly string[]
}

/**
 * A cart that nobody pays any more.
 *
 * @example
 * ```ts
 * const stock = new Map([['cart-42', 1]])
 * const onLapsed = ({ reference }: LapsedEvent) => void stock.delete(reference)
 * ```
 */
export interface LapsedEvent {
  readonly reference: string
  /** The cart's last quote. The same for each call about it; a later quote can lapse, too. */
  readonly checkoutId: string
  /** When Paywindow found that out, ISO 8601. */
  readonly at: string
}

/**
 * How the page at `{endpoint}/pay` looks.
 *
 * @example
 * ```ts
 * const page: PageOptions = { script: '/paywindow.js', logo: '/logo.svg', accent: '#0a7' }
 * ```
 */
export interface PageOptions {
  /**
   * The page's whole address, which `link` needs: `https://shop.example/paywindow/pay`. Default:
   * none.
   */
  readonly url?: string
  /**
   * Address of `paywindow.js`, which takes the page over. Default: none, a page without scripts.
   */
  readonly script?: string
  /** Address of your logo. Default: none. */
  readonly logo?: string
  /** A colour of CSS: `#0a7`, `oklch(0.6 0.2 250)`. Default: the widget's own. */
  readonly accent?: string
  /** Default `auto`. */
  readonly theme?: 'light' | 'dark' | 'auto'
  /**
   * Which pages may show it in a frame, as in a policy: `https://shop.example`. Default `'none'`.
   */
  readonly frameAncestors?: string
}

/**
 * The options of `createPaywindow`: `service`, `offer` and `store` are needed.
 *
 * @example
 * ```ts
 * const options: PaywindowOptions = {
 *   service: {
 *     baseUrl: 'https://service.example',
 *     accessToken: () => process.env.TOKEN ?? '',
 *     subAccountId: 'sub-1',
 *   },
 *   offer: () => null,
 *   store: createMemoryStore(),
 *   onError: (error, { checkoutId }) => console.error(error.code, checkoutId),
 * }
 * ```
 */
export interface PaywindowOptions {
  /** The exchange service. Give Paywindow a sub-account of its own. */
  readonly service: ServiceOptions
  /**
   * Returns this visitor's offer; null refuses; `'paid'` shows a paid cart from the store. Called
   * for every offer, creation and renewal.
   */
  readonly offer: OfferCallback
  /** Keeps the checkouts durably: a database, or a file that is backed up. */
  readonly store: Store
  /**
   * Called for every change of status, and for later news of the money, until it returns without
   * throwing. Fulfil here, never on a browser event. Without it, changes wait in the store for a
   * process that has it. `null`, if no process has it and you read `checkouts.list` instead, counts
   * changes as delivered. Default: left out.
   */
  readonly onStatusChange?: ((event: StatusEvent) => void | Promise<void>) | null
  /**
   * Called when a cart lapses: all its quotes have ended, and no deposit was seen for an hour. Free
   * its goods here. Called again until it returns, and again if new quotes of the cart lapse. A
   * later deposit is delivered as usual. Needs a watching process with this callback. Default: none.
   */
  readonly onLapsed?: (event: LapsedEvent) => void | Promise<void>
  /** Milliseconds after which a call of a callback counts as failed. Default 30,000. */
  readonly callbackTimeoutMs?: number
  /**
   * Called with every error that a person may want to look at. Carries no secret. `message` is one
   * printable line, whatever the service or a browser put into it; `cause` is as it was thrown.
   * Default, unless there is a `logger`: a line on the error output.
   */
  readonly onError?: (error: PaywindowError, context: ErrorContext) => void
  /**
   * Your log, as pino has it. Gets the changes of checkouts, the errors of `onError`, and at
   * `debug` each request to the service, with the fields of an `Occurrence`. No secrets, and
   * nothing of payers. Default: none.
   */
  readonly logger?: Logger
  /** Metrics and traces: `openTelemetry()` of `paywindow/opentelemetry` or yours. Default: none. */
  readonly telemetry?: Telemetry
  /**
   * Origins of other sites that may use this endpoint from a browser: `https://shop.example`, or
   * `capacitor://localhost` of an app. Default: none.
   */
  readonly allowedOrigins?: readonly string[]
  /** This server's origin for browsers, where a proxy changes the host. Default: the request's. */
  readonly publicOrigin?: string
  /**
   * Names the client of a request, for limits: an address, an account.
   * `fromHeader('x-forwarded-for', { trustedHops: 1 })` trusts a header; no other header is
   * believed. Default: the socket's address with `toNodeListener` and `listen`, else all clients
   * are one.
   */
  readonly clientKey?: ((request: Request) => string | undefined) | undefined
  /** New checkouts and refused creations that a client may cause in 10 minutes. Default 30. */
  readonly creationsPerClient?: number
  /** Checkouts a cart may have in an hour, and requests to create one. Default 20. */
  readonly creationsPerCart?: number
  /**
   * The most requests a second to the service, of all processes on the store together; all may go
   * out at once. Creations come first, then orders that change soon, then the rest. Set the same in
   * each process, from 1 to 1,000. Default 20.
   */
  readonly serviceRequestsPerSecond?: number
  /**
   * True with the sandbox or a test account: test addresses are accepted, and every payer is warned
   * not to send money. Default false.
   */
  readonly test?: boolean
  /** Looks and scripts of the page at `{endpoint}/pay`. Default: none. */
  readonly page?: PageOptions
  /**
   * Signs payment links: 32 or more random characters, the same in each process. A changed secret
   * ends all links, unless the old one stays in the list: the first signs, and all verify. Default:
   * none.
   */
  readonly linkSecret?: string | readonly string[]
  /**
   * The secret of `webhook`: 16 to 256 letters, digits, `-`, `.`, `_` or `~`, because it may stand
   * in a path. Make it at random. Default: none, and `webhook` answers 404.
   */
  readonly webhookSecret?: string
  /** Meanings. Default: `open` waiting, `pending` seen, `confirmed` paid, `canceled` ended. */
  readonly phases?: Partial<Record<OrderStatus, Phase>>
  /**
   * Reads the arrived money out of the service's own words, such as `message`. Payers see only its
   * result, never the words. Return null if they say nothing: then payers see amounts and coins
   * that differ from the requested ones. Called at every look, so it has to be quick. Default:
   * none.
   */
  readonly readArrival?: (order: Order) => Arrival | null
  /** Networks that use tags, but on which your account needs none. Default: none. */
  readonly tagOptionalOn?: readonly string[]
  /** Sent as `pool_balance`. The interface does not say what it means. Default: not sent. */
  readonly poolBalance?: boolean
  /**
   * Fetches asset icons; must follow no redirects. Default: under Node from public addresses only,
   * else the global `fetch`.
   */
  readonly iconFetch?: IconFetch | undefined
  /** Source of ids and secrets. Set it only in simulations that repeat. Default: the platform's. */
  readonly randomBytes?: RandomBytes
  /** Default: the service's clock option, else the machine's own. */
  readonly clock?: Clock
}

type Count = 'creationsPerClient' | 'creationsPerCart' | 'callbackTimeoutMs' | 'serviceRequestsPerSecond'
type WithDefault = Pick<PaywindowOptions, Count | 'clock' | 'test' | 'allowedOrigins' | 'tagOptionalOn'>

/** Options that were checked, with their defaults. */
export interface Settings extends Omit<PaywindowOptions, keyof WithDefault>, Required<WithDefault>, Reporting {
  readonly phaseOf: Readonly<Record<OrderStatus, Phase>>
  /** In test mode: the reports that a page shows its developer. */
  readonly recentReports: RecentReports | undefined
}

const defaultPhases: Readonly<Record<OrderStatus, Phase>> = {
  open: 'waiting',
  pending: 'seen',
  confirmed: 'paid',
  canceled: 'ended',
}

/** All options, so that a misspelt one is refused. */
// biome-ignore format: names need no line each
export const optionNames = {
  service: 0, offer: 0, store: 0, onStatusChange: 0, onLapsed: 0, callbackTimeoutMs: 0, onError: 0, logger: 0,
  telemetry: 0, allowedOrigins: 0, publicOrigin: 0, clientKey: 0, creationsPerClient: 0,
  creationsPerCart: 0, serviceRequestsPerSecond: 0, test: 0, page: 0, linkSecret: 0, webhookSecret: 0, phases: 0,
  readArrival: 0, tagOptionalOn: 0, poolBalance: 0, iconFetch: 0, randomBytes: 0, clock: 0,
} satisfies Record<keyof PaywindowOptions, 0>

/** @throws PaywindowError `invalid_options` naming the option. */
export function checkOptions(options: PaywindowOptions): Settings {
  checkForm(options)
  const clock = options.clock ?? options.service?.clock ?? systemClock
  const recentReports = options.test ? createRecentReports(() => clock.now()) : undefined
  return {
    ...options,
    ...createReporting(options, recentReports),
    recentReports,
    clock,
    test: options.test ?? false,
    phaseOf: { ...defaultPhases, ...options.phases },
    allowedOrigins: (options.allowedOrigins ?? []).map((origin) => checkOrigin(origin, 'allowedOrigins')),
    ...(options.publicOrigin !== undefined && { publicOrigin: checkOrigin(options.publicOrigin, 'publicOrigin') }),
    creationsPerClient: count(options, 'creationsPerClient', 30),
    creationsPerCart: count(options, 'creationsPerCart', 20),
    callbackTimeoutMs: count(options, 'callbackTimeoutMs', 30_000),
    serviceRequestsPerSecond: count(options, 'serviceRequestsPerSecond', 20, 1_000),
    tagOptionalOn: (options.tagOptionalOn ?? []).map(canonicalNetwork),
  }
}

function checkForm(options: PaywindowOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('createPaywindow needs options: service, offer and store')
  checkNames('createPaywindow', options, optionNames)
  const { offer, onStatusChange, store, webhookSecret, linkSecret, page } = options
  if ([linkSecret ?? []].flat().some((secret) => typeof secret !== 'string' || secret.length < 32))
    throw invalid('linkSecret must have 32 characters or more, made at random: openssl rand -hex 32')
  if (page !== undefined) checkPage(page)
  for (const name of ['test', 'poolBalance'] as const)
    if (!['boolean', 'undefined'].includes(typeof options[name])) throw invalid(`${name} must be true or false`)
  for (const name of ['onLapsed', 'onError', 'clientKey', 'readArrival', 'iconFetch', 'randomBytes'] as const)
    if (!isFunctionOrNone(options[name])) throw invalid(`${name} must be a function`)
  for (const name of ['allowedOrigins', 'tagOptionalOn'] as const)
    if (options[name] !== undefined && !Array.isArray(options[name])) throw invalid(`${name} must be a list`)
  if (typeof offer !== 'function') throw invalid('offer must be a function')
  if (!isFunctionOrNone(onStatusChange))
    throw invalid('onStatusChange must be a function; null where no process of this shop has one')
  if (typeof store?.replace !== 'function')
    throw invalid(
      'store is missing: createMemoryStore in tests, else a durable one of paywindow/server/node, paywindow/server/postgres, paywindow/server/redis or paywindow/server/d1',
    )
  for (const [status, phase] of Object.entries(options.phases ?? {})) {
    if (!orderStatuses.some((each) => each === status))
      throw invalid(`phases.${status} is no status. There are ${orderStatuses.join(', ')}`)
    if (phase !== undefined && !phases.includes(phase))
      throw invalid(`phases.${status} must be one of ${phases.join(', ')}`)
  }
  if (webhookSecret !== undefined && (typeof webhookSecret !== 'string' || !/^[\w.~-]{16,256}$/.test(webhookSecret)))
    throw invalid(
      "webhookSecret must have 16 to 256 letters, digits, '-', '.', '_' or '~', made at random: openssl rand -hex 24",
    )
}

/** A text in a policy or a style must not end it. */
function checkPage(page: PageOptions): void {
  if (typeof page !== 'object' || page === null) throw invalid("page must be an object: { script: '/paywindow.js' }")
  checkNames('page', page, { url: 0, script: 0, logo: 0, accent: 0, theme: 0, frameAncestors: 0 })
  if (page.url !== undefined && !/^https?:\/\/.+\/pay\/?$/.test(page.url))
    throw invalid('page.url must be the whole address of the page: https://shop.example/paywindow/pay')
  for (const name of ['script', 'logo'] as const)
    if (page[name] !== undefined && !URL.canParse(page[name], 'https://shop.example'))
      throw invalid(`page.${name} must be an address, such as /paywindow.js`)
  if (page.accent !== undefined && !/^[\w#%.,()/ -]{1,100}$/.test(page.accent))
    throw invalid('page.accent must be a colour, such as #0a7')
  if (page.theme !== undefined && !['light', 'dark', 'auto'].includes(page.theme))
    throw invalid('page.theme must be light, dark or auto')
  if (page.frameAncestors !== undefined && !/^[\w:/.*' -]{1,2000}$/.test(page.frameAncestors))
    throw invalid('page.frameAncestors must be origins, as in a policy: https://shop.example')
}

/**
 * The merchant's `offer` with a time limit. Rejects with `callback_failed` where it throws, and
 * with `service_unavailable` where it does not return in time, which is reported.
 */
export function offerInTime({ offer, report, clock }: Settings): OfferCallback {
  return async (query) => {
    try {
      return await within(clock, policy.creation.offerMs, async () => offer(query))
    } catch (error) {
      if (error instanceof PaywindowError) throw error
      if (!(error instanceof TimeoutError)) {
        const thrown = error instanceof Error ? error.name : 'something that is no Error'
        throw new PaywindowError('callback_failed', `offer threw ${thrown}: see its cause`, { cause: error })
      }
      const what = `offer did not return within ${policy.creation.offerMs} ms`
      report(new PaywindowError('callback_failed', what, { cause: error }), { reference: query.reference })
      throw new PaywindowError('service_unavailable', 'The shop does not answer: ask again', { retryAfterMs: 5_000 })
    }
  }
}

/**
 * The merchant's `readArrival`. An error or a wrong result is reported once, and counts as null.
 */
export function arrivalReader({ readArrival, report }: Settings): ((order: Order) => Arrival | null) | undefined {
  if (!readArrival) return undefined
  let hasFailed = false
  return (order) => {
    try {
      const read: unknown = readArrival(order) ?? null
      // Nobody waits for a promise; its rejection must not end the process.
      if (read instanceof Promise) read.catch(() => undefined)
      return read === null ? null : parseArrival(read, 'what readArrival returned')
    } catch (cause) {
      const what = `readArrival failed for order ${order.id}: see its cause`
      if (!hasFailed) report(new PaywindowError('callback_failed', what, { cause }), {})
      hasFailed = true
      return null
    }
  }
}

function isFunctionOrNone(value: unknown): boolean {
  return typeof value === 'function' || value === undefined || value === null
}

function checkOrigin(value: string, name: string): string {
  const url = URL.parse(value)
  // Not `url.origin`, which is null for apps such as capacitor://localhost.
  if (!url?.host || value !== `${url.protocol}//${url.host}`)
    throw invalid(`${name}: ${JSON.stringify(value)} is not an origin such as https://shop.example`)
  return value
}

/** @param most - Default: the 32 bits of a timer. */
function count(options: Pick<PaywindowOptions, Count>, name: Count, byDefault: number, most = 2_147_483_647): number {
  const value = options[name] ?? byDefault
  if (!Number.isInteger(value) || value < 1 || value > 2_147_483_647)
    throw invalid(`${name} must be a whole number of 1 or more`)
  if (value > most) throw invalid(`${name} must be at most ${most}`)
  return value
}

/** An error about options. */
export function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', message)
}
