/** What every page of the server has around what it shows. */
import { directionOf } from '../locales/direction.ts'

/** How all pages of a merchant look. */
export interface Shell {
  readonly nonce: string
  readonly title: string
  /** Of the payer, as in BCP 47. */
  readonly locale: string
  /** A colour of CSS. */
  readonly accent: string | undefined
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** Seconds after which the page is loaded anew, where no script takes it over. */
  readonly refreshS?: number | undefined
  /** Address of a script that takes it over. */
  readonly script?: string | undefined
  /** More rules of CSS. */
  readonly styles?: string
  /** What chats and mails show of a link to it. Undefined: no more than the title. */
  readonly preview?: Preview | undefined
}

/**
 * Stays in the chat when the link has ended. The program that shows it adds the name of the site,
 * which nobody can choose.
 */
interface Preview {
  readonly heading: string
  readonly text: string
}

/**
 * HTML of the whole page. It names its policy of referrers itself: with the `no-referrer` of a proxy's
 * header, browsers would not say that a form is from here. An iPhone makes calls of no tag in it.
 *
 * @param main - HTML.
 */
export function drawShell(
  { nonce, title, locale, accent, theme = 'auto', refreshS, script, styles = '', preview }: Shell,
  main: string,
): string {
  const refresh = refreshS === undefined ? '' : `<meta http-equiv="refresh" content="${refreshS}">`
  const own = accent === undefined ? '' : `:root{--pw-accent:${accent}}`
  return `<!doctype html>
<html lang="${escaped(locale)}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<meta name="referrer" content="same-origin">
<title>${escaped(title)}</title>
${preview === undefined ? '' : drawPreview(preview)}
<style nonce="${escaped(nonce)}">${around}${own}${styles}</style>
${script === undefined ? refresh : `<noscript>${refresh}</noscript>${loads(script)}`}
</head>
<body><main>${main}</main></body>
</html>
`
}

function drawPreview({ heading, text }: Preview): string {
  const said = { type: 'website', title: heading, description: text }
  return Object.entries(said)
    .map(([name, content]) => `<meta property="og:${name}" content="${escaped(content)}">`)
    .join('')
}

/** What the script loads by itself comes with it, because it takes the page over only then. */
function loads(script: string): string {
  const later = script.replace(/paywindow\.js(?=$|\?)/, 'paywindow-later.js')
  const hint = later === script ? '' : `<link rel="modulepreload" href="${escaped(later)}">`
  return `${hint}<script src="${escaped(script)}" defer></script>`
}

const around = [
  'body{margin:0;background:light-dark(#f3f4f7,#121317)}',
  'main{box-sizing:border-box;max-width:32rem;margin:0 auto;padding:4vh 12px}',
  // The panel's code beside everything else, as on a wide screen.
  '@media print{body{background:none}main{max-width:none;padding:0}}',
].join('')

/** As text, or as an attribute between double quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
