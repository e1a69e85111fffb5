/**
 * Keeps the newest value where callbacks and ticks find it, without being a reason to run an effect again.
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
