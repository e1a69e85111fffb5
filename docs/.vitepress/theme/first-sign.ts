/** Parts of a page that start later than the rest of it, so that nothing takes long while it opens. Their text and their links are there before. */
import type { HydrationStrategy } from 'vue'

/** Resolves when the reader first moves, presses, types or scrolls, and on no server. Whoever comes from another page of the site already has. */
export const firstSign: Promise<void> = new Promise((resolve) => {
  if (typeof window === 'undefined') return
  const listening = new AbortController()
  const begin = () => {
    listening.abort()
    resolve()
  }
  for (const name of ['pointermove', 'pointerdown', 'click', 'keydown', 'focusin', 'scroll'])
    addEventListener(name, begin, { signal: listening.signal, capture: true, passive: true })
  // Before this ran.
  if (scrollY > 0 || navigator.userActivation?.hasBeenActive) begin()
})

/** Leaves it as it is in the HTML until then. */
export const atFirstSign: HydrationStrategy = (hydrate) => {
  void firstSign.then(hydrate)
}
