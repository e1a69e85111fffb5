/**
 * Whether somebody looks at the page. A checkout is created only then: a page that is prerendered or opened in a background
 * tab may never be seen, and its 20 minutes would run all the same.
 */

/** Whether the page is in a tab that is not shown. On a server it is not. */
export function isHidden(): boolean {
  return typeof document !== 'undefined' && document.visibilityState === 'hidden'
}

/** Whether the page is on the screen, or could be. */
export function isVisible(): boolean {
  return !isHidden() && !isPrerendering()
}

/** Resolves when the page is visible. Rejects with the signal's reason when it is aborted before; leaves no listener behind. */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!signal.aborted && !isVisible()) return
      document.removeEventListener('visibilitychange', look)
      document.removeEventListener('prerenderingchange', look)
      signal.removeEventListener('abort', look)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    document.addEventListener('visibilitychange', look)
    document.addEventListener('prerenderingchange', look)
    signal.addEventListener('abort', look)
    look()
  })
}

/**
 * Calls back when the payer may just have come back or the connection may have changed, so that the status is asked at once.
 *
 * @returns a function that stops listening.
 */
export function onAttention(callback: () => void): () => void {
  const onVisibility = () => {
    if (isVisible()) callback()
  }
  const windowEvents = ['focus', 'pageshow', 'online', 'offline'] as const
  document.addEventListener('visibilitychange', onVisibility)
  for (const name of windowEvents) window.addEventListener(name, callback)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    for (const name of windowEvents) window.removeEventListener(name, callback)
  }
}

/** Part of the speculation rules that not every browser and no type library has. */
function isPrerendering(): boolean {
  return 'prerendering' in document && document.prerendering === true
}
