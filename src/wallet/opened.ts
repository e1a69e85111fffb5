/** Whether a link has opened a wallet. */

/** A wallet that opens takes the page out of sight within this time. */
const opensWithinMs = 2_000
/** The last one comes to the document, and bubbles. */
const signs = ['blur', 'pagehide', 'visibilitychange']

/**
 * Calls back unless a wallet comes to the front, or the browser asks whether it may. Returns a
 * function that stops waiting.
 */
export function whenNothingOpened(window: Window, callback: () => void): () => void {
  const timer = setTimeout(() => {
    stop()
    callback()
  }, opensWithinMs)
  const stop = () => {
    clearTimeout(timer)
    for (const name of signs) window.removeEventListener(name, stop)
  }
  for (const name of signs) window.addEventListener(name, stop)
  return stop
}
