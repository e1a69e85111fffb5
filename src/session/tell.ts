/** Tells whoever builds the page what is wrong with it. */
import type { BrowserWindow } from './world.ts'

/** A window with a console and an address. */
type Told = Pick<BrowserWindow, 'console' | 'location'>

/** Writes it to the console, once; on a developer's own machine it stands on the page too. */
export function tell(what: unknown, window: Told): void {
  window.console.error(what)
  showDeveloper(what, window)
}

/** Shows it on the page, but only where no payer is: what does this is loaded nowhere else. */
export function showDeveloper(what: unknown, { location }: Told): void {
  // If it cannot be loaded, the browser says so itself.
  if (location.hostname === 'localhost') import('#developer').then(({ show }) => show(what)).catch(() => {})
}
