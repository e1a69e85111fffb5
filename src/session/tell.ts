/** Tells whoever builds the page what is wrong with it. */
import type { BrowserWindow } from './world.ts'

/** A window with a console and an address. */
type Told = Pick<BrowserWindow, 'console' | 'location'>

/**
 * Writes it to the console, once; on a developer's own machine it stands on the page too.
 *
 * @param what - A sentence, or a code and its error.
 */
export function tell(window: Told, ...what: readonly unknown[]): void {
  window.console.error('Paywindow', ...what)
  showDeveloper(window, what.at(-1))
}

/** Shows it on the page, but only where no payer is: what does this is loaded nowhere else. */
export function showDeveloper({ location }: Told, what: unknown): void {
  // If it cannot be loaded, the browser says so itself.
  if (location.hostname === 'localhost') import('#developer').then(({ show }) => show(what)).catch(() => {})
}
