/**
 * `<pay-window>`: the checkout in a shadow root, with its own styles and its own copy of the
 * drawing library, so that it and the page cannot interfere with each other.
 */
import { version } from '../../package.json'
import type { HandedOver } from '../checkout/handover.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Texts } from '../locales/en.ts'
import { textsIn } from '../locales/texts-in.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { createReport, type Emit } from '../session/callbacks.ts'
import { openedLink } from '../session/links.ts'
import { incomplete, targetKey } from '../session/target.ts'
import { showDeveloper } from '../session/tell.ts'
import { localeAround, type Speech, speechFor } from './language.ts'
import { attributeNames, ReflectingElement } from './reflecting-element.ts'
import { type Run, startRun } from './run.tsx'

/** The event for each callback. */
export const eventNames = {
  onStatusChange: 'paywindow:status',
  onConfirmed: 'paywindow:confirmed',
  onError: 'paywindow:error',
  onClose: 'paywindow:close',
} as const

/** How long an element may be without a needed attribute before it says so. */
const patienceMs = 5000

/** The locale that is wanted, and what is shown for it; null while its file is loading. */
interface Spoken {
  readonly wanted: string
  speech: Speech | null
}

/**
 * Attributes and properties of the same name: `endpoint` (required), `reference` (required except
 * on the page for other devices), `asset`, `network`, `locale`, `theme`, `notify`. The attributes
 * `handover-url`, `support-url` and `keep-title` are the properties `handoverUrl`, `supportUrl` and
 * `keepTitle`. Property `texts`: texts in place of the built-in ones. Slot `logo`: the merchant's.
 * Events on the element, bubbling out of shadow roots: `paywindow:status` (`StatusChange`),
 * `paywindow:confirmed` (`Checkout`), `paywindow:error` (`PaywindowError`).
 *
 * @example
 * ```ts
 * customElements.define('pay-window', PaywindowElement)
 * const element = new PaywindowElement()
 * element.endpoint = '/paywindow'
 * element.reference = 'cart-42'
 * element.getAttribute('reference') // => 'cart-42'
 * ```
 */
export class PaywindowElement extends ReflectingElement {
  static readonly observedAttributes: readonly string[] = attributeNames
  /** The version of the package, so that a second script on a page knows the first. */
  static readonly version: string = version

  #running: { readonly key: string; readonly run: Run } | null = null
  #texts: Partial<Texts> | undefined
  #spoken: Spoken | undefined
  #isDrawingQueued = false
  #isElsewhere = false
  #waiting: ReturnType<typeof setTimeout> | undefined
  /** That of another device, once it was there. */
  #link: HandedOver | null | undefined

  /** Texts in place of the built-in ones. Default: none. */
  get texts(): Partial<Texts> | undefined {
    return this.#texts
  }

  set texts(texts: Partial<Texts> | undefined) {
    this.#texts = texts
    this.#queueDrawing()
  }

  connectedCallback(): void {
    if (this.#isElsewhere) {
      this.replaceWith(this.cloneNode(true))
      return
    }
    // Properties that a page set before the class was defined hide the accessors.
    for (const [name, value] of Object.entries(this))
      if (name in PaywindowElement.prototype) {
        Reflect.deleteProperty(this, name)
        Reflect.set(this, name, value)
      }
    for (const name of ['keydown', 'mousedown', 'contextmenu']) this.addEventListener(name, keepPress)
    showDeveloper(window, this)
    this.#queueDrawing()
  }

