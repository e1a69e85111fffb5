/** Limits the requests to the service in a second: creations go first, then what matters soon, then the rest. */
import type { Clock } from '../../service/clock.ts'
import { policy } from '../core/policy.ts'

/** No limit is higher. */
const maxPerSecond = 1_000

/** The kinds of requests: a creation, for which a payer waits; an order that changes soon; or anything else. */
export type Urgency = keyof typeof policy.budget.longestWaitMs

/** Whose turn is first. */
const urgencies = ['creation', 'soon', 'other'] as const satisfies readonly Urgency[]

interface RequestBudget {
  /** Waits for its place. Resolves with 0 when the request may be sent, or at once with the ms after which to try again. */
  take(urgency: Urgency): Promise<number>
  /** Whether nobody waits and there is something left for what can wait. */
  hasSpare(): boolean
}

/** So many requests in so much time, in ms; of the requests, some are kept for creations. */
interface Limit {
  readonly most: number
  readonly kept: number
  readonly windowMs: number
}

function limitOf(perSecond: number): Limit {
  const most = Math.max(1, Math.floor(perSecond))
  const kept = most < policy.budget.leastToShare ? 0 : Math.max(1, Math.round(most * policy.budget.creationShare))
  return { most, kept, windowMs: Math.max(1, 1 / perSecond) * 1_000 * policy.budget.slack }
}

/**
 * No second has more requests than this server may send, wherever it begins: services count them in seconds of their own.
 *
 * @param perSecond - Requests in a second, which may go out at once; below 1, one request in so much longer. May change at any time.
 */
export function createRequestBudget(perSecond: () => number, clock: Clock): RequestBudget {
  // A clock that is set forward would give a second's worth more.
  const now = () => clock.monotonic?.() ?? clock.now()
  const waiting: Readonly<Record<Urgency, (() => void)[]>> = { creation: [], soon: [], other: [] }
  const sent = createWindow(now)
  const sentButCreations = createWindow(now)
  let isServing = false
  let pause = new AbortController()

  /** When a request of a kind may go out, after so many others of which so many are creations. */
  function freeAtMs(urgency: Urgency, ahead: number, creationsAhead: number): number {
    const { most, kept, windowMs } = limitOf(perSecond())
    const freeMs = sent.freeAtMs(ahead, most, windowMs)
    if (urgency === 'creation') return freeMs
    return Math.max(freeMs, sentButCreations.freeAtMs(ahead - creationsAhead, most - kept, windowMs))
  }

  function send(urgency: Urgency): void {
    sent.note()
    if (urgency !== 'creation') sentButCreations.note()
  }

  const isFree = (urgency: Urgency) => freeAtMs(urgency, 0, 0) <= now()
  const nextInLine = () => urgencies.find((urgency) => waiting[urgency].length > 0)

  async function serve(): Promise<void> {
    isServing = true
    try {
      for (let next = nextInLine(); next !== undefined; next = nextInLine()) {
        if (isFree(next)) {
          send(next)
          waiting[next].shift()?.()
          continue
        }
        pause = new AbortController()
        const waitMs = Math.min(policy.budget.limitHoldsMs, Math.max(1, Math.ceil(freeAtMs(next, 0, 0) - now())))
        // Ends early when a creation comes, which may have a place before those that wait.
        await clock.sleep(waitMs, pause.signal).catch(() => undefined)
      }
    } finally {
      isServing = false
    }
  }

  return {
    take: async (urgency) => {
      const inFront = urgencies.slice(0, urgencies.indexOf(urgency) + 1)
      const ahead = inFront.reduce((sum, each) => sum + waiting[each].length, 0)
      if (ahead === 0 && isFree(urgency)) {
        send(urgency)
        return 0
      }
      const waitMs = Math.ceil(freeAtMs(urgency, ahead, waiting.creation.length) - now())
      if (waitMs > policy.budget.longestWaitMs[urgency]) return waitMs
      return new Promise((resolve) => {
        waiting[urgency].push(() => resolve(0))
        if (!isServing) void serve()
        else if (urgency === 'creation') pause.abort()
      })
    },
    hasSpare: () => {
      const { most, windowMs } = limitOf(perSecond())
      return nextInLine() === undefined && sent.count(windowMs) <= most / 2
    },
  }
}

/** Requests that went out. */
function createWindow(now: () => number) {
  /** When, oldest first: as many as a second may have. */
  let atMs: readonly number[] = []
  return {
    note: () => {
      atMs = [...atMs, now()].slice(-maxPerSecond)
    },
    /** When the next one may go out, after so many others, if so many are allowed in a window. */
    freeAtMs: (ahead: number, most: number, windowMs: number) => {
      const before = atMs[atMs.length - most + (ahead % most)]
      return (before === undefined ? now() : Math.max(now(), before + windowMs)) + Math.floor(ahead / most) * windowMs
    },
    count: (windowMs: number) => atMs.filter((each) => now() - each < windowMs).length,
  }
}
