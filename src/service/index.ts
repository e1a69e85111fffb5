/** Entry `paywindow/service`: a typed client of the exchange service, for servers. */
export type { OrderStatus } from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { createServiceClient } from './client.ts'
export { clientCredentials } from './client-credentials.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  readServiceEnvironment,
  type ServiceEnvironment,
  type ServiceVariable,
  serviceVariables,
} from './environment.ts'
export { ServiceError, type ServiceErrorCode } from './errors.ts'
export type { AccessTokenProvider, ServiceOptions } from './options.ts'
export type { ClientCredentialsOptions } from './token-settings.ts'
export type {
  AssetDescriptor,
  DepositInstructions,
  Order,
  OrderPage,
  OrderQuery,
  OrderRequest,
  ServiceClient,
  Timing,
  Wallet,
  WalletRequest,
} from './types.ts'
