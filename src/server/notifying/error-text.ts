/** Makes errors one printable line for the merchant, whatever the service and browsers put into them. */
import { PaywindowError } from '../../contract/errors.ts'
import { printable } from '../../service/printable.ts'

/** The error itself if its message is one printable line, else a copy with such a message. */
export function inOneLine(error: PaywindowError): PaywindowError {
  const message = printable(error.message)
  if (message === error.message) return error
  const { code, cause, retryAfterMs } = error
  return new PaywindowError(code, message, { cause, retryAfterMs })
}
