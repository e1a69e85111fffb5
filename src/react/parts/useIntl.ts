/**
 * `Intl` takes as long to be used for the first time as the whole panel takes to be drawn. So the address and its code come first,
 * and what is written with `Intl` a frame later, into the room that is kept for it.
 */
import { useEffect, useState } from 'react'

let wasUsed = false

/** Whether to use `Intl` in this drawing. Stands in for a text of one line until then. */
export function useIntl(): boolean {
  const [isReady, setReady] = useState(wasUsed)
  useEffect(() => {
    wasUsed = true
    setReady(true)
  }, [])
  return isReady
}

/** Keeps the room of a line. */
export const emptyLine = '\u00a0'
