/**
 * The pages of links that ask for an amount: the question, and the till, which shows whether that
 * amount was paid.
 */

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { formatPrice } from '../checkout/money.ts'
import type { Arrival, Offer, Price } from '../contract/checkout.ts'
import { QrCode } from '../element/QrCode.tsx'
import { en, type Texts } from '../locales/en.ts'
import { fill } from '../locales/format.ts'
import { Seal } from '../react/parts/Seal.tsx'
import css from '../react/styles.css?inline'
import { chime } from './chime.ts'
import { localeOf, textsFor } from './language.ts'
import { drawShell, escaped, type Shell } from './shell.ts'
import { type Words, wordsFor } from './words.ts'

interface Look extends Pick<Shell, 'nonce' | 'accent' | 'theme' | 'refreshS'> {
  /** The languages that the visitor reads, as `Accept-Language` has them. */
  readonly languages: string
  /** Address of the merchant's logo. */
  readonly logo: string | undefined
}

/** What a link asks for. */
export interface QuestionDrawing extends Look {
  readonly asked: {
    readonly by: 'payer' | 'cashier'
    readonly title: string
    readonly asset: string
    readonly min: string
    readonly max: string
    readonly suggested?: readonly string[]
  }
  /** Where the answer is sent. */
  readonly action: string
  /** An answer that was refused. */
  readonly refused: string | null
}

/** A payment that a till waits for. */
export interface SaleDrawing extends Look {
  readonly offer: Offer
  /** The payer's link. */
  readonly url: string
  /** Address of the till, for the next one. */
  readonly next: string
}

/** HTML of the page that asks for an amount. */
export function drawQuestion({ asked, action, refused, ...look }: QuestionDrawing): string {
  const { by, title, asset, min, max, suggested = [] } = asked
  const tools = toolsFor(look.languages)
  const { texts, words, write } = tools
  const range = fill(words.between, { min: write({ asset, amount: min }), max: write({ asset, amount: max }) })
  // A till's link is for nobody who reads a chat.
  const preview = by === 'payer' ? { heading: title, text: range } : undefined
  return drawCard(
    { title, preview, ...look },
    tools,
    <div className="pw-choose">
      <h1 className="pw-title">{title}</h1>
      {suggested.length > 0 ? (
        // A form of its own: else Enter in the field would press the first of them.
        <form className="pw-suggested" method="post" action={action}>
          {suggested.map((amount) => (
            <button key={amount} type="submit" className="pw-button" data-look="quiet" name="typed" value={amount}>
              {write({ asset, amount })}
            </button>
          ))}
        </form>
      ) : null}
      <form className="pw-choose" method="post" action={action}>
        <label className="pw-typed">
          <span>{texts.amount}</span>
          <input
            className="pw-search"
            name="typed"
            inputMode="decimal"
            autoComplete="off"
            required
            maxLength={30}
            defaultValue={refused ?? ''}
            aria-describedby="range"
            aria-invalid={refused !== null}
          />
          <b>{asset}</b>
        </label>
        {refused === null ? (
          <p id="range" className="pw-note">
            {range}
          </p>
        ) : (
          <p id="range" className="pw-alert" role="alert">
            {range}
          </p>
        )}
        <button type="submit" className="pw-button">
          {words.go}
        </button>
      </form>
    </div>,
  )
}

/** HTML of the till's page. */
export function drawSale({ offer, url, next, ...look }: SaleDrawing): string {
  const { price, test } = offer
  const tools = toolsFor(look.languages)
  const { texts, words, write } = tools
  const { sign, tone, says, isOpen } = stateOf(offer, texts, words)
  const isPaid = offer.cart === 'paid'
  return drawCard(
    { title: `${says} · ${write(price)}`, test, isPaid, ...look },
    tools,
    <div className="pw-result" role="status">
      {isOpen ? (
        <a className="pw-code" href={url} target="_blank" rel="noreferrer">
          <QrCode text={url} label={words.scan} />
        </a>
      ) : (
        <Seal sign={sign} tone={tone} />
      )}
      <h1 className="pw-amount">{write(price)}</h1>
      <p className="pw-title">{says}</p>
      <div className="pw-next">
        <a className="pw-button" data-look={isPaid ? undefined : 'quiet'} href={next}>
          {words.next}
        </a>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: the title says the same. */}
      {isPaid ? <audio autoPlay src={chime()} /> : null}
    </div>,
  )
}

