/**
 * The checkout as a modal. A native dialog keeps the focus inside, closes with Esc and gives the focus back; the page behind
 * it does not scroll. It does not close by a press beside it: that happens by accident, and this is about money.
 */
import { en } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'
import { type PaywindowTarget, targetKey } from '../session/target.ts'
import { localeAround, type Speech, speechFor } from './language.ts'
import type { PaywindowElement } from './PaywindowElement.ts'
import { shadowStyles } from './shadowStyles.ts'

export interface OpenOptions extends PaywindowTarget, PaywindowLooks, PaywindowCallbacks {
  /** Called when it was closed, by whomever. */
  readonly onClose?: () => void
}

interface OpenPaywindow {
  /** Where the events are: `paywindow:status`, `paywindow:confirmed`, `paywindow:error`, `paywindow:close`. */
  readonly element: PaywindowElement
  /** Closes it; the checkout stays as it is and can be opened again. */
  close(): void
}

let open: { readonly target: string; readonly handle: OpenPaywindow } | undefined

/** Opens the checkout over the page. While the same one is open, its handle is returned; another one takes its place. */
export function openPaywindow(options: OpenOptions): OpenPaywindow {
  const target = targetKey(options)
  if (open?.target === target) return open.handle
  open?.handle.close()

  const element = document.createElement('pay-window')
  const { endpoint, reference, asset, network, locale, theme, texts, handoverUrl } = options
  Object.assign(element, { endpoint, reference, asset, network, locale, theme, texts, handoverUrl })
  listen(element, options)

  const closer = document.createElement('button')
  closer.type = 'button'
  closer.className = 'pw-close'
  const dialog = document.createElement('dialog')
  dialog.className = 'pw-dialog'
  const speak = (speech: Speech | null) => {
    const { close, widgetName } = { ...en, ...speech?.texts, ...texts }
    closer.ariaLabel = close
    dialog.ariaLabel = widgetName
  }
  speak(speechFor(locale ?? localeAround(document.documentElement), speak))
  dialog.append(closer, element)
  const host = document.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [shadowStyles()]
  shadow.append(dialog)

  const unlock = lockScroll()
  const close = () => dialog.close()
  closer.addEventListener('click', close)
  dialog.addEventListener('close', () => {
    unlock()
    open = undefined
    element.dispatchEvent(new CustomEvent('paywindow:close', { bubbles: true, composed: true }))
    host.remove()
    options.onClose?.()
  })
  document.body.append(host)
  dialog.showModal()
  const handle = { element, close }
  open = { target, handle }
  return handle
}

function listen(element: PaywindowElement, options: PaywindowCallbacks): void {
  const on = <Detail>(name: string, callback: ((detail: Detail) => void) | undefined) => {
    element.addEventListener(name, (event) => {
      if (event instanceof CustomEvent) callback?.(event.detail)
    })
  }
  on('paywindow:status', options.onStatusChange)
  on('paywindow:confirmed', options.onConfirmed)
  on('paywindow:error', options.onError)
}

/** The page keeps its width: where a scroll bar stood, its room stays. */
function lockScroll(): () => void {
  const { style } = document.documentElement
  const before = { overflow: style.overflow, scrollbarGutter: style.scrollbarGutter }
  const hadScrollBar = innerWidth > document.documentElement.clientWidth
  style.overflow = 'hidden'
  if (hadScrollBar) style.scrollbarGutter = 'stable'
  return () => {
    style.overflow = before.overflow
    style.scrollbarGutter = before.scrollbarGutter
  }
}
