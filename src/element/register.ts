/**
 * Registration of `<pay-window>`, as a function: bundlers may drop an import that exists only for
 * its side effect.
 */
import { onLocalhost } from '../session/show-developer.ts'
import { showWith, tell } from '../session/tell.ts'
import { tooOld } from '../session/too-old.ts'
import { PaywindowElement } from './paywindow-element.ts'

/**
 * Registers the element. Does nothing without a DOM, or if it is registered already: registering it
 * twice would throw. If that is another version, the console says which one is used. In a browser
 * that is too old, the page's own words stay in its place.
 */
export function register(): void {
  if (typeof customElements === 'undefined') return
  showWith(onLocalhost)
  const refusal = tooOld(window)
  const first: { version?: unknown; name: string } | undefined = customElements.get('pay-window')
  if (refusal) tell(window, refusal.message)
  else if (!first) customElements.define('pay-window', PaywindowElement)
  else if (first.version !== PaywindowElement.version)
    tell(window, `${first.version} is on this page already, so ${PaywindowElement.version} is not used. Load one`)
}
