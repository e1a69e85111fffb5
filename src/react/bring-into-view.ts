/** Scrolls a new screen into view, only where that is needed. */
import { isCalm } from './decoration.ts'

/**
 * Scrolls to the head of the card if it, its heading or the element of the screen that is used
 * first, is not fully visible. A page that shows them does not move. Neither does a page that shows
 * nothing of the widget, because its reader is looking at something else, nor a page that its
 * reader has just scrolled, or types into.
 */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  if (document.activeElement?.matches(':read-write')) return
  const head = root.querySelector('.pw-head') ?? heading
  const observer = new IntersectionObserver((seen) => {
    observer.disconnect()
    const [widget, ...parts] = seen
    if (!widget?.isIntersecting || parts.every(({ intersectionRatio }) => intersectionRatio > 0.98)) return
    head.scrollIntoView({ behavior: isCalm() ? 'auto' : 'smooth' })
  })
  addEventListener('scroll', () => observer.disconnect(), { capture: true, once: true })
  const first = root.querySelector('.pw-qr svg, .pw-field')
  for (const element of [root, head, heading, first]) if (element) observer.observe(element)
}
