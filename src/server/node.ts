/** `paywindow/server/node`: the merchant server with what Node adds: a durable store, a listener, the client's address. */
import { checkNames } from '../contract/option-names.ts'
import { optionNames } from './check-options.ts'
import { fromHeader, ownAddress } from './http/from-header.ts'
import { type Listening, listen } from './http/listen.ts'
import { toNodeListener } from './http/node-listener.ts'
import { publicFetch } from './icons/public-fetch.ts'
import type { PaywindowOptions } from './options.ts'
import { createPaywindow as createServer, type PaywindowServer } from './paywindow.ts'
import { createSqliteStore, defaultStorePath } from './store/sqlite.ts'
import type { Store } from './store/store.ts'

export type {
  CartState,
  Checkout,
  HistoryEntry,
  KeyedCheckout,
  Merchant,
  Offer,
  OrderStatus,
  Phase,
  Price,
} from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { clientCredentials } from '../service/client-credentials.ts'
export type { AccessTokenProvider } from '../service/options.ts'
export type { ClientCredentialsOptions } from '../service/token-settings.ts'
export type { RequestReport } from '../service/types.ts'
export type { Backlog, Health } from './health/health.ts'
export { healthHandler } from './health/health-handler.ts'
export type { Logger, LogMethod } from './observing/logging.ts'
export type { Occurrence } from './observing/occurrence.ts'
export type { Telemetry } from './observing/telemetry.ts'
export type { MerchantOffer, Method, OfferCallback } from './offers.ts'
export type { ErrorContext, PaywindowOptions, StatusEvent } from './options.ts'
export type { PaywindowServer } from './paywindow.ts'
export type { Evidence } from './records/types.ts'
export { createMemoryStore } from './store/memory.ts'
export type { Due, ListOptions, NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store/store.ts'
export type { MerchantCheckouts } from './views/merchant-checkouts.ts'
export type { MerchantCheckout } from './views/merchant-view.ts'
export { createSqliteStore, fromHeader, type Listening, listen, toNodeListener }

/**
 * The options of `paywindow/server`, with an optional store.
 *
 * @example
 * ```ts
 * const options: NodePaywindowOptions = { service: createSandbox().access, offer: () => null, storePath: ':memory:' }
 * ```
 */
export type NodePaywindowOptions = Omit<PaywindowOptions, 'store'> & {
  /** Default: SQLite at `storePath`. */
  readonly store?: Store
  /** File of the SQLite store. Default `.paywindow/paywindow.sqlite` below the working directory. */
  readonly storePath?: string
}

/**
 * Creates the merchant server on a SQLite store, with limits by the socket's address.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 *
 * @example
 * ```ts
 * const paywindow = createPaywindow({ service: createSandbox().access, offer: () => null, storePath: ':memory:' })
 * const listener = toNodeListener(paywindow)
 * await paywindow.close() // => []
 * ```
 */
export function createPaywindow(options: NodePaywindowOptions): PaywindowServer {
  const { storePath = defaultStorePath, ...rest }: NodePaywindowOptions = { ...options }
  checkNames('createPaywindow', rest, { ...optionNames, storePath: 0 })
  return createServer({
    ...rest,
    clientKey: rest.clientKey ?? ownAddress,
    iconFetch: rest.iconFetch ?? publicFetch,
    store: rest.store ?? createSqliteStore(storePath),
  })
}