  disconnectedCallback(): void {
    // Moving an element disconnects it and connects it again at once. That must not start over.
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop()
    })
  }

  /**
   * In another document it has no styles, nor is it defined: there the page's own words stand, and
   * where it is defined a new one. That is known once it is put somewhere, perhaps much later.
   */
  adoptedCallback(): void {
    this.#isElsewhere = true
  }

  attributeChangedCallback(): void {
    this.#queueDrawing()
  }

  /**
   * Combines several changes in a row, and being added to a page, into one drawing and one session.
   */
  #queueDrawing(): void {
    if (this.#isDrawingQueued || !this.isConnected) return
    this.#isDrawingQueued = true
    const draw = () => {
      this.#isDrawingQueued = false
      try {
        if (this.isConnected) this.#draw()
      } catch (cause) {
        this.#fail(cause)
      }
    }
    if (!this.#running && this.#initial()) afterPaint(draw)
    else queueMicrotask(draw)
  }

  /** What the browser or the page does not let it draw: the page's own words stand in its place. */
  #fail(cause: unknown): void {
    this.#stop()
    this.shadowRoot?.replaceChildren(document.createElement('slot'))
    createReport(this.#emit, window)(new PaywindowError('internal', 'The widget could not be drawn', { cause }))
  }

  #draw(): void {
    const { endpoint, reference } = this
    // A page may forget the link later, of the history or the address.
    this.#link ??= openedLink(window)
    if (endpoint == null || !(reference || this.#link)) {
      this.#stop()
      this.#awaitAttributes()
      return
    }
    // Sends the first request before anything is drawn.
    const run = this.#start(endpoint, reference ?? undefined)
    const { locale, texts } = this.#speak(this.locale ?? localeAround(this), run.isDrawn)
    run.draw({
      locale,
      texts: texts && { ...texts, ...textsIn(this.#texts) },
      theme: themeOf(this.theme),
      handoverUrl: this.handoverUrl ?? undefined,
      supportUrl: this.supportUrl ?? undefined,
      notify: this.hasAttribute('notify'),
      keepTitle: this.hasAttribute('keep-title'),
    })
  }

  /** A framework may set them one after the other, or when a cart is loaded. */
  #awaitAttributes(): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => {
      if (this.isConnected && !this.#running) createReport(this.#emit, window)(incomplete(this))
    }, patienceMs)
  }

  /**
   * The language, as far as it is loaded. If the page sets texts of its own, they are in the locale
   * that it names.
   */
  #speak(locale: string, isDrawn: boolean): { readonly locale: string; readonly texts: Partial<Texts> | null } {
    if (this.#spoken?.wanted !== locale) {
      const spoken: Spoken = { wanted: locale, speech: null }
      this.#spoken = spoken
      const later = (speech: Speech) => {
        spoken.speech = speech
        this.#queueDrawing()
      }
      spoken.speech = speechFor(locale, later, this.#texts !== undefined, isDrawn)
    }
    const { speech } = this.#spoken
    return { locale: this.#texts ? locale : (speech?.locale ?? locale), texts: speech?.texts ?? null }
  }

  #start(endpoint: string, reference: string | undefined): Run {
    const target = { endpoint, reference, asset: this.asset ?? undefined, network: this.network ?? undefined }
    const key = targetKey(target)
    if (this.#running?.key !== key) {
      this.#running?.run.stop()
      this.#running = { key, run: startRun(() => this.#shadow(), target, this.#emit, this.#initial()) }
    }
    return this.#running.run
  }

  /** What a server of this version has drawn, for this cart or another. */
  #initial(): string | undefined {
    const data = this.shadowRoot?.querySelector('script')
    return data?.dataset.version === version ? data.text : undefined
  }

  #shadow(): ShadowRoot {
    // A page may hide what is empty, which an element with a shadow is.
    if (!this.hasChildNodes() && getComputedStyle(this).display === 'none') this.textContent = ' '
    return this.shadowRoot ?? this.attachShadow({ mode: 'open' })
  }

  #stop(): void {
    this.#running?.run.stop()
    this.#running = null
  }

  /** If a listener throws, the browser reports the error and nothing stops. */
  readonly #emit: Emit = (name, detail) => {
    this.dispatchEvent(new CustomEvent(eventNames[name], { detail, bubbles: true, composed: true }))
  }
}

/**
 * A page with keys of its own, or that forbids to select and copy, spares buttons and fields. It
 * cannot see those in here, and would take the press away from them. What leaves a drawer of the
 * page, or its parts, is the page's.
 */
function keepPress(event: Event): void {
  if (!/^(Esc|Tab)/.test((event as KeyboardEvent).key)) event.stopPropagation()
}

/**
 * What a server has drawn is seen first: its second frame begins when the first is on the screen. A
 * page that is not shown is never painted.
 */
function afterPaint(work: () => void): void {
  let isDue = true
  const once = () => {
    if (isDue) work()
    isDue = false
  }
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once)))
  // On a slow device that takes a while, and taking over takes longer.
  setTimeout(once, 1000)
}

function themeOf(text: string | null | undefined): PaywindowLooks['theme'] {
  return text === 'light' || text === 'dark' ? text : 'auto'
}
