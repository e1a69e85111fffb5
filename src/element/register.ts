/**
 * Registration of `<pay-window>`, as a function: bundlers may drop an import that is only there for its effect.
 */
import { PaywindowElement } from './paywindow-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'pay-window': PaywindowElement
  }
}

/** Harmless where there is no DOM, and when it was registered before: registering twice throws. */
export function register(): void {
  if (typeof customElements === 'undefined' || customElements.get('pay-window')) return
  customElements.define('pay-window', PaywindowElement)
}
