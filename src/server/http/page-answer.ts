/** The look, headers and content security policy of all pages. */
import type { PageDrawing } from '#page'
import type { Settings } from '../options.ts'
import type { Answer, Incoming } from './exchange.ts'

/** How a page looks, and for whom. */
type Look = Pick<PageDrawing, 'nonce' | 'languages' | 'logo' | 'accent' | 'theme'>

/** The differences between answers. */
export interface Outer {
  readonly status?: number | undefined
  readonly cookies?: readonly string[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends a page. */
export type AnswerPage = (request: Incoming, outer: Outer, draw: (look: Look) => string) => Answer

/** For the pages of one merchant. @param newNonce - Unguessable. */
export function createAnswerPage({ page = {} }: Pick<Settings, 'page'>, newNonce: () => string): AnswerPage {
  return (request, { status = 200, cookies = [], headers }, draw) => {
    const { logo, accent, theme } = page
    const nonce = newNonce()
    return {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'content-security-policy': policyFor(nonce, page),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, nofollow',
        ...headers,
      },
      body: draw({ nonce, languages: request.header('accept-language') ?? '', logo, accent, theme }),
      cookies,
    }
  }
}

/** Only addresses that the merchant has named may add content or show the page in a frame. */
function policyFor(nonce: string, { script, logo, frameAncestors = "'none'" }: NonNullable<Settings['page']>): string {
  // `'self'` covers an address on this site; a proxy in front may have another name.
  const originOf = (address = '') => (/^https?:/.test(address) ? ` ${new URL(address).origin}` : '')
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `img-src 'self' data:${originOf(logo)}`,
    'media-src data:',
    script === undefined ? "script-src 'none'" : `script-src 'self'${originOf(script)}`,
    `connect-src 'self'${originOf(script)}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}
