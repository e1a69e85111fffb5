/**
 * Draws the widget on a server, with the components that browsers use, on Preact. A file of its own, which the merchant server
 * loads when it draws.
 */
import { options } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Initial } from '../contract/checkout.ts'
import { Whole } from '../element/Whole.tsx'
import { directionOf } from '../locales/direction.ts'
import { en } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { withPlainRem } from '../react/rem.ts'
import css from '../react/styles.css?inline'
import { openSession } from '../session/open-session.ts'
import type { PaywindowTarget } from '../session/target.ts'
import { localeOf, textsFor } from './language.ts'

// What components say to React, or by a property of browsers, and HTML otherwise.
options.vnode = ({ props }) => {
  if ('translate' in props) props.translate = 'no'
  if ('suppressHydrationWarning' in props) props.suppressHydrationWarning = undefined
}

/** What is drawn, and how. */
export interface Drawing extends PaywindowTarget, Omit<PaywindowLooks, 'texts'> {
  /** Undefined where the widget has to ask by itself. */
  readonly initial: Initial | undefined
  /** The languages that the visitor reads, as `Accept-Language` has them. */
  readonly languages: string
  /** Of the page's content security policy, for the styles. */
  readonly nonce?: string | undefined
  /** HTML that stands in the element. */
  readonly content?: string | undefined
}

/** HTML of `<pay-window>`, with the widget in its shadow root. */
export function drawElement({ initial, languages, nonce, content = '', ...options }: Drawing): string {
  const { endpoint, reference, asset, network, theme, handoverUrl, supportUrl, notify, keepTitle } = options
  const locale = options.locale ?? localeOf(languages)
  const written = Object.entries({
    endpoint,
    reference,
    asset,
    network,
    locale,
    theme,
    'handover-url': handoverUrl,
    'support-url': supportUrl,
    notify: notify ? '' : undefined,
    'keep-title': keepTitle ? '' : undefined,
  }).map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(value)}"`))
  const root = initial ? drawRoot(initial, { ...options, locale, nonce }) : ''
  return `<pay-window${written.join('')}>${root}${content}</pay-window>`
}

type Root = Omit<Drawing, 'initial' | 'languages' | 'content'> & { readonly locale: string }

function drawRoot(initial: Initial, { endpoint, reference, nonce, ...looks }: Root): string {
  const clock = () => ({ monotonicMs: 0, wallMs: initial.writtenAtMs })
  const session = openSession({ endpoint, reference, initial, clock }, globalThis, () => undefined)
  const texts = textsFor(looks.locale)
  const widget = renderToString(
    <Whole
      session={session}
      poll={noPoll}
      endpoint={endpoint}
      texts={texts}
      {...looks}
      theme={looks.theme ?? 'auto'}
    />,
  )
  const { expiredTitle } = { ...en, ...texts }
  const over = `<p class="pw-over" lang="${escaped(looks.locale)}" dir="${directionOf(looks.locale)}">${escaped(expiredTitle)}</p>`
  const data = JSON.stringify(initial).replaceAll('<', '\\u003c')
  const style = (text: string) => `<style${nonce ? ` nonce="${escaped(nonce)}"` : ''}>${text}</style>`
  return [
    '<template shadowrootmode="open">',
    style(withPlainRem(css) + stylesOf(initial)),
    `<noscript>${style(withoutScript)}</noscript>`,
    widget,
    over,
    `<script type="application/json">${data}</script>`,
    '</template>',
  ].join('')
}

/** Nobody asks. */
const noPoll = { join: () => undefined, restart: () => undefined, quicken: () => undefined }

/** No seconds count, and no time is the payer's own. */
const withoutScript = '.pw-clock{display:none}.pw-utc{visibility:visible}.pw-utc span{display:inline}'

/** Takes the address away at the end of a quote, in pages whose scripts never start. */
function stylesOf({ checkout }: Initial): string {
  if (checkout?.phase !== 'waiting') return '.pw-over{display:none}'
  const atEnd = `1ms ${Math.max(0, checkout.expiresInMs)}ms forwards`
  return [
    '@keyframes pw-hide{to{visibility:hidden}}',
    `.pw-body,.pw-time{animation:pw-hide ${atEnd}}`,
    '@keyframes pw-show{to{visibility:visible}}',
    `.pw-over{visibility:hidden;margin:8px;font:15px system-ui;animation:pw-show ${atEnd}}`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
