/** How many new checkouts a client may cause: creations cost the service work, and freeze quotes at somebody's risk. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { PaywindowError } from '../contract/errors.ts'

const windowS = 600

/** Returns a function that counts one creation of a client. It rejects with `rate_limited` and `retryAfterMs` when there were too many. */
export function createClientLimit(creationsPerClient: number): (client: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: creationsPerClient, duration: windowS })
  return async (client) => {
    try {
      await limiter.consume(client)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new PaywindowError(
        'rate_limited',
        'Too many new payments were started from here: try again in some minutes',
        {
          retryAfterMs: refusal.msBeforeNext,
        },
      )
    }
  }
}
