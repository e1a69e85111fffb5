/** Requests to the service a second: those that somebody waits for go first, creations before all others. */

import type { Clock } from '../../service/clock.ts'

/** Creations and polls wait for so long at most; who would wait longer is refused at once. */
const longestWaitMs = { creation: 3_000, other: 10_000 } as const

/** Who asks: a payer who waits for an order, or anything else. */
export type Urgency = keyof typeof longestWaitMs

interface RequestBudget {
  /** Takes leave for one request. Resolves with 0, or at once with the ms after which it may be asked for again. */
  take(urgency: Urgency): Promise<number>
  /** Whether nobody waits and there is something left for what can wait. */
  hasSpare(): boolean
}

/** @param perSecond - Requests in a second; as many may go out at once after a pause. */
export function createRequestBudget(perSecond: number, clock: Clock): RequestBudget {
  // A clock that is set forward would give a second's worth more.
  const now = () => clock.monotonic?.() ?? clock.now()
  const waiting: Readonly<Record<Urgency, (() => void)[]>> = { creation: [], other: [] }
  const mostLeft = Math.max(1, perSecond)
  let left = mostLeft
  let filledAtMs = now()
  let isServing = false

  function fill(): void {
    const nowMs = now()
    left = Math.min(mostLeft, left + ((nowMs - filledAtMs) * perSecond) / 1000)
    filledAtMs = nowMs
  }

  const nextInLine = () => waiting.creation.shift() ?? waiting.other.shift()

  async function serve(): Promise<void> {
    isServing = true
    try {
      while (waiting.creation.length + waiting.other.length > 0) {
        await clock.sleep(Math.max(1, Math.ceil(((1 - left) * 1000) / perSecond)))
        for (fill(); left >= 1; left--) {
          const go = nextInLine()
          if (!go) return
          go()
        }
      }
    } finally {
      isServing = false
    }
  }

  return {
    take: async (urgency) => {
      fill()
      const ahead = waiting.creation.length + (urgency === 'creation' ? 0 : waiting.other.length)
      if (ahead === 0 && left >= 1) {
        left--
        return 0
      }
      const waitMs = Math.ceil(((ahead + 1 - left) * 1000) / perSecond)
      if (waitMs > longestWaitMs[urgency]) return waitMs
      return new Promise((resolve) => {
        waiting[urgency].push(() => resolve(0))
        if (!isServing) void serve()
      })
    },
    hasSpare: () => {
      fill()
      return waiting.creation.length + waiting.other.length === 0 && left >= mostLeft / 2
    },
  }
}
