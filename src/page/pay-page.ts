/**
 * A page with nothing but the payment, for merchants who have none of their own, and for payers
 * without scripts.
 */
import { formatPrice } from '../checkout/money.ts'
import { en } from '../locales/en.ts'
import { type Drawing, drawElement } from './element.tsx'
import { localeOf, textsFor } from './language.ts'
import { drawShell, escaped, type Shell } from './shell.ts'

/** What is drawn. */
export interface PageDrawing extends Drawing, Pick<Shell, 'accent' | 'refreshS' | 'script'> {
  readonly nonce: string
  /** Address of the merchant's logo. */
  readonly logo: string | undefined
  /** Whether it was opened with a payment link, which is sent in chats. */
  readonly isLink: boolean
}

/** HTML of the whole page. */
export function drawPage({ script, logo, accent, refreshS, isLink, ...drawing }: PageDrawing): string {
  const { initial, nonce } = drawing
  const locale = drawing.locale ?? localeOf(drawing.languages)
  const content = logo === undefined ? '' : `<img slot="logo" src="${escaped(logo)}" alt="" width="40" height="40">`
  const order = initial?.checkout ?? initial?.offer
  const said = order && { heading: order.merchant.name, text: formatPrice(order.price, locale) }
  const shell = {
    nonce,
    // In place of no title a browser would show the address.
    title: said ? `${said.heading} · ${said.text}` : (textsFor(locale).widgetName ?? en.widgetName),
    locale,
    accent,
    theme: drawing.theme,
    refreshS,
    script,
    preview: isLink ? said : undefined,
  }
  return drawShell(shell, drawElement({ ...drawing, locale, content, hasScript: script !== undefined }))
}
