/**
 * `paywindow/element`: the class of the custom element. Importing it registers nothing; `paywindow/element/define` does.
 */
export type { Checkout } from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export type { Texts } from '../locales/en.ts'
export type { StatusChange } from '../session/callbacks.ts'
export type { PaywindowAttributes, PaywindowEventMap } from './interface.ts'
export { PaywindowElement } from './paywindow-element.ts'
