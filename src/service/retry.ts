/** Sends a GET again when that can help. POST and DELETE are never repeated: they may have been carried out. */
import { ServiceError } from './errors.ts'
import type { TokenSource } from './token.ts'
import { type Answer, type Call, type ObservedSettings, send } from './transport.ts'

const firstBackoffMs = 300
const longestBackoffMs = 5_000

/** A longer `Retry-After` is not waited for here: the caller gets it as `retryAfterMs`. */
const longestRetryAfterMs = 60_000

/** Sends a request, and a GET up to `retries` times more. */
export async function sendWithRetries(call: Call, settings: ObservedSettings, tokens: TokenSource): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(call, settings, tokens)
    } catch (error) {
      const mayRepeat = call.method === 'GET' && attempt < settings.retries && error instanceof ServiceError
      const waitMs = mayRepeat ? backoffMs(error, attempt, settings.random) : undefined
      if (waitMs === undefined) throw error
      await settings.clock.sleep(waitMs)
    }
  }
}

/** Exponential backoff with full jitter, and never before `Retry-After`; undefined when repeating is no use. */
function backoffMs(error: ServiceError, attempt: number, random: () => number): number | undefined {
  const jitterMs = Math.floor(random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt))
  switch (error.code) {
    case 'rate_limited':
    case 'unavailable':
    case 'timeout':
    case 'unreachable': {
      const askedMs = error.retryAfterMs ?? 0
      return askedMs > longestRetryAfterMs ? undefined : askedMs + jitterMs
    }
    case 'unauthorized':
    case 'forbidden':
    case 'refused':
    case 'not_found':
    case 'invalid_answer':
    case 'invalid_request':
      return undefined
  }
}
