/** What went wrong between us and the service, with a code to branch on. Never carries the token, headers or bodies. */
import { printable } from './printable.ts'

/**
 * `unauthorized` 401; `forbidden` 403; `refused` 400 and other 4xx, `serviceMessage` has the service's words; `not_found` 404;
 * `rate_limited` 429; `unavailable` 5xx; `timeout` no whole answer in time; `unreachable` no connection, or it broke;
 * `invalid_answer` an answer that is not what the interface promises; `invalid_request` our own arguments, nothing was sent.
 *
 * @example
 * ```ts
 * const isTransient = (code: ServiceErrorCode) => code === 'unavailable' || code === 'timeout' || code === 'unreachable'
 * isTransient('refused') // => false
 * ```
 */
export type ServiceErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'refused'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'unreachable'
  | 'invalid_answer'
  | 'invalid_request'

/**
 * A call of the service that failed. Branch on `code`; `outcome` says whether it may have been carried out.
 *
 * @example
 * ```ts
 * const client = createServiceClient(createSandbox().access)
 * const error = await client.orderDetails('0b6c1f4e-0000-4000-8000-000000000000').catch((thrown: ServiceError) => thrown)
 * error instanceof ServiceError && error.code // => 'not_found'
 * ```
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  /** HTTP status of the service, when there was an answer; none where there is no token to ask with. */
  readonly status: number | undefined
  /**
   * Whether the service may have done what was asked: `not_done` when it said no or was never reached, `unknown` when the
   * answer was lost, was a 5xx or could not be read. A creation is only ever repeated blindly after `not_done`.
   */
  readonly outcome: 'not_done' | 'unknown'
  readonly retryAfterMs: number | undefined
  /** The `message` of the service's error body, as it was sent: for logs and the merchant, never for a browser. */
  readonly serviceMessage: string | undefined

  constructor(
    code: ServiceErrorCode,
    message: string,
    details: {
      outcome: 'not_done' | 'unknown'
      status?: number | undefined
      retryAfterMs?: number | undefined
      serviceMessage?: string | undefined
      cause?: unknown
    },
  ) {
    super(printable(message), 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.outcome = details.outcome
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.serviceMessage = details.serviceMessage
  }
}
