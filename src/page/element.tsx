/**
 * `<pay-window>` with the widget in its shadow root, drawn with the components that browsers use,
 * on Preact.
 */
import { type ComponentProps, options } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { version } from '../../package.json'
import { isTransient, type View } from '../checkout/view.ts'
import type { Initial } from '../contract/checkout.ts'
import type { PaywindowError } from '../contract/errors.ts'
import { attributeNames, propertyOf } from '../element/reflecting-element.ts'
import { Whole } from '../element/Whole.tsx'
import { directionOf } from '../locales/direction.ts'
import { en, type Texts } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { PrintedEnd, useEndLines } from '../react/parts/PrintedEnd.tsx'
import { QrPanel } from '../react/parts/QrPanel.tsx'
import { withPlainRem } from '../react/rem.ts'
import css from '../react/styles.css?inline'
import { Widget } from '../react/Widget.tsx'
import { openSession } from '../session/open-session.ts'
import type { PaywindowTarget } from '../session/target.ts'
import { localeOf, textsFor } from './language.ts'
import { escaped } from './shell.ts'

// What components say to React, by a property of browsers or once a page is printed, and HTML
// otherwise.
options.vnode = (node) => {
  if (node.type === PrintedEnd) node.type = WrittenEnd as typeof node.type
  const { props } = node
  if (typeof props !== 'object') return
  if ('translate' in props) props.translate = 'no'
  if ('suppressHydrationWarning' in props) props.suppressHydrationWarning = undefined
}

/**
 * For paper, where no script tells the payer's zone and writes it, nor a code on a phone, in time.
 */
function WrittenEnd(props: ComponentProps<typeof PrintedEnd>) {
  return (
    <div className="pw-print">
      {props.place === 'other' ? null : <QrPanel checkout={props.checkout} />}
      <p>{useEndLines(props, { timeZone: 'UTC' })()}</p>
    </div>
  )
}

/** What is drawn, and how. */
export interface Drawing extends PaywindowTarget, Omit<PaywindowLooks, 'texts'> {
  /** Undefined where the widget has to ask by itself. */
  readonly initial: Initial | undefined
  /** Why there is nothing, for visitors without scripts. */
  readonly error?: PaywindowError | undefined
  /**
   * Where buttons are sent while no script has taken the page over. Undefined: nowhere, and they
   * are hidden without scripts.
   */
  readonly action?: string | undefined
  /**
   * Whether the page has the script. Default true. Without it, nothing waits for scripts to be
   * turned off.
   */
  readonly hasScript?: boolean
  /** The languages that the visitor reads, as `Accept-Language` has them. */
  readonly languages: string
  /** Of the page's content security policy, for the styles. */
  readonly nonce?: string | undefined
  /** HTML that stands in the element. */
  readonly content?: string | undefined
}

/** HTML of `<pay-window>`, with the widget in its shadow root or, without the script, in itself. */
export function drawElement({ initial, languages, nonce, content = '', ...options }: Drawing): string {
  const locale = options.locale ?? localeOf(languages)
  const written = attributeNames.map((name) => {
    const value = { ...options, locale }[propertyOf(name)]
    return value === undefined || value === false ? '' : ` ${name}="${value === true ? '' : escaped(String(value))}"`
  })
  const root = initial || options.error ? drawRoot(initial, { ...options, locale, nonce }) : ''
  // Before Safari 16.4, Chrome 111 and Firefox 123 a template stays one, and no script draws instead.
  const inside =
    options.hasScript === false
      ? root.replace('<slot name="logo"></slot>', () => content)
      : `${root && `<template shadowrootmode="open">${root}</template>`}${content}`
  return `<pay-window${written.join('')}>${inside}</pay-window>`
}

type Root = Omit<Drawing, 'initial' | 'languages' | 'content'> & { readonly locale: string }

