/** How soon the next worker takes over after a kill: it watches, and repeats callbacks. */

/** Milliseconds within which the next worker watches, and repeats an interrupted callback. */
export const limitsMs = { watching: 10_000, telling: 30_000 } as const

/** One kill, or one interrupted callback: since when, and what for. */
interface Pending {
  fromMs: number
  readonly what: string
  /** Steps in between, and when they came, to find out what took long. */
  readonly steps?: Map<string, number>
}

/** Milliseconds from a kill until the interrupted work went on. */
export interface Recovered {
  readonly what: string
  readonly tookMs: number
}

/**
 * Measures how soon the next worker takes over. A worker may be killed again before it watches.
 * Then the time without a process does not count. If it had the lease already, the time begins
 * anew, because the next worker must wait for that lease.
 */
export interface Recovery {
  noteKill(): void
  noteStart(): void
  /** The database has ended: nobody can watch until it is there again. */
  noteOutage(): void
  noteOutageEnd(): void
  /** The worker has the lease of the watcher. */
  noteWatchLease(): void
  /** A worker has asked the service for an order, or has nothing to ask for. */
  noteWatching(): void
  /** A callback has begun. Returns the function that notes its end. */
  noteCallback(eventId: string): () => void
  /** All times, as if open ones ended now. */
  results(): Readonly<Record<keyof typeof limitsMs, readonly Recovered[]>>
}

/** @param now - Ms since the epoch. */
export function createRecovery(now: () => number): Recovery {
  const done: Recovered[] = []
  const callbacks = createCallbacks(now)
  let unwatched: Pending | undefined
  let isUp = true
  let hasLease = false
  let downSinceMs: number | undefined
  let outageSinceMs: number | undefined
  let kills = 0

  return {
    noteKill: () => {
      kills += 1
      isUp = false
      if (unwatched && !hasLease) downSinceMs = now()
      else unwatched = { fromMs: now(), what: `kill ${kills}`, steps: new Map() }
      hasLease = false
      callbacks.interruptAll(`kill ${kills}`)
    },
    noteStart: () => {
      isUp = true
      unwatched?.steps?.set('started', now())
      if (unwatched && downSinceMs !== undefined) unwatched.fromMs += now() - downSinceMs
      downSinceMs = undefined
    },
    noteOutage: () => {
      outageSinceMs = now()
    },
    noteOutageEnd: () => {
      const sinceMs = outageSinceMs ?? now()
      outageSinceMs = undefined
      unwatched ??= { fromMs: sinceMs, what: `outage after kill ${kills}` }
      for (const pending of [unwatched, ...callbacks.interrupted()]) pending.fromMs += now() - sinceMs
    },
    noteWatchLease: () => {
      if (!hasLease) unwatched?.steps?.set('leased', now())
      hasLease = true
    },
    noteWatching: () => {
      // What the killed one had sent may arrive after the kill.
      if (!isUp || outageSinceMs !== undefined || !unwatched) return
      done.push(recovered(unwatched, now))
      unwatched = undefined
    },
    noteCallback: (eventId) => (isUp ? callbacks.begin(eventId) : callbacks.interrupt(eventId, `kill ${kills}`)),
    results: () => ({
      watching: [...done, ...(unwatched ? [recovered(unwatched, now)] : [])],
      telling: callbacks.results(),
    }),
  }
}

function recovered({ what, fromMs, steps = new Map() }: Pending, now: () => number): Recovered {
  const between = [...steps].map(([step, atMs]) => `, ${step} after ${atMs - fromMs} ms`)
  return { what: [what, ...between].join(''), tookMs: now() - fromMs }
}

/** Callbacks under way, and callbacks that a kill interrupted. */
function createCallbacks(now: () => number) {
  const done: Recovered[] = []
  /** By the ids of their events. */
  const calls = new Map<string, object>()
  const interrupted = new Map<string, Pending>()

  function interrupt(eventId: string, by: string): () => void {
    if (!interrupted.has(eventId)) interrupted.set(eventId, { fromMs: now(), what: `${eventId}, ${by}` })
    return () => undefined
  }

  return {
    interrupt,
    interrupted: () => [...interrupted.values()],
    interruptAll: (by: string) => {
      for (const eventId of calls.keys()) interrupt(eventId, by)
      calls.clear()
    },
    begin: (eventId: string) => {
      const before = interrupted.get(eventId)
      if (before) done.push(recovered(before, now))
      interrupted.delete(eventId)
      const call = {}
      calls.set(eventId, call)
      return () => {
        if (calls.get(eventId) === call) calls.delete(eventId)
      }
    },
    results: () => [...done, ...[...interrupted.values()].map((each) => recovered(each, now))],
  }
}
