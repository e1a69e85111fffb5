/** What of the service cannot be had: how that is reported, and when nothing is gained by waiting for it. */
import { PaywindowError } from '../../contract/errors.ts'
import type { ServiceError } from '../../service/errors.ts'

/** For the merchant's `onError`. @param what - Begins the sentence, such as `The order list`. */
export function unread(what: string, cause: ServiceError): PaywindowError {
  const code = cause.code === 'invalid_answer' ? 'service_invalid' : 'service_unavailable'
  return new PaywindowError(code, `${what} could not be read: ${cause.message}`, { cause })
}

/** Whether the service has answered, and will most likely give the same answer again. */
export function isLasting({ code }: ServiceError): boolean {
  return code === 'invalid_answer' || code === 'forbidden' || code === 'refused'
}
