/** What a browser and what the merchant learns of a failure of the service. */
import { PaywindowError } from '../../contract/errors.ts'
import type { ServiceError } from '../../service/errors.ts'
import { longestHoldMs } from '../upstream/hold-off.ts'

/** The public code for a failure of the service. */
export function failureCode(error: ServiceError): 'service_refused' | 'service_invalid' | 'service_unavailable' {
  switch (error.code) {
    case 'unauthorized':
    case 'forbidden':
    case 'refused':
    case 'not_found':
    case 'invalid_request':
      return 'service_refused'
    case 'invalid_answer':
      return 'service_invalid'
    case 'rate_limited':
    case 'unavailable':
    case 'timeout':
    case 'unreachable':
      return 'service_unavailable'
  }
}

/** The merchant gets the service's words; a browser gets ours. */
export function publicError(error: ServiceError): PaywindowError {
  const code = failureCode(error)
  const words = {
    service_refused: 'The exchange service refused to create this order',
    service_invalid: 'The exchange service gave an answer that cannot be read',
    service_unavailable: 'The exchange service cannot be reached at the moment',
  }
  // A browser comes back when this server asks again, whatever the service said. What it refused it will refuse again.
  const waitMs = error.retryAfterMs ?? (code === 'service_refused' ? undefined : 5_000)
  const retryAfterMs = waitMs && Math.min(waitMs, longestHoldMs)
  return new PaywindowError(code, words[code], { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** The service's own words, for the merchant, and which of the merchant's settings it refuses. */
export function said({ code, serviceMessage }: ServiceError): string {
  const words = serviceMessage === undefined ? '' : `. The service said: ${JSON.stringify(serviceMessage)}`
  if (code === 'unreachable') return `${words}. Is service.baseUrl right, and does it answer?`
  if (code === 'unauthorized') return `${words}. Check service.accessToken`
  return code === 'forbidden' ? `${words}. Check service.subAccountId, and what the token may do` : words
}

/** The request itself is right: another after `retryAfterMs` may succeed. */
export function unavailable(message: string, retryAfterMs: number): PaywindowError {
  return new PaywindowError('service_unavailable', message, { retryAfterMs })
}
