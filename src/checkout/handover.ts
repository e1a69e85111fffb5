/**
 * The link that shows a checkout on another device. The token travels in the fragment, which
 * browsers send to no server and write into no `Referer`. It only shows, and ends after 20 minutes.
 */

/** What a link carries: the checkout and the token that shows it. */
export interface HandedOver {
  readonly id: string
  readonly token: string
}

/**
 * What the page was opened with; null when its fragment is not ours. @param hash - As
 * `location.hash` has it; none where there is no page.
 */
export function handedOver(hash: string | null | undefined): HandedOver | null {
  const [, id, token] = /[#?&]paywindow=([\w-]{1,64})\.([\w-]{1,128})$/.exec(hash ?? '') ?? []
  return id && token ? { id, token } : null
}
