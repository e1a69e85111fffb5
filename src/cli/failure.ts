/** Failures of commands: one line that says what to do, and an exit code. */
import { PaywindowError } from '../contract/errors.ts'
import { ServiceError } from '../service/errors.ts'
import { plainLine } from './text.ts'

/** `failed`: the service refused or did not answer. `usage`: wrong command line or environment. */
export const exitCodes = { failed: 1, usage: 2 } as const

/** A failure that a command has found. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** Rethrows an error that is no known failure: such an error is a defect. */
export function describeFailure(error: unknown): { line: string; exitCode: number } {
  if (error instanceof CommandFailure) return { line: error.message, exitCode: error.exitCode }
  if (error instanceof PaywindowError) return { line: inVariables(error.message), exitCode: exitCodes.usage }
  if (!(error instanceof ServiceError)) throw error
  const words = error.serviceMessage === undefined ? '' : `: “${plainLine(error.serviceMessage, 300)}”`
  const line = `${plainLine(error.message, 300)}${words}. ${adviceOn(error)}`.trim()
  return { line, exitCode: error.code === 'invalid_request' ? exitCodes.usage : exitCodes.failed }
}

function adviceOn(error: ServiceError): string {
  switch (error.code) {
    case 'unauthorized':
      return 'Check PAYWINDOW_ACCESS_TOKEN: it is wrong or has expired.'
    case 'forbidden':
      return 'Check that PAYWINDOW_SUB_ACCOUNT_ID is yours.'
    case 'not_found':
      return 'Check the id, the sub-account and PAYWINDOW_SERVICE_URL.'
    case 'rate_limited':
      return `Try again ${soonOr(error.retryAfterMs)}.`
    case 'unavailable':
      return `Try again ${soonOr(error.retryAfterMs)}.${beforeRepeating(error)}`
    case 'timeout':
    case 'unreachable':
      return `Check PAYWINDOW_SERVICE_URL and the connection.${beforeRepeating(error)}`
    case 'invalid_answer':
      return `Check PAYWINDOW_SERVICE_URL: the response is not in the service's format.${beforeRepeating(error)}`
    case 'refused':
    case 'invalid_request':
      return ''
  }
}

/**
 * Warns unless repeating is harmless, as for reads. The error's message begins with the HTTP
 * method.
 */
function beforeRepeating(error: ServiceError): string {
  const harmless = error.outcome === 'not_done' || error.message.startsWith('GET ')
  return harmless ? '' : ' The request may have succeeded anyway: check before you repeat it.'
}

function soonOr(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} seconds`
}

/** Names environment variables in place of the library's options. */
function inVariables(message: string): string {
  return message
    .replace(/\bbaseUrl\b/, 'PAYWINDOW_SERVICE_URL')
    .replace(/\baccessToken\b/, 'PAYWINDOW_ACCESS_TOKEN')
    .replace(/, or a function that returns one$/, '')
    .replace(/\bsubAccountId\b/, 'PAYWINDOW_SUB_ACCOUNT_ID')
}
