/** Errors as the merchant reads them: one printable line, whatever the service and browsers have put into it. */
import { PaywindowError } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'

/** The error itself when its message is one printable line, else another one like it that has such a message. */
export function inOneLine(error: PaywindowError): PaywindowError {
  const message = printable(error.message)
  if (message === error.message) return error
  const { code, cause, retryAfterMs } = error
  return new PaywindowError(code, message, { cause, retryAfterMs })
}
