/**
 * Delays what only `Intl` can write until the page is idle, because its first use takes as long as
 * drawing the whole panel. The space for it is kept.
 */
import { useEffect, useState } from 'react'
import { useSetting } from '../setting.ts'

/** The longest wait, however busy the page is. */
const longestMs = 300

let wasIdle = false
const waiting = new Set<() => void>()

/**
 * Whether to draw it: true from the page's first idle moment on, and of what a server draws. @param
 * written - A text that is known already; it need not wait.
 */
export function useIdle(written?: string | null): boolean {
  const { isDrawn = false } = useSetting()
  const [isIdle, setIdle] = useState(wasIdle || isDrawn)
  const waits = !written && !isIdle
  useEffect(() => {
    if (!waits) return
    const draw = () => setIdle(true)
    // One idle callback for all, so that everything is drawn at once.
    if (waiting.size === 0) callWhenIdle()
    waiting.add(draw)
    return () => {
      waiting.delete(draw)
    }
  }, [waits])
  return !waits
}

/** Keeps the space for a line until then. */
export const emptyLine = '\u00a0'

function callWhenIdle(): void {
  // Safari does not have this function.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(idle, { timeout: longestMs })
  else setTimeout(idle)
}

function idle(): void {
  wasIdle = true
  for (const draw of waiting) draw()
  waiting.clear()
}
