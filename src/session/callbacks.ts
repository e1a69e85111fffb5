/**
 * What a page is told.
 */
import type { ViewKind } from '../checkout/view.ts'
import type { Checkout } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'

/** Told whenever another screen is shown. For information: merchants fulfil on the server. */
export interface StatusChange {
  readonly status: ViewKind
  /** The checkout on the screen, without its key; null while there is none. */
  readonly checkout: Checkout | null
}

/** Callbacks may be written inline: a new function restarts nothing. */
export interface PaywindowCallbacks {
  readonly onStatusChange?: ((change: StatusChange) => void) | undefined
  /** Once per checkout that is paid. For information: merchants fulfil on the server. */
  readonly onConfirmed?: ((checkout: Checkout) => void) | undefined
  /** Every failure that matters, also those that the payer is not shown. */
  readonly onError?: ((error: PaywindowError) => void) | undefined
}
