/**
 * `paywindow/element`: the class of the custom element, and its modal. Importing it registers
 * nothing; `paywindow/element/define` does.
 */
export type { Checkout } from '../contract/checkout.ts'
export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export type { Texts } from '../locales/en.ts'
export type { StatusChange } from '../session/callbacks.ts'
export type { OpenOptions, OpenPaywindow } from './dialog.ts'
export type { PaywindowAttributes, PaywindowEventMap } from './interface.ts'
export { openPaywindow } from './open.ts'
export { PaywindowElement } from './paywindow-element.ts'
