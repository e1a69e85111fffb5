/**
 * Creations that could be confused take turns, so that each finds its order alone: but only while the service has not shown that its
 * answers prove whose an order is. The wait is short; after it, neither order is guessed.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import { turnName } from '../records/labels.ts'
import type { CheckoutRecord } from '../records/types.ts'

const waitMs = 400
const leaseMs = 30_000
/** After the answer, the order is searched this often before the turn ends. */
const searchDelaysMs = [0, 500, 1_000, 2_000, 4_000]

interface Turn {
  /** Ends the turn, so that the next creation can go on. */
  end(): Promise<void>
  /** Searches the order of the checkout that was created in this turn, and then ends the turn. */
  endWithSearch(created: CheckoutRecord): Promise<void>
}

/** Waits for the turn of a checkout, at most 0.4 s: a payer waits for the panel. */
export type TakeTurn = (checkout: CheckoutRecord) => Promise<Turn>

/** A turn is a lease of 30 seconds under the name of all creations that could be confused. Searches go on without one. */
export function createTurns(
  { repository, ids, now, sleep }: Pick<Context, 'repository' | 'ids' | 'now' | 'sleep'>,
  binder: Pick<Binder, 'searchNow' | 'provesByTime'>,
): TakeTurn {
  const { store } = repository
  let isNamed = false

  async function search(created: CheckoutRecord): Promise<void> {
    let checkout = created
    for (const delayMs of searchDelaysMs) {
      if (checkout.binding) return
      await sleep(delayMs)
      checkout = await binder.searchNow(checkout)
    }
  }

  return async (checkout) => {
    const name = turnName(checkout)
    const holder = ids.secret()
    const giveUpAtMs = now() + waitMs
    const isNeeded = () => !isNamed && !binder.provesByTime()
    let isMine = false
    while (isNeeded() && now() < giveUpAtMs && !isMine) {
      isMine = await store.lease(name, holder, leaseMs)
      if (!isMine) await sleep(100)
    }
    const end = async () => {
      if (isMine) await store.release(name, holder)
    }
    return {
      end,
      endWithSearch: async (created) => {
        isNamed = created.binding?.evidence === 'response_id'
        try {
          await search(created)
        } catch (error) {
          // The list could not be read: the next poll and the watcher try again.
          if (!(error instanceof ServiceError)) throw error
        } finally {
          await end()
        }
      },
    }
  }
}
