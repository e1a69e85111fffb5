/** The options of `createPaywindow`, and what is made of them: check-options.ts. */
import type { OrderStatus, Phase, Price } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import type { Clock } from '../service/clock.ts'
import type { ServiceOptions } from '../service/options.ts'
import type { IconFetch } from './icons/icon-load.ts'
import type { Logger } from './observing/logging.ts'
import type { Occurrence } from './observing/occurrence.ts'
import type { RecentReports } from './observing/recent-reports.ts'
import type { Telemetry } from './observing/telemetry.ts'
import type { OfferCallback } from './offers.ts'
import type { RandomBytes } from './records/ids.ts'
import type { MerchantPhase } from './records/received.ts'
import type { Store } from './store/store.ts'
import type { MerchantCheckout } from './views/merchant-view.ts'

/**
 * One change of a checkout's status, as it is delivered to the merchant: at least once, in order per checkout.
 *
 * @example
 * ```ts
 * const mayShip = ({ phase, price, alsoPaid }: StatusEvent) =>
 *   phase === 'paid' && price.asset === 'USD' && price.amount === '49.90' && alsoPaid.length === 0
 * ```
 */
export interface StatusEvent {
  /**
   * The same for every try at delivering this change, and of no other change: use it as an idempotency key. After a backup of the store
   * was restored, a change that was delivered since is delivered again under another id: also check your own order's state.
   */
  readonly eventId: string
  readonly reference: string
  /**
   * The price of the quote, as `offer` wrote it for this checkout: `49.90` comes back as `49.90`. Compare it as text with what your code gives
   * `offer` for this order before you fulfil.
   */
  readonly price: Price
  readonly status: OrderStatus
  readonly previousStatus: OrderStatus
  /**
   * `paid` only where nothing that the service shows differs from what was asked for: see `MerchantPhase`, and `checkout.received`.
   */
  readonly phase: MerchantPhase
  /** When Paywindow learnt of it, ISO 8601. */
  readonly at: string
  readonly checkout: MerchantCheckout
  /** Ids of other checkouts of this cart that are paid too: the payer paid twice. */
  readonly alsoPaid: readonly string[]
}

/**
 * Where an error came from, as far as that is known.
 *
 * @example
 * ```ts
 * const place = ({ checkoutId, reference }: ErrorContext) => checkoutId ?? reference ?? 'no checkout'
 * place({ reference: 'cart-42' }) // => 'cart-42'
 * ```
 */
export interface ErrorContext {
  readonly checkoutId?: string
  readonly reference?: string
  /** The six letters and digits that the payer was shown, and was asked to give the shop. */
  readonly incident?: string
}

/**
 * What `createPaywindow` is called with: `service`, `offer` and `store` are needed.
 *
 * @example
 * ```ts
 * const options: PaywindowOptions = {
 *   service: { baseUrl: 'https://service.example', accessToken: () => process.env.TOKEN ?? '', subAccountId: 'sub-1' },
 *   offer: () => null,
 *   store: createMemoryStore(),
 *   onError: (error, { checkoutId }) => console.error(error.code, checkoutId),
 * }
 * ```
 */
