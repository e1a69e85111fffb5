/**
 * What a page tells the widget, and what it is told.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { Clock } from '../checkout/deadline.ts'
import type { ViewKind } from '../checkout/view.ts'
import type { Checkout } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import type { Texts } from '../locales/en.ts'

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

/** What is paid and where. Changing one of these starts over. */
export interface PaywindowTarget {
  /** Where the merchant server is mounted: a path such as `/paywindow`, or an absolute URL. */
  readonly endpoint: string
  /** The merchant's name for the cart. Left out on the page that `handoverUrl` names: it shows what another device handed over. */
  readonly reference?: string | undefined
  /** With `network`: skips the choice. Names as in the merchant's offer. */
  readonly asset?: string | undefined
  readonly network?: string | undefined
}

/** The world, for tests and unusual hosts. Read once, when the widget is mounted. */
interface PaywindowWorld {
  readonly fetch?: typeof fetch | undefined
  readonly clock?: Clock | undefined
  /** Used in place of a private one. */
  readonly queryClient?: QueryClient | undefined
}

export type UsePaywindowOptions = PaywindowTarget & PaywindowCallbacks & PaywindowWorld

/** How it looks and speaks. */
export interface PaywindowLooks {
  /** BCP 47, such as `pt-BR`: numbers, times and direction. Default: the page's own. */
  readonly locale?: string | undefined
  /** Texts to use in place of the built-in English ones. */
  readonly texts?: Partial<Texts> | undefined
  /**
   * Address of a page with the widget and no `reference`, which needs no session of the shop: payers can then go on with their
   * payment on another device. Default: they are not offered to.
   */
  readonly handoverUrl?: string | undefined
  /** Default `auto`: as the device is set. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
}
