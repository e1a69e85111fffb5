/**
 * `paywindow`: the checkout for React 18 and 19. The functions are for pages that draw their own
 * checkout with `usePaywindow`.
 */
export { type AddressGroup, groupAddress } from '../checkout/address.ts'
export { countdownText } from '../checkout/countdown.ts'
export type { Reading } from '../checkout/deadline.ts'
export type { MethodChoice, Pending, Trouble } from '../checkout/flow.ts'
export { networkName } from '../checkout/network-names.ts'
export { type QrChoice, type QrContent, type QrProfile, qrProfile } from '../checkout/qr-profile.ts'
export type { View, ViewKind } from '../checkout/view.ts'
export type { Arrival, Checkout, EvmPayment, Merchant, Method, Offer, Price } from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export type { Texts } from '../locales/en.ts'
export type { StatusChange } from '../session/callbacks.ts'
export type { PaywindowActions, SessionState } from '../session/state.ts'
export type { PaywindowLooks, UsePaywindowOptions } from './options.ts'
export { Paywindow, type PaywindowProps } from './Paywindow.tsx'
export { usePaywindow } from './use-paywindow.ts'
