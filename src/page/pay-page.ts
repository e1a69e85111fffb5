/** A page with nothing but the payment, for merchants who have none of their own, and for payers without scripts. */
import { type Drawing, drawElement } from './element.tsx'
import { localeOf } from './language.ts'
import { drawShell, escaped, type Shell } from './shell.ts'

/** What is drawn. */
export interface PageDrawing extends Drawing, Omit<Shell, 'locale' | 'nonce' | 'styles'> {
  readonly nonce: string
  /** Address of the merchant's logo. */
  readonly logo: string | undefined
}

/** HTML of the whole page. */
export function drawPage(page: PageDrawing): string {
  const { title, script, logo, accent, refreshS, ...drawing } = page
  const locale = drawing.locale ?? localeOf(drawing.languages)
  const content = logo === undefined ? '' : `<img slot="logo" src="${escaped(logo)}" alt="" width="40" height="40">`
  const shell = { nonce: drawing.nonce, title, locale, accent, refreshS, script }
  return drawShell(shell, drawElement({ ...drawing, locale, content, hasScript: script !== undefined }))
}
