/** Tells of errors: the merchant's `onError`, and those who listen to what happens; the error output where nobody does. */
import { PaywindowError } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'
import type { ErrorContext, PaywindowOptions, Settings } from '../options.ts'
import { createLog, type Logger } from './logging.ts'
import { causeOf, inOneLine, type Occurrence, placeOf } from './occurrence.ts'

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

const levels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly (keyof Logger)[]

/**
 * Undefined where nobody listens: then nothing is derived either.
 *
 * @throws PaywindowError `invalid_options` for a logger without one of the four methods.
 */
export function createNote({ logger, telemetry }: Pick<PaywindowOptions, 'logger' | 'telemetry'>): Settings['note'] {
  const missing = logger && levels.find((level) => typeof logger[level] !== 'function')
  if (missing) throw new PaywindowError('invalid_options', `logger must have the method ${missing}(fields, message)`)
  const listeners = [
    ...(logger ? [guarded('logger', createLog(logger))] : []),
    ...(telemetry ? [guarded('telemetry', (occurrence: Occurrence) => telemetry.note(occurrence))] : []),
  ]
  if (listeners.length === 0) return undefined
  return (occurrence) => {
    for (const listen of listeners) listen(occurrence)
  }
}

/**
 * Returns a function that never throws. Where the callback fails, only the process's own log is left.
 *
 * @param name - Of the option that the callback comes from.
 * @param otherwise - Called with what the callback was called with, where it fails.
 */
function guarded<Args extends readonly unknown[]>(
  name: string,
  callback: (...args: Args) => unknown,
  otherwise: (...args: Args) => void = () => {},
): (...args: Args) => void {
  return (...args) => {
    const failed = (cause: unknown) => {
      console.error(`paywindow: ${name} threw`, cause)
      otherwise(...args)
    }
    try {
      const returned = callback(...args)
      // TypeScript accepts an async function for one that returns nothing; its rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}

/** One line on the error output; for a failure of the merchant's own code, the error that it threw, too. */
function printError(error: PaywindowError, { checkoutId, incident }: ErrorContext): void {
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
