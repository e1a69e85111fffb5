/** Tells whoever builds the page what is wrong with it. */
import type { BrowserWindow } from './world.ts'

/** A window with a console and an address. */
export type Told = Pick<BrowserWindow, 'console' | 'location'>

/** Shows something on a page, or nothing. */
type Show = (window: Told, what: unknown) => void

/** By default nothing: who draws the checkout without our components has no such code. */
export let showDeveloper: Show = () => {}

/** From now on these show it. */
export function showWith(show: Show): void {
  showDeveloper = show
}

/**
 * Writes it to the console, once; on a developer's own machine it stands on the page too.
 *
 * @param what - A sentence, or a code and its error.
 */
export function tell(window: Told, ...what: readonly unknown[]): void {
  window.console.error('Paywindow', ...what)
  showDeveloper(window, what[what.length - 1])
}
