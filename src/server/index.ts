/** `paywindow/server`: the merchant server, for every runtime with `Request` and `Response`. */

export type {
  Arrival,
  CartState,
  Checkout,
  EvmPayment,
  HistoryEntry,
  Initial,
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
export type { MerchantPhase } from './core/agreement.ts'
export type { Evidence } from './core/types.ts'
export type { Backlog, Health } from './health/health.ts'
export { healthHandler } from './health/health.ts'
export type { AskedAmount } from './http/asked-amount.ts'
export { fromHeader } from './http/clients.ts'
export type { PageTarget } from './http/initial.ts'
export type { ErrorContext, Occurrence } from './observing/occurrence.ts'
export type { Logger, LogMethod, Telemetry } from './observing/reporting.ts'
export type { MerchantOffer, Method, OfferCallback, PaymentLink, Token } from './offers.ts'
export type { LapsedEvent, PageOptions, PaywindowOptions, StatusEvent } from './options.ts'
export {
  createPaywindow,
  type HtmlOptions,
  type LinkOptions,
  type MadeLink,
  type PaywindowServer,
} from './paywindow.ts'
export { createMemoryStore } from './store/memory.ts'
export type { Due, ListOptions, NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store/store.ts'
export type { MerchantCheckout, MerchantCheckouts } from './views/merchant-view.ts'
