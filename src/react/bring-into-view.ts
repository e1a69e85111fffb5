/** A new screen comes into view, as far as it has to. */

/**
 * Scrolls to the heading where it, or what is used first of the screen, is not whole in view. A page that shows both stays where it is,
 * and so does one that shows nothing of the widget: whoever is there reads something else.
 */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  const observer = new IntersectionObserver((seen) => {
    observer.disconnect()
    const [widget, ...parts] = seen
    if (!widget?.isIntersecting || parts.every(({ intersectionRatio }) => intersectionRatio > 0.98)) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    heading.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' })
  })
  // The code, or the address, whichever stands above the other.
  const [first] = [...root.querySelectorAll('.pw-qr svg, .pw-field')].sort((a, b) => topOf(a) - topOf(b))
  for (const element of [root, heading, first]) if (element) observer.observe(element)
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top
}
