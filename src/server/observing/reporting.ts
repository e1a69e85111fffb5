/**
 * Passes errors to `onError`, and all occurrences to the logger and the telemetry. Without a
 * listener, errors go to the error output.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import { printable } from '../../service/printable.ts'
import type { Health } from '../health/health.ts'
import { causeAt, causeOf, type ErrorContext, inOneLine, type Occurrence, type Report } from './occurrence.ts'
import type { RecentReports } from './recent-reports.ts'

/**
 * Writes one line: fields, some of them undefined, and a message that is the same for all lines of
 * a kind.
 *
 * @example
 * ```ts
 * const write: LogMethod = (fields, message) => console.log(JSON.stringify({ ...fields, message }))
 * ```
 */
export type LogMethod = (
  fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
  message: string,
) => void

/**
 * A logger as pino has it; winston, bunyan and `console` need a line each. `debug` gets each
 * request to the service, `info` what happens to checkouts, `warn` and `error` what `onError` gets.
 *
 * @example
 * ```ts
 * const write: LogMethod = (fields, message) => console.log(message, fields)
 * const logger: Logger = { debug: () => {}, info: write, warn: write, error: write }
 * ```
 */
export interface Logger {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
}

/**
 * Learns what happens, for metrics and traces. `openTelemetry()` of `paywindow/opentelemetry` makes
 * one; you can write another for another system.
 *
 * @example
 * ```ts
 * const counts = new Map<string, number>()
 * const telemetry: Telemetry = {
 *   note: ({ kind }) => counts.set(kind, (counts.get(kind) ?? 0) + 1),
 *   watch: () => () => undefined,
 * }
 * ```
 */
export interface Telemetry {
  /** Called at most once for an occurrence, in its process. Has to return at once. */
  note(occurrence: Occurrence): unknown
  /**
   * Called once by each server that is created. `health` never rejects and may be called often: it
   * reads the store once in five seconds. `now` is the server's clock, ms since the epoch. Returns
   * what `close()` calls.
   */
  watch(server: { health(): Promise<Health>; now(): number }): () => void
}

/** The options that listen. */
export interface Listeners {
  readonly onError?: Report | undefined
  readonly logger?: Logger | undefined
  readonly telemetry?: Telemetry | undefined
}

/** Ways to tell the listeners. None of them throws. */
export interface Reporting {
  readonly report: Report
  /** Undefined if nobody listens: then no change is derived either. */
  readonly note: ((occurrence: Occurrence) => void) | undefined
}

/**
 * @param recent - Gets the errors too, in test mode.
 * @throws PaywindowError `invalid_options` for a logger without one of the four methods.
 */
export function createReporting({ onError, logger, telemetry }: Listeners, recent?: RecentReports): Reporting {
  const missing = logger && levels.find((level) => typeof logger[level] !== 'function')
  if (missing) throw new PaywindowError('invalid_options', `logger must have the method ${missing}(fields, message)`)
  const ofAll = [
    ...(logger ? [guarded('logger', createLog(logger))] : []),
    ...(telemetry ? [guarded('telemetry', (occurrence: Occurrence) => telemetry.note(occurrence))] : []),
  ]
  const noteAll = (occurrence: Occurrence) => {
    for (const listen of ofAll) listen(occurrence)
  }
  const note = ofAll.length === 0 ? undefined : noteAll
  const noteError: Report = (error, { reference: _, ...about }) => {
    const { code, message } = inOneLine(error)
    noteAll({ kind: 'error', code, message, ...about, ...causeOf(error), ...causeAt(error) })
  }
  const ofErrors = [
    ...(onError ? [guarded('onError', (error, context) => onError(inOneLine(error), context), printError)] : []),
    ...(note ? [guarded('logger', noteError)] : []),
    ...(onError || logger ? [] : [printError]),
    ...(recent ? [recent.note] : []),
  ]
  const report: Report = (error, context) => {
    const told = withOwnWords(error)
    for (const listen of ofErrors) listen(told, context)
  }
  return { note, report }
}

/** Our own cause says what to do, such as to free the disk. */
function withOwnWords(error: PaywindowError): PaywindowError {
  const { code, message, cause, retryAfterMs } = error
  if (code !== 'internal' || !(cause instanceof PaywindowError)) return error
  return new PaywindowError(code, `${message}: ${cause.message}`, { cause, retryAfterMs })
}

/**
 * Returns a function that never throws. A failing callback leaves only the process's own log.
 *
 * @param name - Of the option that the callback comes from.
 * @param otherwise - Called instead, if the callback fails.
 */
function guarded<Args extends readonly unknown[]>(
  name: keyof Listeners,
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
      // TypeScript accepts an async callback. Its rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}

/** One line on the error output, then the error of the merchant's own code. */
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

const levels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly (keyof Logger)[]

const messages: Readonly<Record<Exclude<Occurrence['kind'], 'error'>, string>> = {
  checkout_created: 'Checkout created',
  instructions_received: 'Deposit instructions received',
  order_bound: 'Order bound',
  order_released: 'Order released',
  status_changed: 'Status changed',
  change_delivered: 'Change delivered',
  service_request: 'Request to the service',
}

/** Errors of a single request, or that pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'deposit_false',
  'clients_look_alike',
  'order_without_checkout',
])

/** Returns a function that writes an occurrence. It throws as the logger does. */
function createLog(logger: Logger): (occurrence: Occurrence) => unknown {
  return (occurrence) => {
    if (occurrence.kind === 'error') {
      const { kind, message, ...fields } = occurrence
      return logger[levelOf(occurrence.code)](escaped(fields), message)
    }
    const { kind, ...fields } = occurrence
    return logger[kind === 'service_request' ? 'debug' : 'info'](escaped(fields), messages[kind])
  }
}

function levelOf(code: string): 'warn' | 'error' {
  const isRefusal = Object.entries(statusOfCode).some(([name, status]) => name === code && status < 500)
  return isRefusal || passing.has(code) ? 'warn' : 'error'
}

/** Others choose the texts of some fields, such as the service's ids. */
function escaped(fields: Parameters<LogMethod>[0]): Parameters<LogMethod>[0] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? printable(value) : value]),
  )
}
