/**
 * Makes the latest value available to callbacks and ticks, without making an effect run again.
 */
import { useEffect, useRef } from 'react'

/** A ref that always holds the latest value, so that inline callbacks restart nothing. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}
