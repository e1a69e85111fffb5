/**
 * The floor: Safari 15.4, Chrome 90, Firefox 90. scripts/oldest-browsers.ts holds what browsers
 * load against it.
 */
import { PaywindowError } from '../contract/errors.ts'
import type { BrowserWindow } from './world.ts'

/**
 * What came last to the browsers of the floor: the first to Chrome and Firefox, the second to
 * Safari.
 */
const newest = '(aspect-ratio: 1) and selector(:focus-visible)'

/** Why this browser gets no payment; null where it may pay, and on a server. */
export function tooOld({ CSS }: Pick<BrowserWindow, 'CSS'>): PaywindowError | null {
  if (CSS?.supports?.(newest) !== false) return null
  return new PaywindowError('invalid_options', 'This browser is older than Safari 15.4, Chrome 90 or Firefox 90')
}
