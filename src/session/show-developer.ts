/** Shows a developer on the page what is wrong with it. */
import type { Told } from './tell.ts'

/** Only where no payer is, `localhost` and names below it: what draws it is loaded nowhere else. For `showWith`. */
export function onLocalhost({ location }: Told, what: unknown): void {
  // If it cannot be loaded, the browser says so itself.
  if (/(^|\.)localhost$/.test(location.hostname ?? ''))
    import('#developer').then(({ show }) => show(what)).catch(() => {})
}
