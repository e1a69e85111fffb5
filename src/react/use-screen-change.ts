/**
 * What happens when another screen is shown: its heading takes the focus, or is announced. The
 * focus moves only if it was in the widget or nowhere, so that a person typing elsewhere on the
 * page is not interrupted. It never moves to the first screen.
 */
import { type RefObject, useRef } from 'react'
import { bringIntoView } from '#later'
import { screenOf, type View } from '../checkout/view.ts'
import { decorate } from './decoration.ts'
import { useDrawn } from './use-drawn.ts'

/** Focuses the heading of a new screen and brings it into view, or only has it announced. */
export function useScreenChange(
  root: RefObject<HTMLElement | null>,
  view: View,
  announce: (text: string) => void,
): void {
  const screen = screenOf(view)
  const before = useRef(screen)
  useDrawn(() => {
    const from = before.current
    before.current = screen
    const heading = root.current?.querySelector<HTMLElement>('.pw-title')
    const widget = root.current
    if (from === screen || !widget) return
    // The announcement of the previous screen does not apply to this one.
    if (!heading) return announce('')
    const isFirst = from.startsWith('preparing') || from.startsWith('unreachable')
    // The focused element is often removed with the old screen; the focus is then on the body.
    const takesFocus = !isFirst && mayTakeFocus(widget)
    if (takesFocus) heading.focus({ preventScroll: true })
    else announce(heading.textContent ?? '')
    if (!isFirst) decorate(() => bringIntoView(widget, heading))
  }, [root, screen, announce])
}

function mayTakeFocus(root: HTMLElement): boolean {
  const { activeElement, body } = document
  const tree = root.getRootNode()
  if (!activeElement || activeElement === body || root.contains(activeElement)) return true
  // On something around the widget, or in its own shadow tree, for which its host counts here.
  return activeElement.contains(root) || (tree instanceof ShadowRoot && activeElement.contains(tree.host))
}
