/**
 * What can wait until the page has nothing else to do, so that the address and its code come first: hints, and what only `Intl`
 * can write, whose first use takes as long as drawing the whole panel. Its room is kept.
 */
import { useEffect, useState } from 'react'

/** However busy the page is, it is there before long. */
const longestMs = 300

let wasIdle = false
const waiting = new Set<() => void>()

/** Whether to draw it. True from the page's first idle moment on, and always true for what need not wait. */
export function useIdle(mustWait = true): boolean {
  const [isIdle, setIdle] = useState(wasIdle)
  const waits = mustWait && !isIdle
  useEffect(() => {
    if (!waits) return
    const draw = () => setIdle(true)
    // One moment for all, so that it is one drawing.
    if (waiting.size === 0) callWhenIdle()
    waiting.add(draw)
    return () => {
      waiting.delete(draw)
    }
  }, [waits])
  return !waits
}

/** Keeps the room of a line until then. */
export const emptyLine = '\u00a0'

function callWhenIdle(): void {
  // Safari has no such thing.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(idle, { timeout: longestMs })
  else setTimeout(idle)
}

function idle(): void {
  wasIdle = true
  for (const draw of waiting) draw()
  waiting.clear()
}
