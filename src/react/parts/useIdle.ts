/**
 * What can wait until the page has nothing else to do, so that the address and its code come first: hints, and all that is
 * written with `Intl`, whose first use takes as long as drawing the whole panel. Its room is kept.
 */
import { useEffect, useState } from 'react'

/** However busy the page is, it is there before long. */
const longestMs = 300

let wasIdle = false

/** Whether to draw it. True from the page's first idle moment on. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(wasIdle)
  useEffect(() => {
    if (isIdle) return
    return whenIdle(() => {
      wasIdle = true
      setIdle(true)
    })
  }, [isIdle])
  return isIdle
}

/** Keeps the room of a line until then. */
export const emptyLine = '\u00a0'

/** @returns a function that takes it back. */
function whenIdle(callback: () => void): () => void {
  // Safari has no such thing.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(callback)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(callback, { timeout: longestMs })
  return () => cancelIdleCallback(request)
}
