/** Tells of errors: the merchant's `onError`, and those who listen to what happens. */
import type { PaywindowError } from '../../contract/errors.ts'
import { inOneLine } from '../notifying/error-text.ts'
import type { PaywindowOptions, Settings } from '../options.ts'
import { guarded } from './guarded.ts'

/** Never throws, whatever an error and its cause are like. */
export function createReport(onError: PaywindowOptions['onError'], note: Settings['note']): Settings['report'] {
  const tell: Settings['report'] = (error, context) => onError?.(inOneLine(error), context)
  const noteError: Settings['report'] = (error, context) => {
    const { code, message } = inOneLine(error)
    note?.({ kind: 'error', code, message, ...context, ...causeOf(error) })
  }
  const listeners = [guarded('onError', tell), ...(note ? [guarded('logger', noteError)] : [])]
  return (error, context) => {
    for (const listen of listeners) listen(error, context)
  }
}

/** What is ours to say of a cause: `TypeError`, `ECONNREFUSED`. Its words are others' and may hold secrets. */
function causeOf({ cause }: PaywindowError): { causeName?: string; causeCode?: string } {
  if (!(cause instanceof Error)) return {}
  const code: unknown = 'code' in cause ? cause.code : undefined
  return { causeName: String(cause.name), ...(isCode(code) && { causeCode: String(code) }) }
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && code.length <= 100)
}
