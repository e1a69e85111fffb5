/** The errors of calls of the service. They never contain the token, headers or bodies. */
import { printable } from './printable.ts'

/**
 * By status: `unauthorized` 401; `forbidden` 403; `not_found` 404; `rate_limited` 429; `refused`
 * 400 and other 4xx, with the service's words in `serviceMessage`; `unavailable` 5xx.
 *
 * Else: `timeout`: no whole answer in time. `unreachable`: no connection, or it broke.
 * `invalid_answer`: the answer is not what the interface promises. `invalid_request`: an argument
 * is wrong, and nothing was sent.
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
 * A call of the service that failed. Branch on `code`. `outcome` says whether the service may have
 * carried out the call.
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
  /** HTTP status of the service's answer; undefined where there was none, or no token to send. */
  readonly status: number | undefined
  /**
   * `not_done`: the service refused, or was not reached. `unknown`: the answer was lost, was a 5xx
   * or could not be read. Only after `not_done` is it safe to repeat a creation.
   */
  readonly outcome: 'not_done' | 'unknown'
  readonly retryAfterMs: number | undefined
  /** The `message` of the service's error body: for logs and the merchant, never for a browser. */
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

/**
 * Resolves as the work does. Where that fails with a ServiceError, resolves with what `otherwise`
 * returns for it.
 */
export function unlessServiceFails<Value, Other>(
  work: Promise<Value>,
  otherwise: (error: ServiceError) => Other,
): Promise<Value | Other> {
  return work.catch((error: unknown) => {
    if (error instanceof ServiceError) return otherwise(error)
    throw error
  })
}

/** Resolves as the work does, or with undefined where that fails with a ServiceError. */
export function ifServiceAnswers<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return unlessServiceFails(work, () => undefined)
}
