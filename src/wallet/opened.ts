/** Whether a link has opened a wallet. */

/** A wallet that opens takes the page out of sight within this time. */
const opensWithinMs = 2_000

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
    for (const name of ['blur', 'pagehide']) window.removeEventListener(name, stop)
    window.document.removeEventListener('visibilitychange', stop)
  }
  for (const name of ['blur', 'pagehide']) window.addEventListener(name, stop)
  window.document.addEventListener('visibilitychange', stop)
  return stop
}