function drawRoot(initial: Initial | undefined, { error, action, nonce, hasScript = true, ...looks }: Root): string {
  const texts = textsFor(looks.locale)
  const { expiredTitle } = { ...en, ...texts }
  const style = (text: string) => `<style${nonce ? ` nonce="${escaped(nonce)}"` : ''}>${text}</style>`
  const bare = style(withoutScript + (action === undefined ? withoutForm : ''))
  const parts = [
    style(withPlainRem(css) + isThere + endOf(initial)),
    hasScript ? `<noscript>${bare}</noscript>` : bare,
    error ? drawError(error, looks, texts) : drawWhole(initial, looks, texts),
    `<p class="pw-over" hidden lang="${escaped(looks.locale)}" dir="${directionOf(looks.locale)}">${escaped(expiredTitle)}</p>`,
    initial &&
      `<script type="application/json" data-version="${version}">${JSON.stringify(initial).replaceAll('<', '\\u003c')}</script>`,
    action !== undefined && drawForm(action, initial?.checkout?.id),
  ]
  return parts.filter(Boolean).join('')
}

type Looks = Omit<Root, 'error' | 'action' | 'nonce' | 'hasScript'>

function drawWhole(initial: Initial | undefined, { reference, ...looks }: Looks, texts: Partial<Texts>): string {
  const { endpoint, theme = 'auto' } = looks
  const clock = () => ({ monotonicMs: 0, wallMs: initial?.writtenAtMs ?? 0 })
  const session = openSession({ endpoint, reference, initial, clock }, globalThis, () => undefined)
  return renderToString(<Whole session={session} poll={noPoll} texts={texts} {...looks} theme={theme} />)
}

/** The widget asks again, and takes nothing over. */
function drawError(error: PaywindowError, { theme = 'auto', ...looks }: Looks, texts: Partial<Texts>): string {
  const view: View = isTransient(error.code) ? { kind: 'unreachable', error } : { kind: 'refused', error }
  const handle = { ...standing, view }
  return renderToString(<Widget handle={handle} texts={texts} {...looks} theme={theme} />)
}

const nothing = () => undefined
/** Nobody presses, and no time is left. */
const standing = {
  pending: null,
  actionError: null,
  trouble: null,
  canGoBack: false,
  choose: nothing,
  renew: nothing,
  change: nothing,
  back: nothing,
  retry: nothing,
  handOver: () => Promise.reject(new Error('nobody presses')),
  timeLeftMs: () => 0,
  endsAtMs: () => 0,
  checkedAtMs: () => 0,
  onTick: () => nothing,
}

/** The form of all buttons, see `act`. It goes when a script takes the page over. */
function drawForm(action: string, id = ''): string {
  const checkout = `<input type="hidden" name="id" value="${escaped(id)}">`
  return `<form id="pw-act" method="post" action="${escaped(action)}">${checkout}</form>`
}

/** Nobody asks. */
const noPoll = { join: () => undefined, restart: () => undefined, quicken: () => undefined }

/**
 * Pages reserve room for an element whose script is missing, and hide what stands in it for a
 * while.
 */
const isThere = ':host{visibility:visible!important;min-height:0!important}'

/**
 * No seconds count, no time is the payer's own, nothing is copied or picked, and every way to pay
 * is shown.
 */
const withoutScript = [
  '.pw-clock,.pw-copy,.pw-where,.pw-codes,.pw-hints,.pw-search,.pw-links button,.pw-result .pw-row{display:none}',
  '.pw-utc{visibility:visible}.pw-utc span{display:inline}',
  '.pw-here[hidden]{display:block}',
].join('')
const withoutForm = '[name=act]{display:none}'

/** Takes the address away at the end of a quote, in pages whose scripts never start. */
function endOf(initial: Initial | undefined): string {
  const { phase, cart, expiresInMs = 0 } = initial?.checkout ?? {}
  if (phase !== 'waiting' || cart !== 'open' || expiresInMs <= 0) return ''
  const atEnd = `1ms ${expiresInMs}ms forwards`
  // Shown by these styles alone: a script that starts while the page is loading takes them out before
  // the words come.
  return [
    '@keyframes pw-hide{to{visibility:hidden}}',
    `.pw-body,.pw-time{animation:pw-hide ${atEnd}}`,
    '@keyframes pw-show{to{visibility:visible}}',
    `.pw-over{display:block;visibility:hidden;margin:8px;font:15px system-ui;animation:pw-show ${atEnd}}`,
  ].join('')
}
