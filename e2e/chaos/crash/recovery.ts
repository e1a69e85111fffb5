/** How soon the next worker takes over after a kill: when it watches, and when it repeats the callbacks that the kill interrupted. */

/** After a kill the next worker watches within this time, and a callback that was interrupted is called again within that one. */
export const limitsMs = { watching: 10_000, telling: 30_000 } as const

/** One kill, or one interrupted callback: since when, and what for. */
interface Pending {
  fromMs: number
  readonly what: string
}

/** Ms from a kill until what was interrupted went on. */
export interface Recovered {
  readonly what: string
  readonly tookMs: number
}

/**
 * Follows the kills of the worker. Where a worker is killed once more before it was seen watching, the time until the next one has started
 * does not count for watching; where it had the lease by then, the time begins anew, because the next one waits for that lease.
 */
export interface Recovery {
  noteKill(): void
  noteStart(): void
  /** The worker has the lease of the watcher. */
  noteWatchLease(): void
  /** A worker has asked the service for an order. */
  noteWatching(): void
  /** A callback has begun. Returns the function that notes its end. */
  noteCallback(eventId: string): () => void
  /** Everything that has gone on, and what has not, as if it went on now. */
  results(): Readonly<Record<keyof typeof limitsMs, readonly Recovered[]>>
}

/** @param now - Ms since the epoch. */
export function createRecovery(now: () => number): Recovery {
  const done: Record<keyof typeof limitsMs, Recovered[]> = { watching: [], telling: [] }
  /** Callbacks under way, by the ids of their events. */
  const calls = new Map<string, object>()
  const interrupted = new Map<string, Pending>()
  let unwatched: Pending | undefined
  let isUp = true
  let hasLease = false
  let downSinceMs: number | undefined
  let kills = 0

  const recovered = ({ what, fromMs }: Pending): Recovered => ({ what, tookMs: now() - fromMs })
  const interrupt = (eventId: string) => {
    if (!interrupted.has(eventId)) interrupted.set(eventId, { fromMs: now(), what: `${eventId}, kill ${kills}` })
  }

  return {
    noteKill: () => {
      kills += 1
      isUp = false
      if (unwatched && !hasLease) downSinceMs = now()
      else unwatched = { fromMs: now(), what: `kill ${kills}` }
      hasLease = false
      for (const eventId of calls.keys()) interrupt(eventId)
      calls.clear()
    },
    noteStart: () => {
      isUp = true
      if (unwatched && downSinceMs !== undefined) unwatched.fromMs += now() - downSinceMs
      downSinceMs = undefined
    },
    noteWatchLease: () => {
      hasLease = true
    },
    noteWatching: () => {
      // What the killed one had sent may arrive after the kill.
      if (!isUp || !unwatched) return
      done.watching.push(recovered(unwatched))
      unwatched = undefined
    },
    noteCallback: (eventId) => {
      if (!isUp) {
        interrupt(eventId)
        return () => undefined
      }
      const before = interrupted.get(eventId)
      if (before) done.telling.push(recovered(before))
      interrupted.delete(eventId)
      const call = {}
      calls.set(eventId, call)
      return () => {
        if (calls.get(eventId) === call) calls.delete(eventId)
      }
    },
    results: () => ({
      watching: [...done.watching, ...(unwatched ? [recovered(unwatched)] : [])],
      telling: [...done.telling, ...[...interrupted.values()].map(recovered)],
    }),
  }
}
