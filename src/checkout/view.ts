/**
 * What the payer sees, as one union: an invalid state, such as paid and expired, cannot be written
 * down. No fetch, timer, DOM or React here, so that every rule about money and expiry can be tested
 * as a table.
 */
import type { Checkout, Offer } from '../contract/checkout.ts'
import type { PaywindowError, PaywindowErrorCode } from '../contract/errors.ts'
import { own } from '../contract/parse.ts'
import type { ShownCheckout } from './shown-checkout.ts'

/**
 * One screen of the widget. Only `waiting` asks for money.
 *
 * @example
 * ```ts
 * function payable(view: View): boolean {
 *   return view.kind === 'waiting'
 * }
 * payable({ kind: 'preparing' }) // => false
 * ```
 */
export type View =
  /** The checkout is being asked for. */
  | { readonly kind: 'preparing' }
  /** There are several ways to pay and none is chosen. */
  | { readonly kind: 'choosing'; readonly offer: Offer }
  /** Address, amount and time left: the payer can send. */
  | { readonly kind: 'waiting'; readonly checkout: Checkout }
  /** The quote is over; late deposits are still watched for. */
  | { readonly kind: 'expired'; readonly checkout: Checkout }
  /** A deposit was seen and is not final yet. */
  | { readonly kind: 'seen'; readonly checkout: Checkout }
  | { readonly kind: 'paid'; readonly checkout: Checkout }
  /** Ended without payment. */
  | { readonly kind: 'ended'; readonly checkout: Checkout }
  /** Another checkout of the same cart has a deposit or is paid: nothing more must be sent. */
  | { readonly kind: 'settledElsewhere'; readonly checkout: Checkout; readonly cart: 'seen' | 'paid' }
  /**
   * No checkout yet, because the merchant's server or the service cannot be reached; it is being
   * tried again.
   */
  | { readonly kind: 'unreachable'; readonly error: PaywindowError }
  /** No checkout, and trying again by itself makes no sense. */
  | { readonly kind: 'refused'; readonly error: PaywindowError }
  /**
   * The server knows nothing more of the checkout that was shown, so nobody would see a payment.
   */
  | { readonly kind: 'refused'; readonly error: PaywindowError; readonly checkout: Checkout }

/**
 * Names of the screens.
 *
 * @example
 * ```ts
 * const settled: readonly ViewKind[] = ['paid', 'ended']
 * settled.includes('waiting') // => false
 * ```
 */
export type ViewKind = View['kind']

/**
 * Names what a payer has to be told of anew: another checkout has another address, and a cart can
 * be paid elsewhere in the end.
 */
export function screenOf(view: View): string {
  const cart = view.kind === 'settledElsewhere' ? view.cart : ''
  return `${view.kind} ${'checkout' in view ? view.checkout.id : ''} ${cart}`
}

/**
 * How far a session has come. `failures` counts answers in a row that failed; `lost` is a checkout
 * that the server forgot.
 */
export type Progress =
  | {
      readonly step: 'asking'
      readonly error?: PaywindowError
      readonly failures: number
      readonly lost?: Checkout | undefined
    }
  | { readonly step: 'choosing'; readonly offer: Offer }
  | { readonly step: 'checkout'; readonly shown: ShownCheckout }

/** Failures of a first request that are tried again in silence, before the payer is told. */
export const silentFailures = 2

/** Reads the screen from how far the session has come. */
export const viewOf = (progress: Progress): View => own(screenAt(own(progress)))

function screenAt(progress: Progress): View {
  switch (progress.step) {
    case 'asking':
      if (!progress.error) return { kind: 'preparing' }
      if (!isTransient(progress.error.code))
        return { kind: 'refused', error: progress.error, ...(progress.lost && { checkout: progress.lost }) }
      return progress.failures > silentFailures || !isShort(progress.error)
        ? { kind: 'unreachable', error: progress.error }
        : { kind: 'preparing' }
    case 'choosing':
      return { kind: 'choosing', offer: progress.offer }
    case 'checkout':
      return checkoutView(progress.shown)
  }
}

/** Whether a payer may wait in silence until it is tried again. */
export function isShort({ retryAfterMs = 0 }: PaywindowError): boolean {
  return retryAfterMs < 10_000
}

/**
 * Whether the same request may well succeed later. Repeating any request of the contract is safe.
 */
export function isTransient(code: PaywindowErrorCode): boolean {
  return code === 'unreachable' || code === 'service_unavailable' || code === 'rate_limited' || code === 'internal'
}

function checkoutView({ checkout, over }: ShownCheckout): View {
  switch (checkout.phase) {
    case 'paid':
      return { kind: 'paid', checkout }
    case 'seen':
      return { kind: 'seen', checkout }
    case 'ended':
      return elsewhere(checkout) ?? { kind: 'ended', checkout }
    case 'waiting':
      return elsewhere(checkout) ?? { kind: over ? 'expired' : 'waiting', checkout }
  }
}

/**
 * A cart that is settled outranks what this one of its checkouts says: sending once more would pay
 * twice.
 */
function elsewhere(checkout: Checkout): View | null {
  return checkout.cart === 'open' ? null : { kind: 'settledElsewhere', checkout, cart: checkout.cart }
}
