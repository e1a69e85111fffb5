/** Shows a developer on the page what is wrong with it. */
import type { Told } from './tell.ts'

/**
 * Only where no payer is, at a port of `localhost` and names below it: what draws it is loaded
 * nowhere else. The pages of apps are on `localhost` too, and have no port. For `showWith`.
 */
export function onLocalhost({ location }: Told, what: unknown): void {
  // If it cannot be loaded, the browser says so itself.
  if (/(^|\.)localhost:/.test(location.host ?? '')) import('#developer').then(({ show }) => show(what)).catch(() => {})
}
