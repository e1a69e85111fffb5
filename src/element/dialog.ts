/**
 * The checkout as a modal. A native dialog keeps the focus inside, closes with Esc and gives the
 * focus back. The page behind it does not scroll. A press outside does not close it: that happens
 * by accident, and this is about money.
 */
import { own } from '../contract/parse.ts'
import { enLater } from '../locales/en-later.ts'
import { enPanel } from '../locales/en-panel.ts'
import { textsIn } from '../locales/texts-in.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { createEmit, type PaywindowCallbacks } from '../session/callbacks.ts'
import { type PaywindowTarget, targetKey } from '../session/target.ts'
import { showDeveloper } from '../session/tell.ts'
import { tooOld } from '../session/too-old.ts'
import { localeAround, type Speech, speechFor } from './language.ts'
import { make } from './make.ts'
import { eventNames, type PaywindowElement } from './paywindow-element.ts'
import { attributeNames, propertyOf } from './reflecting-element.ts'
import { styleShadow } from './shadow-styles.ts'

/**
 * Options of `openPaywindow`, and of `Paywindow.open` of the script tag.
 *
 * @example
 * ```ts
 * const options: OpenOptions = { endpoint: '/paywindow', reference: 'cart-42', theme: 'dark', onConfirmed: ({ id }) => console.log(id) }
 * ```
 */
export interface OpenOptions extends PaywindowTarget, PaywindowLooks, PaywindowCallbacks {
  /** Called after the dialog was closed, whoever closed it. Default: nothing is called. */
  readonly onClose?: () => void
}

/**
 * A checkout that is open over the page.
 *
 * @example
 * ```ts
 * const leave = ({ element, close }: OpenPaywindow) => element.addEventListener('paywindow:confirmed', close)
 * ```
 */
export interface OpenPaywindow {
  /**
   * The element that fires the events: `paywindow:status`, `paywindow:confirmed`,
   * `paywindow:error`, `paywindow:close`.
   */
  readonly element: PaywindowElement
  /** Closes the dialog. The checkout stays as it is and can be opened again. */
  close(): void
}

/**
 * What a drawer of the page takes for something outside of it: nothing would scroll, the drawer
 * would close, or take the focus back.
 */
const kept = ['wheel', 'touchmove', 'touchstart', 'pointerdown', 'mousedown', 'focusin', 'keydown'] as const

let open: { readonly target: string; readonly dialog: HTMLDialogElement; readonly handle: OpenPaywindow } | undefined

/**
 * Opens the checkout over the page. If the same one is already open, nothing is opened and its
 * handle is returned: it keeps the looks and callbacks it was opened with. Another one takes its
 * place: the first is closed before, and its `onClose` follows. Each handle closes only its own
 * dialog.
 *
 * @throws PaywindowError `invalid_options` in a browser that is too old.
 */
export function openPaywindow(given: OpenOptions): OpenPaywindow {
  const refusal = tooOld(window)
  if (refusal) throw refusal
  const options = own(given)
  const target = targetKey(options)
  // A browser tells later that a dialog was closed, or removed with what was around it. Until then
  // `open` still holds it.
  if (open?.target === target && open.dialog.hasAttribute('open') && open.dialog.isConnected) return open.handle
  open?.handle.close()

  showDeveloper(window, options)
  const element = document.createElement('pay-window')
  const { texts } = options
  for (const name of [...attributeNames.map(propertyOf), 'texts'] as const)
    Object.assign(element, { [name]: options[name] })
  const emit = createEmit(() => options, window)
  for (const name of ['onStatusChange', 'onConfirmed', 'onError'] as const)
    element.addEventListener(eventNames[name], (event) => emit(name, (event as CustomEvent).detail))

  // Seen where nothing is drawn: where an option is missing, or the page lets nothing be drawn.
  const words = make('p')
  element.appendChild(words)
  const closer = make('button', 'pw-close')
  const dialog = make('dialog', 'pw-dialog', closer, element)
  const speak = (speech: Speech | null) => {
    const { close, widgetName, refusedTitle } = { ...enPanel, ...enLater, ...speech?.texts, ...textsIn(texts) }
    words.textContent = refusedTitle
    closer.setAttribute('aria-label', close)
    dialog.setAttribute('aria-label', widgetName)
  }
  speak(speechFor(element.locale ?? localeAround(document.documentElement), speak, true))
  const host = make('div')
  // Nothing that the page says of its elements, or of what is empty, and nothing that its body
  // passes on.
  host.style.cssText = 'all: initial !important'
  for (const name of kept) host.addEventListener(name, (event) => event.stopPropagation())
  const shadow = host.attachShadow({ mode: 'open' })
  styleShadow(shadow)
  shadow.appendChild(dialog)

  const place = document.body ?? document.documentElement
  place.appendChild(host)
  // Firefox has it since version 98.
  if (dialog.showModal) dialog.showModal()
  else dialog.setAttribute('open', '')
  const unlock = lockScroll()
  const finish = () => {
    if (open?.dialog !== dialog) return
    open = undefined
    removal.disconnect()
    dialog.close?.()
    unlock()
    // In a microtask, so that what the page opens in response comes after what is being opened now.
    queueMicrotask(() => {
      element.dispatchEvent(new CustomEvent(eventNames.onClose, { bubbles: true, composed: true }))
      host.parentNode?.removeChild(host)
      emit('onClose', undefined)
    })
  }
  closer.addEventListener('click', finish)
  dialog.addEventListener('close', finish)
  // A router that replaces the page's content removes the dialog with it, without any event.
  const removal = new MutationObserver(() => {
    if (!host.isConnected) finish()
  })
  removal.observe(document, { childList: true, subtree: true })
  const handle = { element, close: finish }
  open = { target, dialog, handle }
  return handle
}

/**
 * Stops the page from scrolling. The page keeps its width: if it had a scroll bar, the space for it
 * stays reserved.
 */
function lockScroll(): () => void {
  const { style } = document.documentElement
  const before = ['overflow', 'scrollbar-gutter'].map(
    (name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)] as const,
  )
  const hadScrollBar = innerWidth > document.documentElement.clientWidth
  style.overflow = 'hidden'
  if (hadScrollBar) style.scrollbarGutter = 'stable'
  return () => {
    // What was open before may have been closed, and have let the page scroll, meanwhile.
    if (style.overflow === 'hidden') for (const property of before) style.setProperty(...property)
  }
}
