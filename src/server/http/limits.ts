/** Limits what a client may cause: creations cost the service work, and freeze quotes at somebody's risk. */
import { PaywindowError } from '../../contract/errors.ts'

const windowMs = 600_000
/** Clients whose counts are kept: those that began longest ago are forgotten first. */
const maxClients = 100_000

interface Count {
  readonly points: number
  readonly untilMs: number
}

interface ClientLimit {
  /** @throws PaywindowError `rate_limited` with `retryAfterMs` when the client has caused as much as it may. */
  check(client: string): void
  /** Counts one thing that the client caused. */
  note(client: string): void
}

/** @param most - What a client may cause in ten minutes. */
export function createClientLimit(most: number, now: () => number): ClientLimit {
  /** In the order in which they end: all windows are equally long. No LRU cache, because counting again must not make a client newer. */
  const counts = new Map<string, Count>()

  function current(client: string): Count | undefined {
    const count = counts.get(client)
    return count && now() < count.untilMs ? count : undefined
  }

  function forgetOld(): void {
    for (const [client, { untilMs }] of counts) {
      if (untilMs > now() && counts.size <= maxClients) return
      counts.delete(client)
    }
  }

  return {
    check: (client) => {
      const count = current(client)
      if (!count || count.points < most) return
      throw new PaywindowError(
        'rate_limited',
        'Too many new payments were started from here: try again in some minutes',
        { retryAfterMs: count.untilMs - now() },
      )
    },
    note: (client) => {
      const count = current(client)
      if (!count) counts.delete(client)
      counts.set(client, { points: (count?.points ?? 0) + 1, untilMs: count?.untilMs ?? now() + windowMs })
      forgetOld()
    },
  }
}
