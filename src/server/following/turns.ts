/**
 * The servers of a store take turns to ask for an order, to search for an order, and to read the list.
 * What one server learns is in the store a moment later, where the others read it.
 */
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { whileLeased } from '../store/with-lease.ts'

interface AskingTerms {
  readonly name: string
  /** Whether the turn ends with the work; else other servers wait for what is left of it. */
  readonly endsWithWork: boolean
}

/** Takes turns with the other servers of the store. */
export interface AskingTurns {
  /**
   * Does the work unless another server has the turn; then resolves with `left to another server`, at once. Where the work rejects, the turn ends, so
   * that a server that cannot reach the service leaves it to others.
   */
  inTurn<Result>(terms: AskingTerms, work: () => Promise<Result>): Promise<Result | 'left to another server'>
  /** Does the work in any case, and takes the turn if it is free. */
  always<Result>(terms: AskingTerms, work: () => Promise<Result>): Promise<Result>
}

/**
 * A turn costs the store one call, and another when it ends with its work or is removed; nothing where no other server was heard of for ten
 * minutes.
 */
export function createAskingTurns({
  repository: { store },
  gate,
  ids,
  now,
  inBackground,
}: Pick<Context, 'repository' | 'gate' | 'ids' | 'now' | 'inBackground'>): AskingTurns {
  const holder = ids.secret()
  /** When turns were last taken that have not ended with their work, the longest ago first. A store keeps a lease until it is released. */
  const left = new Map<string, number>()

  // Where nothing can be written, payers are still shown what the service says.
  const take = (name: string) => store.lease(name, holder, policy.turns.askMs).catch(() => true)
  // One that is not released is over soon all the same.
  const release = (name: string) => store.release(name, holder).catch(() => undefined)

  function leave(name: string): void {
    left.delete(name)
    left.set(name, now())
    for (const [each, atMs] of left) {
      if (now() - atMs < policy.turns.removedAfterMs) return
      left.delete(each)
      inBackground(release(each))
    }
  }

  const inTurn: AskingTurns['inTurn'] = async ({ name, endsWithWork }, work) => {
    await gate.present()
    if (!gate.hasCompany()) return work()
    if (!(await take(name))) return 'left to another server'
    let isKept = false
    try {
      const result = await work()
      isKept = !endsWithWork
      return result
    } finally {
      if (isKept) leave(name)
      else await release(name)
    }
  }

  return {
    inTurn,
    always: async (terms, work) => {
      const done = await inTurn(terms, async () => ({ result: await work() }))
      return done === 'left to another server' ? work() : done.result
    },
  }
}

/** How long a reading serves. */
interface ReadingTerms {
  /** After it the other servers do not read for this long. */
  readonly servesMs: number
  /** After it this server does not read for this long where there are others: so that each comes to it. */
  readonly restMs: number
}

/**
 * Returns a function that reads where no other server reads or has just read; else it resolves with `left to another server`. A turn that its server
 * does not end, because it died, is over after eight seconds; one that failed is over at once.
 */
export function createReadingTurn({
  repository: { store },
  gate,
  ids,
  now,
  sleep,
}: Pick<Context, 'repository' | 'gate' | 'ids' | 'now' | 'sleep'>) {
  const turn = { name: 'read list', holder: ids.secret() }
  let askAgainAtMs = Number.NEGATIVE_INFINITY
  const leases = {
    // Where nothing can be written, payers are still shown what the service says.
    lease: (name: string, holder: string, forMs: number) => store.lease(name, holder, forMs).catch(() => true),
    release: (name: string, holder: string) => store.release(name, holder).catch(() => undefined),
  }

  return ({ servesMs, restMs }: ReadingTerms) => {
    let restsUntilMs = Number.NEGATIVE_INFINITY

    return async <Result>(read: () => Promise<Result>): Promise<Result | 'left to another server'> => {
      await gate.present()
      if (now() < askAgainAtMs || (now() < restsUntilMs && !gate.isAlone())) return 'left to another server'
      const done = await whileLeased(leases, { now, sleep }, turn, async () => {
        try {
          return { result: await read() }
        } catch (error) {
          return { error }
        }
      })
      if (done && 'result' in done) {
        restsUntilMs = now() + restMs
        await leases.lease(turn.name, turn.holder, servesMs)
        return done.result
      }
      if (!done) {
        askAgainAtMs = now() + policy.turns.readAskedEveryMs
        return 'left to another server'
      }
      await leases.release(turn.name, turn.holder)
      throw done.error
    }
  }
}

/** Takes turns of the server with others, on given terms. */
export type ReadingTurn = ReturnType<typeof createReadingTurn>
