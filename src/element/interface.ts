/**
 * Attributes and events of `<pay-window>`, for compilers and editors. scripts/manifest.ts makes the
 * custom-elements manifest of it.
 */
import type { Checkout } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import type { StatusChange } from '../session/callbacks.ts'

/**
 * The attributes of `<pay-window>`.
 *
 * @example
 * ```ts
 * const attributes: PaywindowAttributes = { endpoint: '/paywindow', reference: 'cart-42', 'keep-title': '' }
 * ```
 */
export interface PaywindowAttributes {
  /** Path or URL where the server is mounted. Required. */
  endpoint?: string | undefined
  /**
   * Your name for the cart in its present state. Without one the element shows the payment from
   * another device's link.
   */
  reference?: string | undefined
  /** The coin, which skips the choice. Default: the payer chooses. */
  asset?: string | undefined
  /** The network of the coin. */
  network?: string | undefined
  /** Language, number and time formats, and direction. Default: the page's `lang`. */
  locale?: string | undefined
  /** Default: `auto`. */
  theme?: 'light' | 'dark' | 'auto' | undefined
  /** Your page for other devices. */
  'handover-url'?: string | undefined
  /** Your help page for payments that cannot start. */
  'support-url'?: string | undefined
  /**
   * Offers the payer a notification and a sound when the order is paid. The text does not matter,
   * so that `false` would set it too.
   */
  notify?: '' | true | undefined
  /** Leaves the page's title alone. The text does not matter, so that `false` would set it too. */
  'keep-title'?: '' | true | undefined
}

/**
 * The events of `<pay-window>`. They bubble, out of shadow roots too. For information only: never
 * fulfil an order on one of them.
 *
 * @example
 * ```ts
 * const thank = ({ detail }: PaywindowEventMap['paywindow:confirmed']) => console.log(detail.id)
 * document.createElement('div').addEventListener('paywindow:confirmed', (event) => thank(event as CustomEvent))
 * ```
 */
export interface PaywindowEventMap {
  /** Another screen is shown. */
  'paywindow:status': CustomEvent<StatusChange>
  /** The order is paid. */
  'paywindow:confirmed': CustomEvent<Checkout>
  /** A failure that matters, with its `code`. */
  'paywindow:error': CustomEvent<PaywindowError>
  /** The modal was closed. */
  'paywindow:close': CustomEvent<null>
}

/** An element whose listeners know what an event brings. */
export interface EventfulElement extends HTMLElement {
  addEventListener<Name extends keyof PaywindowEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: PaywindowEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: HTMLElementEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
  removeEventListener<Name extends keyof PaywindowEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: PaywindowEventMap[Name]) => void,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: HTMLElementEventMap[Name]) => void,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void
}
