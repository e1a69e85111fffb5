/** What a process prints of an error whose merchant gave neither `onError` nor `logger`. */
import type { PaywindowError } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'
import type { ErrorContext } from '../options.ts'
import { causeOf } from './cause.ts'

/** One line on the error output; for a failure of the merchant's own code, the error that it threw, too. */
export function printError(error: PaywindowError, { checkoutId, incident }: ErrorContext): void {
  const { causeName, causeCode } = causeOf(error)
  const about = [
    checkoutId && `checkout ${checkoutId}`,
    incident && `incident ${incident}`,
    causeName && `caused by ${printable([causeName, causeCode].join(' ').trim())}`,
  ].filter((part) => typeof part === 'string' && part !== '')
  const line = `paywindow: ${error.code}: ${printable(error.message)}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
  if (error.code === 'callback_failed' && error.cause !== undefined) console.error(line, error.cause)
  else console.error(line)
}
