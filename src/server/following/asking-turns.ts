/** Servers of a store take turns to ask for an order and to search for one: what one of them learns is in the store a moment later. */
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'

interface Terms {
  readonly name: string
  /** Whether the turn ends with the work; else other servers wait for what is left of it. */
  readonly endsWithWork: boolean
}

/** Takes turns with the other servers of the store. */
export interface AskingTurns {
  /**
   * Does the work unless another server has the turn; then resolves with `by others`, at once. Where the work rejects, the turn ends, so
   * that a server that cannot reach the service leaves it to others.
   */
  inTurn<Result>(terms: Terms, work: () => Promise<Result>): Promise<Result | 'by others'>
  /** Does the work in any case, and takes the turn if it is free. */
  always<Result>(terms: Terms, work: () => Promise<Result>): Promise<Result>
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
    if (!(await take(name))) return 'by others'
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
      return done === 'by others' ? work() : done.result
    },
  }
}
