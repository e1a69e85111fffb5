/** One server of a store reads the list for all: what its pages show is in the store a moment later, where the others read it. */
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { whileLeased } from '../store/with-lease.ts'

/** How long a reading serves. */
interface Terms {
  /** After it the other servers do not read for this long. */
  readonly servesMs: number
  /** After it this server does not read for this long where there are others: so that each comes to it. */
  readonly restMs: number
}

/**
 * Returns a function that reads where no other server reads or has just read; else it resolves with `by others`. A turn that its server
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

  return ({ servesMs, restMs }: Terms) => {
    let restsUntilMs = Number.NEGATIVE_INFINITY

    return async <Result>(read: () => Promise<Result>): Promise<Result | 'by others'> => {
      await gate.present()
      if (now() < askAgainAtMs || (now() < restsUntilMs && !gate.isAlone())) return 'by others'
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
        return 'by others'
      }
      await leases.release(turn.name, turn.holder)
      throw done.error
    }
  }
}

/** Takes turns of the server with others, on given terms. */
export type ReadingTurn = ReturnType<typeof createReadingTurn>
