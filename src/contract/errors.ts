/**
 * Every failure that crosses a public boundary, as one error class with stable codes.
 * Codes are public: add freely, never reuse, rename only in a major version.
 */

/** Codes that the merchant server answers with. */
const answerCodes = [
  'invalid_request',
  'forbidden_origin',
  'not_found',
  'not_offered',
  'method_not_allowed',
  'already_seen',
  'request_too_large',
  'unsupported_media_type',
  'method_not_offered',
  'asset_not_crypto',
  'rate_limited',
  'internal',
  'offer_invalid',
  'service_refused',
  'service_invalid',
  'service_unavailable',
] as const

/** A code that travels from the merchant server to the browser. */
export type AnswerCode = (typeof answerCodes)[number]

/**
 * All codes. Besides those of the merchant server: `invalid_amount` (text that is no exact amount),
 * `invalid_answer` (the merchant server's answer was not understood), `unreachable` (no answer at
 * all), `invalid_options` (a setting is missing or wrong), `status_unknown`, `deposit_false`,
 * `binding_contradicted`, `order_unresolved`, `paid_twice`, `paid_less` and `paid_more` (confirmed
 * for another amount), `callback_failed`, `events_waiting` (changes that no process tells the
 * merchant of), `record_unreadable` (a record of the store that this version cannot read),
 * `service_held_off` (the service has refused for some time), `clients_look_alike` (many payers
 * share one limit), `nobody_watches` (orders are not followed), `token_unencrypted` (the service is
 * reached without TLS), `clock_differs` (this server's clock is not the service's),
 * `account_changed` (the store has checkouts of another account of the service),
 * `order_without_checkout` and `paid_without_checkout` (the service has an order that no checkout
 * of the store has): told to the merchant through `onError`.
 *
 * @example
 * ```ts
 * const isOurs = (code: PaywindowErrorCode) => code === 'forbidden_origin' || code === 'invalid_options'
 * isOurs('rate_limited') // => false
 * ```
 */
export type PaywindowErrorCode =
  | AnswerCode
  | 'invalid_amount'
  | 'invalid_answer'
  | 'unreachable'
  | 'invalid_options'
  | 'status_unknown'
  | 'deposit_false'
  | 'binding_contradicted'
  | 'order_unresolved'
  | 'paid_twice'
  | 'paid_less'
  | 'paid_more'
  | 'callback_failed'
  | 'events_waiting'
  | 'record_unreadable'
  | 'service_held_off'
  | 'clients_look_alike'
  | 'nobody_watches'
  | 'token_unencrypted'
  | 'clock_differs'
  | 'account_changed'
  | 'order_without_checkout'
  | 'paid_without_checkout'

/**
 * Branch on `code`; `message` is for people. `retryAfterMs` is set where trying again later makes
 * sense, `incident` where the merchant's `onError` was told of it under this name.
 *
 * @example
 * ```ts
 * const error = new PaywindowError('rate_limited', 'Too many requests', { retryAfterMs: 30_000 })
 * error.code // => 'rate_limited'
 * error.retryAfterMs // => 30_000
 * ```
 */
export class PaywindowError extends Error {
  override readonly name = 'PaywindowError'
  readonly code: PaywindowErrorCode
  readonly retryAfterMs: number | undefined
  readonly incident: string | undefined
  /**
   * What was thrown below, where there is something. Named for compilers whose `lib` is older than
   * ES2022.
   */
  declare readonly cause?: unknown

  constructor(
    code: PaywindowErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; incident?: string | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options.retryAfterMs
    this.incident = options.incident
  }
}

/** Whether a text is a code that a merchant server of this version answers with. */
export function isAnswerCode(code: string): code is AnswerCode {
  return answerCodes.some((known) => known === code)
}
