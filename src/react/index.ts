/**
 * `paywindow`: the checkout for React 18 and 19.
 */
export type { Reading } from '../checkout/deadline.ts'
export type { MethodChoice, Pending, Trouble } from '../checkout/flow.ts'
export type { View, ViewKind } from '../checkout/view.ts'
export type { Checkout, Merchant, Method, Offer, Price } from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export type { Texts } from '../locales/en.ts'
export type { PaywindowLooks, StatusChange, UsePaywindowOptions } from './options.ts'
export { Paywindow, type PaywindowProps } from './Paywindow.tsx'
export type { SessionState } from './session.ts'
export { usePaywindow } from './usePaywindow.ts'
export type { PaywindowActions } from './useSession.ts'
