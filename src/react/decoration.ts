/**
 * What only decorates, or guesses what suits a device. It may fail in a page that has replaced
 * functions of the browser, and must not take the panel away.
 */
import { tell } from '../session/tell.ts'

/**
 * Does work without which the widget is whole. If it fails, the console says so, and the result is
 * undefined.
 */
export function decorate<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    tell(window, error)
    return undefined
  }
}

/** Whether the visitor prefers less motion. */
export const isCalm = () => matches('(prefers-reduced-motion: reduce)')

/** Whether a finger points, as on phones. */
export const isHeld = () => matches('(pointer: coarse)')

const matches = (query: string) => decorate(() => globalThis.matchMedia?.(query)?.matches) === true
