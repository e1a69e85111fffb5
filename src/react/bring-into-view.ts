/** Scrolls a new screen into view, only where that is needed. */

/**
 * Scrolls to the heading if the heading, or the element of the screen that is used first, is not fully visible. A page that shows
 * both does not move. Neither does a page that shows nothing of the widget, because its reader is looking at something else.
 */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  const observer = new IntersectionObserver((seen) => {
    observer.disconnect()
    const [widget, ...parts] = seen
    if (!widget?.isIntersecting || parts.every(({ intersectionRatio }) => intersectionRatio > 0.98)) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    heading.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' })
  })
  // The code or the address, whichever is higher on the page.
  const [first] = [...root.querySelectorAll('.pw-qr svg, .pw-field')].sort((a, b) => topOf(a) - topOf(b))
  for (const element of [root, heading, first]) if (element) observer.observe(element)
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top
}
