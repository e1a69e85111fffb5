/** Writes what has happened to the merchant's log. */
import { statusOfCode } from '../../contract/status-of-code.ts'
import { printable } from '../../service/printable.ts'
import type { Occurrence } from './occurrence.ts'

/**
 * Writes one line: fields, of which some are not known, and a message that is the same for all lines of a kind.
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
 * A logger as pino has it; winston, bunyan and `console` need a line each. `debug` gets each request to the service, `info` what happens
 * to checkouts, `warn` and `error` what `onError` gets.
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

type Kind = Occurrence['kind']

const messages: Readonly<Record<Exclude<Kind, 'error'>, string>> = {
  checkout_created: 'Checkout created',
  instructions_received: 'Deposit instructions received',
  order_bound: 'Order bound',
  order_released: 'Order released',
  status_changed: 'Status changed',
  change_delivered: 'Change delivered',
  service_request: 'Request to the service',
}

/** Returns what writes an occurrence. Throws as the logger does. */
export function createLog(logger: Logger): (occurrence: Occurrence) => unknown {
  return (occurrence) => {
    if (occurrence.kind === 'error') {
      const { kind, message, ...fields } = occurrence
      return logger[levelOf(occurrence.code)](escaped(fields), message)
    }
    const { kind, ...fields } = occurrence
    return logger[kind === 'service_request' ? 'debug' : 'info'](escaped(fields), messages[kind])
  }
}

/** What one request of a browser has caused, or what passes by itself. */
const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'deposit_false',
  'clients_look_alike',
  'order_without_checkout',
])

function levelOf(code: string): 'warn' | 'error' {
  const isRefusal = Object.entries(statusOfCode).some(([name, status]) => name === code && status < 500)
  return isRefusal || passing.has(code) ? 'warn' : 'error'
}

/** Ids of the service and names of others are texts of others. */
function escaped(fields: Parameters<LogMethod>[0]): Parameters<LogMethod>[0] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? printable(value) : value]),
  )
}
