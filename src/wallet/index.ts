/**
 * The list of wallets, and paying from one. In a file of its own, which only payers load who ask for it; drawn without a library,
 * so that one file serves React, element and script.
 */
import type { Checkout } from '../contract/checkout.ts'
import type { WidgetTexts } from '../locales/en.ts'
import { enWallet } from '../locales/en-wallet.ts'
import { fill } from '../locales/format.ts'
import { appsFor } from './apps.ts'
import { type Outcome, pay, type Step } from './pay.ts'
import { type BrowserWallet, findWallets } from './provider.ts'
import { wasAsked } from './sent.ts'
import { transferOf } from './transfer.ts'

/** What is drawn, and for whom. */
export interface WalletsOptions {
  readonly checkout: Checkout
  /** The widget's. In any other language than English they have those of this file, too. */
  readonly texts: WidgetTexts
  /** The name of the network, for people. */
  readonly network: string
  /** Milliseconds the quote has left. */
  readonly leftMs: () => number
}

/** Draws the wallets into a place of the page, until the function that it returns is called. */
export function showWallets(place: HTMLElement, options: WalletsOptions): () => void {
  const { checkout } = options
  const { ownerDocument: document } = place
  const window = document.defaultView ?? globalThis.window
  const texts = { ...enWallet, ...options.texts }
  const transfer = transferOf(checkout)
  const values = { network: options.network, merchant: checkout.merchant.name }
  let isOpen = true
  let wallets: readonly BrowserWallet[] = []

  const words: Readonly<Record<Step | Outcome, string>> = {
    connect: texts.walletConnect,
    confirm: texts.walletConfirm,
    sent: texts.sentText,
    other: texts.walletOther,
    unsure: texts.walletUnsure,
    declined: texts.walletDeclined,
    pending: texts.walletConnect,
    network: texts.walletNetwork,
    funds: texts.walletFunds,
    contract: texts.walletContract,
    late: texts.walletLate,
    failed: texts.walletFailed,
  }

  /** @param role - `alert` where something went wrong. */
  const say = (text: string, role: 'status' | 'alert') => {
    const note = document.createElement('p')
    note.className = role === 'alert' ? 'pw-alert' : 'pw-note'
    note.setAttribute('role', role)
    note.textContent = fill(text, values)
    return note
  }

  const draw = (...parts: readonly Node[]) => {
    if (isOpen) place.replaceChildren(...parts)
  }

  const payWith = async ({ provider }: BrowserWallet) => {
    if (transfer === null) return
    const leftMs = () => (isOpen ? options.leftMs() : 0)
    const onStep = (step: Step) => draw(say(words[step], 'status'))
    const outcome = await pay(provider, { id: checkout.id, toSend: transfer, leftMs, onStep })
    if (outcome === 'sent') draw(say(words.sent, 'status'))
    else if (outcome === 'other' || outcome === 'unsure') draw(say(words[outcome], 'alert'))
    else draw(say(words[outcome], 'alert'), ...list())
  }

  const list = (): readonly Node[] => [
    ...wallets.map((wallet) => {
      const button = entry('button', wallet.name || texts.whereHere, wallet.icon)
      button.type = 'button'
      button.addEventListener('click', () => payWith(wallet))
      return button
    }),
    ...apps().map(({ name, href }) => {
      const link = entry('a', name, '')
      link.href = href
      link.rel = 'noreferrer'
      // Here, whatever the page's `<base target>` says: an app opens from no other tab.
      link.target = '_self'
      return link
    }),
  ]

  /** A phone has apps; in the browser of an app, its own wallet is the one to use. */
  const apps = () => (wallets.length === 0 && window.matchMedia('(pointer: coarse)').matches ? appsFor(checkout) : [])

  const entry = <Name extends 'a' | 'button'>(tag: Name, name: string, icon: string) => {
    const element = document.createElement(tag)
    element.className = 'pw-method'
    element.setAttribute('part', 'method')
    if (icon) {
      const frame = document.createElement('span')
      frame.className = 'pw-icon'
      const image = document.createElement('img')
      image.src = icon
      image.alt = ''
      frame.append(image)
      element.append(frame)
    }
    const label = document.createElement('b')
    label.textContent = name
    label.translate = false
    element.append(label)
    return element
  }

  const open = async () => {
    if (wasAsked(checkout.id)) return draw(say(words.unsure, 'alert'))
    wallets = transfer === null ? [] : await findWallets(window)
    const [first, ...others] = wallets
    if (first && others.length === 0) return payWith(first)
    const entries = list()
    draw(say(entries.length > 0 ? texts.walletPick : texts.walletNone, 'status'), ...entries)
  }

  open()
  return () => {
    isOpen = false
    place.replaceChildren()
  }
}