export interface PaywindowOptions {
  /** The exchange service. Give Paywindow a sub-account of its own. */
  readonly service: ServiceOptions
  /** What this visitor may pay under a reference; null refuses. Runs on every offer, creation and renewal. */
  readonly offer: OfferCallback
  /** Where checkouts are kept, which has to last: a database, or a file that is backed up. */
  readonly store: Store
  /**
   * Called for every change of status until it returns without throwing. Fulfil here, never on a browser event. Left out in a
   * process that has no such code: changes wait in the store for a process that has. `null` where no process has any and you read
   * `checkouts.list` instead: changes count as delivered. Default: left out.
   */
  readonly onStatusChange?: ((event: StatusEvent) => void | Promise<void>) | null
  /** Milliseconds a call of `onStatusChange` may take; after that it has failed and is repeated later. Default 30,000. */
  readonly callbackTimeoutMs?: number
  /**
   * Called with everything that went wrong and that a person may want to look at. Carries no secret. `message` is one printable line,
   * whatever the service or a browser put into it; `cause` is as it was thrown. Default, unless there is a `logger`: a line on the error output.
   */
  readonly onError?: (error: PaywindowError, context: ErrorContext) => void
  /**
   * Your log, as pino has it. Gets what happens to checkouts, what `onError` gets, and at `debug` each request to the service, with the
   * fields of an `Occurrence`. No secrets, and nothing of payers. Default: none.
   */
  readonly logger?: Logger
  /** Metrics and traces: `openTelemetry()` of `paywindow/opentelemetry`, or your own. Default: none. */
  readonly telemetry?: Telemetry
  /** Origins of other sites that may use this endpoint from a browser: `https://shop.example`, or `capacitor://localhost` of an app. Default: none. */
  readonly allowedOrigins?: readonly string[]
  /** This server's own origin as browsers see it, where a proxy in front changes the host. Default: the request's. */
  readonly publicOrigin?: string
  /**
   * Names the client of a request, for limits: an address, an account. Default: the socket's address with `toNodeListener` and `listen`,
   * else all clients are one. Forwarded headers are not believed unless you name one: behind a proxy
   * `clientKey: fromHeader('x-forwarded-for', { trustedHops: 1 })`.
   */
  readonly clientKey?: ((request: Request) => string | undefined) | undefined
  /** New checkouts a client may cause in 10 minutes, and creations that the service refused. Default 30. */
  readonly creationsPerClient?: number
  /** Checkouts a cart may have in an hour, and requests to create one. Default 20. */
  readonly creationsPerCart?: number
  /**
   * Requests that all processes on the store send the service in a second together, at most: they share them by what each needs. As many
   * may go out at once after a pause. Creations come first, then what payers wait for, then the watcher. The same in each process.
   * From 1 to 1,000. Default 20.
   */
  readonly serviceRequestsPerSecond?: number
  /** True with the sandbox or a test account: test addresses are accepted, and every payer is warned not to send money. Default false. */
  readonly test?: boolean
  /**
   * The secret of `webhook`: 16 to 256 letters, digits, `-`, `.`, `_` or `~`, because it may stand in a path. Make it at random. Default: none,
   * and `webhook` answers 404.
   */
  readonly webhookSecret?: string
  /** How a status is read. Default: `open` waiting, `pending` seen, `confirmed` paid, `canceled` ended. */
  readonly phases?: Partial<Record<OrderStatus, Phase>>
  /** Networks on which your account gets deposits without a tag although others need one. Default: none. */
  readonly tagOptionalOn?: readonly string[]
  /** Sent as `pool_balance`. The interface does not say what it means. Default: not sent. */
  readonly poolBalance?: boolean
  /** Fetches asset icons; follow no redirects. Default: under Node from public addresses only, else the global `fetch`. */
  readonly iconFetch?: IconFetch | undefined
  /** Where ids and secrets come from. Set it in simulations that have to repeat and nowhere else. Default: the platform's. */
  readonly randomBytes?: RandomBytes
  /** Default: the service's clock option, else the machine's own. */
  readonly clock?: Clock
}

/** Options that were checked, with their defaults. */
export interface Settings extends PaywindowOptions {
  readonly clock: Clock
  readonly test: boolean
  readonly phaseOf: Readonly<Record<OrderStatus, Phase>>
  readonly allowedOrigins: readonly string[]
  readonly creationsPerClient: number
  readonly creationsPerCart: number
  readonly callbackTimeoutMs: number
  readonly serviceRequestsPerSecond: number
  readonly tagOptionalOn: readonly string[]
  readonly report: (error: PaywindowError, context: ErrorContext) => void
  /** Passes on what has happened; never throws. Undefined where nobody listens. */
  readonly note: ((occurrence: Occurrence) => void) | undefined
  /** In test mode: what a page tells its developer. */
  readonly recentReports: RecentReports | undefined
}
