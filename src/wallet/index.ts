/**
 * The list of wallets, and paying from one. In a file of its own, which only payers load who ask
 * for it; drawn without a library, so that one file serves React, element and script.
 */
import type { Checkout } from '../contract/checkout.ts'
import type { WidgetTexts } from '../locales/en.ts'
import { enWallet } from '../locales/en-wallet.ts'
import { fill } from '../locales/format.ts'
import { appsFor } from './apps.ts'
import { whenNothingOpened } from './opened.ts'
import { type Outcome, pay, type Step } from './pay.ts'
import { type BrowserWallet, findWallets, type Provider } from './provider.ts'
import { wasAsked } from './sent.ts'
import { transferOf } from './transfer.ts'

/**
 * What is drawn, and for whom. Another file reads these names, so none is one that the script
 * shortens (`ownNames`).
 */
export interface WalletsOptions {
  readonly checkout: Checkout
  /** Names the cart of the checkout, whatever its quote. Without spaces. */
  readonly cart: string
  /** The widget's. In any other language than English they have those of this file, too. */
  readonly texts: WidgetTexts
  /** The name of the network, for people. */
  readonly network: string
  /** Whether this device is a phone, which has apps. */
  readonly isPhone: boolean
  /** Milliseconds the quote has left. */
  readonly leftMs: () => number
  /** Says it through the widget's live region. */
  readonly speak: (text: string) => void
  /** Called after each drawing: whether a wallet may have sent, or may send yet. */
  readonly onDrawn: (isAsked: boolean) => void
}

const words = {
  other: 'walletOther',
  unsure: 'walletUnsure',
  declined: 'walletDeclined',
  pending: 'walletAnswer',
  network: 'walletNetwork',
  funds: 'walletFunds',
  contract: 'walletContract',
  late: 'walletLate',
  failed: 'walletFailed',
} as const satisfies Readonly<Record<Exclude<Outcome, 'sent'>, keyof typeof enWallet>>

/** Draws the wallets into a place of the page, until the function that it returns is called. */
export function showWallets(place: HTMLElement, options: WalletsOptions): () => void {
  const { checkout, cart } = options
  const { ownerDocument: document } = place
  const window = document.defaultView ?? globalThis.window
  const texts = { ...enWallet, ...options.texts }
  const transfer = transferOf(checkout)
  const values = { network: options.network, merchant: checkout.merchant.name }
  let isOpen = true
  let wallets: readonly BrowserWallet[] = []
  /**
   * The wallet that was picked last: the payer may pick another one while a wallet says nothing.
   */
  let picked: Provider | undefined
  const busy = new Set<Provider>()
  let stopWaiting = () => {}

  /**
   * A note, and what follows it. The note takes the focus, unless the payer is elsewhere on the
   * page: then it is spoken.
   */
  const draw = (note: HTMLElement, parts: readonly Node[] = []) => {
    if (!isOpen) return
    const root = place.getRootNode()
    const focused = root instanceof ShadowRoot ? root.activeElement : document.activeElement
    const isHere = !focused || focused === document.body || place.parentElement?.contains(focused)
    place.replaceChildren(note, ...parts)
    if (isHere && !place.closest('[hidden]')) note.focus({ preventScroll: true })
    else options.speak(note.textContent ?? '')
    options.onDrawn(wasAsked(checkout.id))
  }

  const say = (text: string, className = 'pw-note') => {
    const note = document.createElement('p')
    note.className = className
    note.tabIndex = -1
    note.textContent = fill(text, values)
    return note
  }
  const warn = (text: string) => say(text, 'pw-alert')

  const drawStep = (step: Step) => {
    if (step === 'connect') draw(say(texts.walletAnswer), list())
    else if (step === 'confirm') draw(say(texts.walletConfirm))
    else draw(say(texts.sentTitle), [say(texts.sentText)])
  }

  const payWith = async ({ provider }: BrowserWallet) => {
    if (transfer === null) return
    picked = provider
    // Its question is open: a second one would be refused.
    if (busy.has(provider)) return drawStep('connect')
    busy.add(provider)
    const isMine = () => isOpen && picked === provider
    const outcome = await pay(provider, {
      id: checkout.id,
      cart,
      toSend: transfer,
      leftMs: () => (isMine() ? options.leftMs() : 0),
      onStep: (step) => {
        if (isMine()) drawStep(step)
      },
    })
    busy.delete(provider)
    if (!isMine() || outcome === 'sent') return
    draw(warn(texts[words[outcome]]), outcome === 'other' || outcome === 'unsure' ? [] : list())
  }

  const list = (): readonly Node[] => [
    ...wallets.map((wallet) => {
      const button = entryOf(document, 'button', wallet.name || texts.whereHere, wallet.icon)
      button.type = 'button'
      button.addEventListener('click', () => payWith(wallet))
      return button
    }),
    // In the browser of an app, its own wallet is the one to use.
    ...(options.isPhone && wallets.length === 0 ? appsFor(checkout) : []).map(({ name, href }) => {
      const link = entryOf(document, 'a', name, '')
      link.href = href
      link.rel = 'noreferrer'
      // An app opens from no other tab; the address of a website, where the app is missing, must
      // not replace the payment.
      link.target = href.startsWith('https:') ? '_blank' : '_self'
      link.addEventListener('click', () => {
        stopWaiting()
        stopWaiting = whenNothingOpened(window, () => draw(warn(texts.nothingOpened), list()))
      })
      return link
    }),
  ]

  const open = async () => {
    wallets = transfer === null ? [] : await findWallets(window)
    if (!isOpen) return
    if (wasAsked(checkout.id)) return draw(warn(texts.walletUnsure))
    const entries = list()
    // Another quote of this cart: whoever has not sent anything may go on.
    if (wasAsked(cart)) return draw(warn(texts.walletUnsure), entries)
    const [only] = wallets
    if (only && wallets.length === 1) return payWith(only)
    draw(say(entries.length > 0 ? texts.walletPick : texts.walletNone), entries)
  }

  // A page may have made `window.ethereum` throw.
  open().catch(() => draw(warn(texts.walletFailed)))
  return () => {
    isOpen = false
    stopWaiting()
    place.replaceChildren()
  }
}

/** A wallet in the list. @param icon - Empty where it has none. */
function entryOf<Name extends 'a' | 'button'>(document: Document, tag: Name, name: string, icon: string) {
  const element = document.createElement(tag)
  element.className = 'pw-method'
  element.setAttribute('part', 'method')
  if (icon) {
    const frame = document.createElement('span')
    frame.className = 'pw-coin pw-icon'
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