const arrived = {
  exact: 'stepSeen',
  short: 'shortTitle',
  over: 'overTitle',
  other: 'otherTitle',
  late: 'lateTitle',
  returning: 'returningTitle',
} as const satisfies Record<Arrival['kind'], keyof Texts>

function stateOf({ cart, checkout }: Offer, texts: Texts, { scan }: Words) {
  const { arrival, phase } = checkout ?? {}
  const isOpen = false
  if (cart === 'paid') return { sign: 'check', tone: 'good', says: texts.stepPaid, isOpen } as const
  if (arrival && arrival.kind !== 'exact')
    return { sign: 'deposit', tone: 'warn', says: texts[arrived[arrival.kind]], isOpen } as const
  if (cart === 'seen') return { sign: 'deposit', tone: 'info', says: texts.stepSeen, isOpen } as const
  const isStarted = checkout !== undefined && phase === 'waiting'
  return { sign: 'clock', tone: 'calm', says: isStarted ? texts.footWaiting : scan, isOpen: true } as const
}

interface Tools {
  readonly locale: string
  readonly texts: Texts
  readonly words: Words
  readonly write: (price: Price) => string
}

function toolsFor(languages: string): Tools {
  const locale = localeOf(languages)
  return {
    locale,
    texts: { ...en, ...textsFor(locale) },
    words: wordsFor(locale),
    write: (price) => formatPrice(price, locale),
  }
}

interface Card extends Look, Pick<Shell, 'title' | 'preview'> {
  readonly test?: boolean
  readonly isPaid?: boolean
}

function drawCard({ logo, test = false, isPaid = false, ...shell }: Card, { locale, texts }: Tools, main: VNode) {
  const parts = [
    `<div class="pw" data-theme="${shell.theme ?? 'auto'}"><section class="pw-card">`,
    test && `<p class="pw-test">${escaped(texts.test)}</p>`,
    '<div class="pw-body">',
    logo !== undefined && `<img class="pw-logo" src="${escaped(logo)}" alt="">`,
    renderToString(main),
    '</div></section></div>',
  ]
  return drawShell({ ...shell, locale, styles: css + styles + (isPaid ? paid : '') }, parts.filter(Boolean).join(''))
}

/** Across the counter it is read by its colour, and a browser may not play the notes. */
const paid = [
  'body{background:#15803d}.pw-result .pw-seal{width:120px;height:120px;background:var(--_good);color:var(--_bg)}',
  '.pw-result .pw-seal svg{width:64px;height:64px}.pw-result .pw-title{font-size:2rem;color:var(--_good)}',
].join('')

const styles = [
  '.pw::before{display:none}.pw-body{padding:28px 24px}',
  '.pw-logo{max-width:160px;max-height:56px;margin:0 auto 16px}.pw-choose .pw-title{text-align:center}',
  '.pw-suggested{display:grid;grid-template-columns:repeat(auto-fit,minmax(88px,1fr));gap:8px}',
  '.pw-typed{display:grid;grid-template-columns:1fr auto;align-items:center;gap:4px 12px}.pw-typed span{grid-column:1/-1}',
  '.pw-typed .pw-search{font-size:1.75rem;font-variant-numeric:tabular-nums}.pw-amount{margin:0;font-weight:600}',
  '.pw-result .pw-code{width:min(100%,20rem);max-width:none}.pw-result .pw-title{font-size:1.0625rem;margin:0}',
].join('')
