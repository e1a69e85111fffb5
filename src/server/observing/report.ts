/** Tells of errors: the merchant's `onError`, and those who listen to what happens. */
import type { PaywindowError } from '../../contract/errors.ts'
import { inOneLine } from '../notifying/error-text.ts'
import type { PaywindowOptions, Settings } from '../options.ts'
import { guarded } from './guarded.ts'

/** Never throws. */
export function createReport(onError: PaywindowOptions['onError'], note: Settings['note']): Settings['report'] {
  const tell = guarded('onError', onError ?? (() => undefined))
  return (error, context) => {
    const shown = inOneLine(error)
    note?.({ kind: 'error', code: shown.code, message: shown.message, ...context, ...causeOf(error) })
    tell(shown, context)
  }
}

/** What is ours to say of a cause: `TypeError`, `ECONNREFUSED`. Its words are others' and may hold secrets. */
function causeOf({ cause }: PaywindowError): { causeName?: string; causeCode?: string } {
  if (!(cause instanceof Error)) return {}
  const code: unknown = 'code' in cause ? cause.code : undefined
  return { causeName: cause.name, ...(isCode(code) && { causeCode: String(code) }) }
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && code.length <= 100)
}
