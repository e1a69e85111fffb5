/**
 * What happens when another screen is shown: its heading takes the focus, or is spoken. The focus moves only when it was in
 * the widget or nowhere, so that nobody who types elsewhere on the page is interrupted, and never to the first screen.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { bringIntoView } from '#later'
import type { ViewKind } from '../checkout/view.ts'

/** Gives the focus to the heading of a new screen, or has it spoken, and brings it into view. */
export function useScreenChange(
  root: RefObject<HTMLElement | null>,
  kind: ViewKind,
  announce: (text: string) => void,
): void {
  const before = useRef(kind)
  useEffect(() => {
    const from = before.current
    before.current = kind
    const heading = root.current?.querySelector<HTMLElement>('.pw-title')
    if (from === kind || !root.current) return
    // What was said of the screen before is not true of this one.
    if (!heading) return announce('')
    const isFirst = from === 'preparing' || from === 'unreachable'
    // What had the focus is often gone with the old screen, and the focus is then on the body.
    if (isFirst || !mayTakeFocus(root.current)) return announce(heading.textContent ?? '')
    heading.focus({ preventScroll: true })
    bringIntoView(root.current, heading)
  }, [root, kind, announce])
}

function mayTakeFocus(root: HTMLElement): boolean {
  const { activeElement, body } = document
  const tree = root.getRootNode()
  if (!activeElement || activeElement === body || root.contains(activeElement)) return true
  // Inside a shadow tree, or beside it in a dialog of ours.
  return activeElement.contains(root) || (tree instanceof ShadowRoot && activeElement.contains(tree.host))
}
