/**
 * Turns between the servers of one store: to ask for an order, to search for an order, and to read
 * the list. One server has the turn and stores what it learns; the others read the store.
 */
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { whileLeased } from '../store/with-lease.ts'

interface AskingTerms {
  readonly name: string
  /** False: the turn lasts `policy.turns.askMs`, even if the work ends earlier. */
  readonly endsWithWork: boolean
}

/** Turns to ask for an order, or to search for an order. */
export type AskingTurns = ReturnType<typeof createAskingTurns>

/** A turn costs the store two calls, or none if no other server was heard of for ten minutes. */
export function createAskingTurns({ repository: { store }, gate, ids, now, inBackground }: Context) {
  const holder = ids.secret()
  /**
   * Turns that outlast their work, with the time at which the work ended, oldest first. A store
   * keeps an ended lease until it is released.
   */
  const unreleased = new Map<string, number>()

  const leases = unlessStoreFails(store)

  /** Releases this turn later, and old ones now. */
  function releaseLater(name: string): void {
    unreleased.delete(name)
    unreleased.set(name, now())
    for (const [each, atMs] of unreleased) {
      if (now() - atMs < policy.turns.removedAfterMs) return
      unreleased.delete(each)
      inBackground(leases.release(each, holder))
    }
  }

  /**
   * Does the work, or resolves at once with `left to another server` if another server has the
   * turn. If the work rejects, the turn ends: a server that cannot reach the service lets another
   * try.
   */
  async function inTurn<Result>(
    { name, endsWithWork }: AskingTerms,
    work: () => Promise<Result>,
  ): Promise<Result | 'left to another server'> {
    await gate.announcePresence()
    if (!gate.hasOtherServers()) return work()
    if (!(await leases.lease(name, holder, policy.turns.askMs))) return 'left to another server'
    let isKept = false
    try {
      const result = await work()
      isKept = !endsWithWork
      return result
    } finally {
      if (isKept) releaseLater(name)
      else await leases.release(name, holder)
    }
  }

  return {
    inTurn,
    /** Does the work in any case, and takes the turn if it is free. */
    always: async <Result>(terms: AskingTerms, work: () => Promise<Result>): Promise<Result> => {
      const done = await inTurn(terms, async () => ({ result: await work() }))
      return done === 'left to another server' ? work() : done.result
    },
  }
}

/**
 * Without the store, payers still see what the service says. An unreleased lease soon ends by
 * itself.
 */
function unlessStoreFails({ lease, release }: Context['repository']['store']) {
  return {
    lease: (name: string, holder: string, forMs: number) => lease(name, holder, forMs).catch(() => true),
    release: (name: string, holder: string) => release(name, holder).catch(() => undefined),
  }
}

interface ReadingTerms {
  /** The other servers do not read for this long: they use this reading. */
  readonly servesMs: number
  /** Then this server leaves the reading to others for this long, so that each has its turn. */
  readonly restMs: number
}

/**
 * Returns a function that reads the list, or resolves with `left to another server` if another
 * server reads or has just read. The turn of a dead server ends after eight seconds, a failed turn
 * at once.
 */
export function createReadingTurn({ repository: { store }, gate, ids, now, sleep }: Context) {
  const turn = { name: 'read list', holder: ids.secret() }
  let askAgainAtMs = Number.NEGATIVE_INFINITY
  const leases = unlessStoreFails(store)

  return ({ servesMs, restMs }: ReadingTerms) => {
    let restsUntilMs = Number.NEGATIVE_INFINITY

    return async <Result>(read: () => Promise<Result>): Promise<Result | 'left to another server'> => {
      await gate.announcePresence()
      if (now() < askAgainAtMs || (now() < restsUntilMs && !gate.isAlone())) return 'left to another server'
      try {
        const done = await whileLeased(leases, { now, sleep }, turn, async () => ({ result: await read() }))
        if (!done) {
          askAgainAtMs = now() + policy.turns.readAskedEveryMs
          return 'left to another server'
        }
        restsUntilMs = now() + restMs
        await leases.lease(turn.name, turn.holder, servesMs)
        return done.result
      } catch (error) {
        await leases.release(turn.name, turn.holder)
        throw error
      }
    }
  }
}

/** Takes terms, and returns the function that reads by them. */
export type ReadingTurn = ReturnType<typeof createReadingTurn>
