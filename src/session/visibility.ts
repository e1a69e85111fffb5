/**
 * Whether somebody looks at the page. A checkout is created only then: a page that is prerendered or opened in a background
 * tab may never be seen, and its 20 minutes would run all the same.
 */
import type { BrowserWindow } from './world.ts'

/** Whether the page is in a tab that is not shown. On a server it is not. */
export function isHidden({ document }: BrowserWindow): boolean {
  return document?.visibilityState === 'hidden'
}

/** Whether the page is on the screen, or could be. A page that is prerendered calls itself visible. */
export function isVisible(window: BrowserWindow): boolean {
  return !isHidden(window) && !window.document.prerendering
}

/** Resolves when the page is visible. Rejects with the signal's reason when it is aborted before; leaves no listener behind. */
export function whenVisible(window: BrowserWindow, signal: AbortSignal): Promise<void> {
  const { document } = window
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!signal.aborted && !isVisible(window)) return
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
export function onAttention(window: BrowserWindow, callback: () => void): () => void {
  const { document } = window
  const onVisibility = () => {
    if (isVisible(window)) callback()
  }
  const windowEvents = ['focus', 'pageshow', 'online', 'offline'] as const
  document.addEventListener('visibilitychange', onVisibility)
  for (const name of windowEvents) window.addEventListener(name, callback)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    for (const name of windowEvents) window.removeEventListener(name, callback)
  }
}
