/** Answers to browsers: JSON that nobody caches, and errors as a code with words for people. */
import { isAnswerCode, PaywindowError, statusOfCode } from '../contract/errors.ts'

/** Any JSON, with the headers that every answer has. */
export function jsonAnswer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** Turns a failure into an answer. Anything that is not meant for a browser becomes `internal`, without its words. */
export function errorAnswer(error: unknown): Response {
  const { code, message, retryAfterMs } = toPublicError(error)
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  return jsonAnswer({ v: 1, error: { code, message } }, statusOfCode[code], headers)
}

function toPublicError(error: unknown) {
  if (error instanceof PaywindowError && isAnswerCode(error.code) && statusOfCode[error.code] !== 500)
    return { code: error.code, message: error.message, retryAfterMs: error.retryAfterMs }
  return { code: 'internal' as const, message: 'Something went wrong on the merchant server', retryAfterMs: undefined }
}
