/**
 * The callbacks of the page, and what keeps their failures away from the payer's screen.
 */
import type { ViewKind } from '../checkout/view.ts'
import type { Checkout } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import { tell } from './tell.ts'
import type { BrowserWindow } from './world.ts'

/**
 * Called whenever another screen is shown. For information only: merchants fulfil on the server.
 *
 * @example
 * ```ts
 * const note = ({ status, checkout }: StatusChange) => `${status} ${checkout?.id ?? ''}`
 * note({ status: 'preparing', checkout: null }) // => 'preparing '
 * ```
 */
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
  /** Called with every failure that matters, including those that the payer does not see. */
  readonly onError?: ((error: PaywindowError) => void) | undefined
}

/** The arguments of each callback. */
interface Details {
  readonly onStatusChange: StatusChange
  readonly onConfirmed: Checkout
  readonly onError: PaywindowError
  /** Of a modal only. */
  readonly onClose: undefined
}

/** The callbacks as a page without types may pass them: whatever is callable is called. */
type Callbacks = { readonly [Name in keyof Details]?: ((detail: Details[Name]) => unknown) | undefined }

/** Calls the callback of this name, and contains whatever the page's code does. */
export type Emit = <Name extends keyof Details>(name: Name, detail: Details[Name]) => void

/**
 * What a callback throws, or rejects with, changes nothing that the payer sees: it goes where the
 * page's own uncaught errors go, so that the merchant's monitoring has it, and `onError` is called
 * with the code `callback_failed` where another one failed.
 *
 * @param callbacks - Those of the moment.
 */
export function createEmit(callbacks: () => Callbacks, window: BrowserWindow): Emit {
  const emit: Emit = (name, detail) => {
    // An executor runs at once, and what it throws rejects like what its promise is rejected with.
    new Promise((resolve) => resolve(callbacks()[name]?.(detail))).catch((cause: unknown) => {
      if (window.reportError) window.reportError(cause)
      else
        window.setTimeout(() => {
          throw cause
        }, 0)
      if (name !== 'onError') emit('onError', new PaywindowError('callback_failed', `${name} failed`, { cause }))
    })
  }
  return emit
}

/** Says what went wrong to the page, and to whoever builds it. */
export function createReport(emit: Emit, window: Pick<BrowserWindow, 'console' | 'location'>) {
  return (error: PaywindowError): void => {
    emit('onError', error)
    tell(window, error.code, error)
  }
}
