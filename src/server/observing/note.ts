/** Passes what has happened on to those who listen. */
import { PaywindowError } from '../../contract/errors.ts'
import type { PaywindowOptions, Settings } from '../options.ts'
import { guarded } from './guarded.ts'
import { createLog, type Logger } from './logging.ts'
import type { Occurrence } from './occurrence.ts'

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
