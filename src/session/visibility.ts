/**
 * Whether somebody sees the page. A checkout is created only then: a page that is prerendered or in
 * a background tab may never be seen, while its 20 minutes would run.
 */
import type { BrowserWindow, ListenerTarget } from './world.ts'

/** Whether the page is in a tab that is not shown. On a server it is not. */
export function isHidden({ document }: BrowserWindow): boolean {
  return document?.visibilityState === 'hidden'
}

/**
 * Whether the page is on the screen, or could be. A page that is prerendered calls itself visible.
 */
export function isVisible(window: BrowserWindow): boolean {
  return !isHidden(window) && !window.document.prerendering
}

/**
 * Resolves when the page is visible. Rejects with the signal's reason when it is aborted before;
 * leaves no listener behind.
 */
export function whenVisible(window: BrowserWindow, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!signal.aborted && !isVisible(window)) return
      stop()
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const stop = listen(look, ...signsIn(window), [signal, 'abort'])
    look()
  })
}

/**
 * Calls back when the payer may just have come back or the connection may have changed, so that the
 * status is asked at once. Not in hidden tabs, which have a pace of their own. `isOnline`: the
 * device has another connection than before.
 *
 * @returns a function that stops listening.
 */
export function onAttention(window: BrowserWindow, callback: (isOnline: boolean) => void): () => void {
  const look = (event?: Event) => {
    if (isVisible(window)) callback(event?.type === 'online')
  }
  return listen(look, ...signsIn(window))
}

/**
 * What tells that a page is seen again, or that the connection has changed. Scripts and extensions
 * that keep a page going in the background stop the first of them.
 */
function signsIn(window: BrowserWindow): [ListenerTarget, ...string[]][] {
  return [
    [window.document, 'visibilitychange', 'prerenderingchange'],
    [window, 'focus', 'pageshow', 'online', 'offline'],
  ]
}

/** Listens to events of some targets. Returns a function that stops listening. */
export function listen(listener: () => void, ...targets: readonly [ListenerTarget, ...string[]][]): () => void {
  const all = (change: keyof ListenerTarget) => {
    for (const [target, ...names] of targets) for (const name of names) target[change](name, listener)
  }
  all('addEventListener')
  return () => all('removeEventListener')
}
