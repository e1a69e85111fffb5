/** Shows a developer on the page what is wrong with it. */
import type { Told } from './tell.ts'

/** Only where no payer is: what draws it is loaded nowhere else. For `showWith`. */
export function onLocalhost({ location }: Told, what: unknown): void {
  // If it cannot be loaded, the browser says so itself.
  if (location.hostname === 'localhost') import('#developer').then(({ show }) => show(what)).catch(() => {})
}
