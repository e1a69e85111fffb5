/** A new screen comes into view, as far as it has to. */

/**
 * Scrolls to the heading and the code of the screen where they are not whole in view. A page that shows them stays where it is, and
 * so does one that shows nothing of the widget: whoever is there reads something else.
 */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  const observer = new IntersectionObserver((seen) => {
    observer.disconnect()
    const [widget, ...parts] = seen
    if (!widget?.isIntersecting || parts.every(({ intersectionRatio }) => intersectionRatio > 0.98)) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    heading.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' })
  })
  const code = root.querySelector('.pw-qr svg')
  for (const element of [root, heading, code]) if (element) observer.observe(element)
}
