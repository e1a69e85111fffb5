import { handedOver } from '../checkout/handover.ts'
import { listen } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/**
 * A link that is opened in the tab of another one changes the fragment, which loads nothing: the tab would go on showing the first
 * link's checkout. @returns a function that stops listening.
 */
export function reloadForLinks(window: BrowserWindow): () => void {
  const link = () => handedOver(window.location.hash)?.token
  const first = link()
  const look = () => {
    // Routers rewrite the rest of it.
    if (link() && link() !== first) window.location.reload()
  }
  return listen(look, [window, 'hashchange'])
}
