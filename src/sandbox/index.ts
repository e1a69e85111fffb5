/** Entry `paywindow/sandbox`: the exchange service in memory, with a simulated payer and faults. */
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { quoteLifetimeMs } from '../contract/quote.ts'
export { sandboxArrival } from './arrival.ts'
export type { SandboxClock } from './clock.ts'
export type { Fault, FaultHook } from './faults.ts'
export { type DateTimeForm, defaultSubAccountId, type ExpTimeForm, type SandboxOptions } from './options.ts'
export type { SandboxOrder, Workflow } from './order.ts'
export type { DepositResult, Payer, PayerDeposit } from './payer.ts'
export { seededRandom } from './random.ts'
export { createSandbox, type ForeignOrder, type Sandbox, type SandboxAccess } from './sandbox.ts'
export type { SandboxWallet } from './wallets.ts'
export type {
  SandboxWebhooks,
  WebhookAttempt,
  WebhookEvent,
  WebhookFault,
  WebhookFaultHook,
  WebhookOptions,
  WebhookReceiver,
} from './webhook-types.ts'
