/**
 * The link that another device handed over, as a page is opened with it. What shows a checkout does
 * not stay in the address, which is looked at, kept and passed on: it moves to the state of this
 * entry of the tab's history, where it is when the page is loaded anew.
 */
import { type HandedOver, handedOver } from '../checkout/handover.ts'
import { listen } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/**
 * That of the address comes first: it is the newer one. Null where there is none, as on a server.
 */
export function openedLink({ location, history }: BrowserWindow): HandedOver | null {
  return handedOver(location?.hash) ?? handedOver(history?.state?.paywindow)
}

/**
 * Takes the link out of the address. One that is opened in the tab of another changes the fragment,
 * which loads nothing: the page is loaded anew for it.
 *
 * @returns a function that stops listening.
 */
export function followLinks(window: BrowserWindow): () => void {
  const { location, history } = window
  const token = () => handedOver(location.hash)?.token
  const first = token()
  if (first)
    history.replaceState(
      { ...history.state, paywindow: location.hash },
      '',
      location.href.replace(/.paywindow=[^#]*$/, ''),
    )
  const look = () => {
    // Routers rewrite the rest of it.
    if (token() && token() !== first) location.reload()
  }
  return listen(look, [window, 'hashchange'])
}
