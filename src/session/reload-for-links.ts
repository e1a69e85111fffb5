import { handedOver } from '../checkout/handover.ts'
import { listen } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/**
 * A link that is opened in the tab of another one changes the fragment, which loads nothing: the tab would go on showing the first
 * link's checkout. @returns a function that stops listening.
 */
export function reloadForLinks(window: BrowserWindow): () => void {
  const look = () => {
    if (handedOver(window.location.hash)) window.location.reload()
  }
  return listen(look, [window, 'hashchange'])
}
