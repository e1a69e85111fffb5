/** Limits the requests to the service in a second. Creations go before all others. */

import type { Clock } from '../../service/clock.ts'

/** The longest waits. A request that would wait longer is refused at once. */
const longestWaitMs = { creation: 3_000, other: 10_000 } as const

/** Requests that leave a second apart may arrive a little closer. */
const slack = 1.05

/** The kinds of requests: a creation, for which a payer waits, or anything else. */
export type Urgency = keyof typeof longestWaitMs

interface RequestBudget {
  /** Waits for its place. Resolves with 0 when the request may be sent, or at once with the ms after which to try again. */
  take(urgency: Urgency): Promise<number>
  /** Whether nobody waits and there is something left for what can wait. */
  hasSpare(): boolean
}

/**
 * No second has more requests than the merchant allows, wherever it begins: services count them in seconds of their own.
 *
 * @param perSecond - Requests in a second, which may go out at once; below 1, one request in so much longer.
 */
export function createRequestBudget(perSecond: number, clock: Clock): RequestBudget {
  // A clock that is set forward would give a second's worth more.
  const now = () => clock.monotonic?.() ?? clock.now()
  const waiting: Readonly<Record<Urgency, (() => void)[]>> = { creation: [], other: [] }
  const most = Math.max(1, Math.floor(perSecond))
  const windowMs = (most / perSecond) * 1_000 * slack
  /** When the last requests went out, oldest first: as many as a second may have. */
  let sentAtMs: readonly number[] = []
  let isServing = false

  /** When the next request may go out, after so many others. */
  function freeAtMs(ahead: number): number {
    const before = sentAtMs[sentAtMs.length - most + (ahead % most)]
    return (before === undefined ? now() : Math.max(now(), before + windowMs)) + Math.floor(ahead / most) * windowMs
  }

  function send(): void {
    sentAtMs = [...sentAtMs, now()].slice(-most)
  }

  const isFree = () => freeAtMs(0) <= now()
  const nextInLine = () => waiting.creation.shift() ?? waiting.other.shift()
  const inLine = () => waiting.creation.length + waiting.other.length

  async function serve(): Promise<void> {
    isServing = true
    try {
      while (inLine() > 0) {
        await clock.sleep(Math.max(1, Math.ceil(freeAtMs(0) - now())))
        while (inLine() > 0 && isFree()) {
          send()
          nextInLine()?.()
        }
      }
    } finally {
      isServing = false
    }
  }

  return {
    take: async (urgency) => {
      const ahead = waiting.creation.length + (urgency === 'creation' ? 0 : waiting.other.length)
      if (ahead === 0 && isFree()) {
        send()
        return 0
      }
      const waitMs = Math.ceil(freeAtMs(ahead) - now())
      if (waitMs > longestWaitMs[urgency]) return waitMs
      return new Promise((resolve) => {
        waiting[urgency].push(() => resolve(0))
        if (!isServing) void serve()
      })
    },
    hasSpare: () => {
      const used = sentAtMs.filter((atMs) => now() - atMs < windowMs).length
      return inLine() === 0 && used <= most / 2
    },
  }
}
