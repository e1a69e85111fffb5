/** Tells of errors: the merchant's `onError`, and those who listen to what happens; the error output where nobody does. */
import { PaywindowError } from '../../contract/errors.ts'
import { inOneLine } from '../notifying/error-text.ts'
import type { PaywindowOptions, Settings } from '../options.ts'
import { causeOf, placeOf } from './cause.ts'
import { guarded } from './guarded.ts'
import { printError } from './print-error.ts'

/** Never throws, whatever an error and its cause are like. */
export function createReport(
  { onError, logger }: Pick<PaywindowOptions, 'onError' | 'logger'>,
  note: Settings['note'],
  recent: Settings['recentReports'],
): Settings['report'] {
  const noteError: Settings['report'] = (error, { reference: _, ...about }) => {
    const { code, message } = inOneLine(error)
    note?.({ kind: 'error', code, message, ...about, ...causeOf(error), ...placeOf(error) })
  }
  const tellMerchant: Settings['report'] = (error, context) => onError?.(inOneLine(error), context)
  const listeners = [
    ...(onError ? [guarded('onError', tellMerchant, printError)] : []),
    ...(note ? [guarded('logger', noteError)] : []),
    ...(onError || logger ? [] : [printError]),
    ...(recent ? [recent.note] : []),
  ]
  return (error, context) => {
    const told = withOwnWords(error)
    for (const listen of listeners) listen(told, context)
  }
}

/** A cause of our own says what to do, such as that the disk is full. */
function withOwnWords(error: PaywindowError): PaywindowError {
  const { code, message, cause, retryAfterMs } = error
  if (code !== 'internal' || !(cause instanceof PaywindowError)) return error
  return new PaywindowError(code, `${message}: ${cause.message}`, { cause, retryAfterMs })
}
