/**
 * The options that a page gives the widget.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { ReadClocks } from '../checkout/deadline.ts'
import type { Initial } from '../contract/checkout.ts'
import type { Texts } from '../locales/en.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'
import type { PaywindowTarget } from '../session/target.ts'

interface Drawn {
  /**
   * What `paywindow.open` of the merchant server returned while this page was drawn there: it is
   * shown at once, and the server is asked a few seconds later. Read once. Default: none, and the
   * server is asked at once.
   */
  readonly initial?: Initial | undefined
}

/** The world, for tests and unusual hosts. Read once, when the widget is mounted. */
interface PaywindowWorld {
  /** Asks the merchant server. Default: the window's. */
  readonly fetch?: typeof fetch | undefined
  /** Reads the time. Default: the window's. */
  readonly clock?: ReadClocks | undefined
  /** Default: a private one. */
  readonly queryClient?: QueryClient | undefined
}

/**
 * Options of `usePaywindow`.
 *
 * @example
 * ```ts
 * const options: UsePaywindowOptions = { endpoint: '/paywindow', reference: 'cart-42', asset: 'BTC', network: 'bitcoin' }
 * ```
 */
export type UsePaywindowOptions = PaywindowTarget & PaywindowCallbacks & PaywindowWorld & Drawn

/**
 * Appearance and texts of the widget.
 *
 * @example
 * ```ts
 * const looks: PaywindowLooks = { locale: 'pt-BR', theme: 'auto', notify: true }
 * ```
 */
export interface PaywindowLooks {
  /**
   * BCP 47 tag, such as `pt-BR`, for numbers, times and text direction. Without `texts` only
   * English counts, because the words are English. Default: the page's if that is English, else
   * `en`; with `texts` the browser's.
   */
  readonly locale?: string | undefined
  /** Texts to use in place of the built-in English ones. Default: none. */
  readonly texts?: Partial<Texts> | undefined
  /**
   * URL of a page that has the widget without a `reference` and needs no session of the shop.
   * Payers can then continue their payment on another device. The page of your server takes its
   * place, if its `page` has `url` and `script`. Default: none.
   */
  readonly handoverUrl?: string | undefined
  /**
   * URL where payers find help before their order is known: when it cannot be paid, or the shop
   * does not answer. Default: none.
   */
  readonly supportUrl?: string | undefined
  /**
   * Offers payers a notification and a short sound when it is paid. Their browser asks for
   * permission when they accept. Default false.
   */
  readonly notify?: boolean | undefined
  /**
   * Leaves the page title unchanged. Default: the title is "✓ Paid" when it is paid while the page
   * is hidden.
   */
  readonly keepTitle?: boolean | undefined
  /** Default `auto`: follows the device's setting. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
}
