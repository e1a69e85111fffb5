/** Limits what a client may cause: creations cost the service work, and freeze quotes at somebody's risk. */
import { PaywindowError } from '../../contract/errors.ts'

const windowMs = 600_000
/** Clients that are remembered: those that were noted longest ago are forgotten first. */
const maxClients = 100_000

interface ClientLimit {
  /** @throws PaywindowError `rate_limited` with `retryAfterMs` when the client has caused as much as it may. */
  check(client: string): void
  /** Counts one thing that the client caused. */
  note(client: string): void
}

/**
 * What is used up comes back piece by piece: a client that is several payers is never refused longer than one of them goes on.
 *
 * @param most - What a client may cause at once, and then again in ten minutes.
 */
export function createClientLimit(most: number, now: () => number): ClientLimit {
  const pieceMs = windowMs / most
  /** When each client may cause all of it again, in the order in which they were noted. */
  const wholeAtMs = new Map<string, number>()

  function forgetOld(): void {
    for (const [client, atMs] of wholeAtMs) {
      if (atMs > now() && wholeAtMs.size <= maxClients) return
      wholeAtMs.delete(client)
    }
  }

  return {
    check: (client) => {
      const retryAfterMs = (wholeAtMs.get(client) ?? 0) + pieceMs - windowMs - now()
      // A piece may be no whole number.
      if (retryAfterMs < 1) return
      throw new PaywindowError('rate_limited', 'Too many new payments were started from here: try again in a moment', {
        retryAfterMs,
      })
    },
    note: (client) => {
      const atMs = Math.max(wholeAtMs.get(client) ?? 0, now()) + pieceMs
      wholeAtMs.delete(client)
      wholeAtMs.set(client, atMs)
      forgetOld()
    },
  }
}
