/** A page with nothing but the payment, for merchants who have none of their own, and for payers without scripts. */
import { directionOf } from '../locales/direction.ts'
import { type Drawing, drawElement, escaped } from './element.tsx'
import { localeOf } from './language.ts'

/** What is drawn. */
export interface PageDrawing extends Drawing {
  readonly nonce: string
  readonly title: string
  /** Address of `paywindow.js`; undefined: the page works without. */
  readonly script: string | undefined
  /** Address of the merchant's logo. */
  readonly logo: string | undefined
  /** A colour of CSS. */
  readonly accent: string | undefined
  /** Seconds after which a page without scripts is loaded anew; undefined once nothing changes any more. */
  readonly refreshS?: number | undefined
}

/** HTML of the whole page. */
export function drawPage(page: PageDrawing): string {
  const { nonce, title, script, logo, accent, refreshS, ...drawing } = page
  const locale = drawing.locale ?? localeOf(drawing.languages)
  const refresh = refreshS === undefined ? '' : `<meta http-equiv="refresh" content="${refreshS}">`
  const image = logo === undefined ? '' : `<img slot="logo" src="${escaped(logo)}" alt="" width="40" height="40">`
  const widget = drawElement({ ...drawing, locale, nonce, content: image, hasScript: script !== undefined })
  return `<!doctype html>
<html lang="${escaped(locale)}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style nonce="${escaped(nonce)}">${styles(accent)}</style>
${script === undefined ? refresh : `<noscript>${refresh}</noscript><script src="${escaped(script)}" defer></script>`}
</head>
<body><main>${widget}</main></body>
</html>
`
}

function styles(accent: string | undefined): string {
  const own = accent === undefined ? '' : `pay-window{--pw-accent:${accent}}`
  return `body{margin:0;background:light-dark(#f3f4f7,#121317)}main{box-sizing:border-box;max-width:29rem;margin:0 auto;padding:4vh 12px}${own}`
}
