/**
 * HTTP statuses of the merchant server's answers. Apart from the codes, because browsers need only
 * those.
 */
import type { AnswerCode } from './errors.ts'

/** The HTTP status that goes with each code of an answer. */
export const statusOfCode = {
  invalid_request: 400,
  forbidden_origin: 403,
  not_found: 404,
  not_offered: 404,
  method_not_allowed: 405,
  already_seen: 409,
  request_too_large: 413,
  unsupported_media_type: 415,
  method_not_offered: 422,
  asset_not_crypto: 422,
  rate_limited: 429,
  internal: 500,
  offer_invalid: 500,
  service_refused: 502,
  service_invalid: 502,
  service_unavailable: 503,
} as const satisfies Record<AnswerCode, number>
