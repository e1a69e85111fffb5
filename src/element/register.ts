/**
 * Registration of `<pay-window>`, as a function: bundlers may drop an import that exists only for its side effect.
 */
import { PaywindowElement } from './paywindow-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'pay-window': PaywindowElement
  }
}

/** Registers the element. Does nothing without a DOM, or if it is registered already: registering it twice would throw. */
export function register(): void {
  if (typeof customElements === 'undefined' || customElements.get('pay-window')) return
  customElements.define('pay-window', PaywindowElement)
}
