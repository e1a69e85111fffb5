/**
 * `paywindow/element/define`: registers `<pay-window>`, and tells compilers what a page has then.
 */
import type { PaywindowEventMap } from './interface.ts'
import type { openPaywindow } from './open.ts'
import type { PaywindowElement } from './paywindow-element.ts'
import { register } from './register.ts'

declare global {
  interface HTMLElementTagNameMap {
    'pay-window': PaywindowElement
  }
  // The events bubble up to `document`, where pages listen whose elements are replaced.
  interface GlobalEventHandlersEventMap extends PaywindowEventMap {}
  interface Window {
    /** Of the script tag, where a page has it. */
    Paywindow?: { open: typeof openPaywindow }
  }
}

register()
