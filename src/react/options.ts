/**
 * What a page tells the widget.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { ReadClocks } from '../checkout/deadline.ts'
import type { Texts } from '../locales/en.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'
import type { PaywindowTarget } from '../session/target.ts'

/** The world, for tests and unusual hosts. Read once, when the widget is mounted. */
interface PaywindowWorld {
  readonly fetch?: typeof fetch | undefined
  readonly clock?: ReadClocks | undefined
  /** Used in place of a private one. */
  readonly queryClient?: QueryClient | undefined
}

/** What the hook is given. */
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
  /** Where payers find help before their order is known: when it cannot be paid, or the shop does not answer. */
  readonly supportUrl?: string | undefined
  /** Offers payers a notification and a short sound when it is paid; their browser asks them when they take it. */
  readonly notify?: boolean | undefined
  /** Leaves the title of the page alone. Default: "✓ Paid" stands there when it is paid while the page is hidden. */
  readonly keepTitle?: boolean | undefined
  /** Default `auto`: as the device is set. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
}
