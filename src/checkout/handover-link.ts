/**
 * Makes the link that `handover.ts` reads. Apart from it, because the script makes it only after
 * the panel.
 */
import type { HandedOver } from './handover.ts'

/**
 * @param page - A page with the widget and no `reference`. Its fragment may be the route of a
 *   router.
 */
export function handoverLink(page: URL, { id, token }: HandedOver): string {
  const url = new URL(page)
  const link = `paywindow=${id}.${token}`
  url.hash = url.hash ? `${url.hash}${url.hash.includes('?') ? '&' : '?'}${link}` : link
  return url.href
}
