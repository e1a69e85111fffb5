/** What has happened, in flat fields, as the merchant's log and metrics learn it. */
import type { OrderStatus, Phase } from '../../contract/checkout.ts'
import type { PaywindowErrorCode } from '../../contract/errors.ts'
import type { RequestReport } from '../../service/types.ts'
import type { Evidence } from '../records/types.ts'

/** Which checkout. Not which cart: whoever knows a signed reference opens it. */
interface About {
  readonly checkoutId: string
}

/** What a written record says that the one before it did not. */
export type Change = About &
  (
    | { readonly kind: 'checkout_created'; readonly asset: string; readonly network: string }
    | { readonly kind: 'instructions_received' }
    /** `afterMs` is since the order was requested. */
    | {
        readonly kind: 'order_bound'
        readonly orderId: string
        readonly evidence: Evidence
        readonly isProvisional: boolean
        readonly afterMs: number
      }
    | { readonly kind: 'order_released'; readonly orderId: string }
    /** `afterMs` is since the order was requested. */
    | {
        readonly kind: 'status_changed'
        readonly orderId: string | null
        readonly status: OrderStatus
        readonly previousStatus: OrderStatus
        readonly phase: Phase
        readonly previousPhase: Phase
        readonly afterMs: number
      }
    /** `onStatusChange` has accepted it; `afterMs` is since Paywindow learnt of the change. */
    | {
        readonly kind: 'change_delivered'
        readonly eventId: string
        readonly status: OrderStatus
        readonly afterMs: number
      }
  )

/** An error that `onError` was called with. Of its cause only the name and code: its words are others', and may hold secrets. */
interface ErrorReported {
  readonly kind: 'error'
  readonly code: PaywindowErrorCode
  /** One printable line. */
  readonly message: string
  readonly checkoutId?: string
  readonly incident?: string
  readonly causeName?: string
  readonly causeCode?: string
  /** Where the merchant's own code threw: `readCart (/shop/carts.js:12:9)`. */
  readonly causeAt?: string
}

/**
 * Something that has happened. Holds no secrets and nothing of a payer: no deposit address, no client's address. `kind` says what; times end
 * in `Ms`. Names and ids may be the texts of others, which the logger gets escaped. More kinds may come.
 *
 * @example
 * ```ts
 * const isPaid = (occurrence: Occurrence) => occurrence.kind === 'status_changed' && occurrence.phase === 'paid'
 * isPaid({ kind: 'instructions_received', checkoutId: 'c-1' }) // => false
 * ```
 */
export type Occurrence = Change | ErrorReported | ({ readonly kind: 'service_request' } & RequestReport)
