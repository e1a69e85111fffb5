/**
 * Creations that could be confused take turns, so that each finds its order alone: but only while the service has not shown that its
 * answers prove whose an order is, and only where few come at once. Whoever goes without a turn may find that neither order is known.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import { turnName } from '../records/labels.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { createLastTimes } from '../time/last-times.ts'

/** The longest wait of a payer. One waits for a turn at a time: more would wait in vain. */
const waitMs = 3_000
const askEveryMs = 250
/** Where one waited in vain, equal carts come too fast to take turns, and nobody waits for so long. */
const crowdedMs = 60_000
/** Turns that are remembered as crowded. */
const maxRemembered = 1_000
const leaseMs = 30_000
/** After the answer, the order is searched this often before the turn ends. */
const searchDelaysMs = [0, 500, 1_000, 2_000, 4_000]

interface Turn {
  /** Ends the turn, so that the next creation can go on. */
  end(): Promise<void>
  /** Searches the order of the checkout that was created in this turn, and then ends the turn. */
  endWithSearch(created: CheckoutRecord): Promise<void>
}

/** Waits for the turn of a checkout, at most 3 s: a payer waits for the panel. */
export type TakeTurn = (checkout: CheckoutRecord) => Promise<Turn>

/** A turn is a lease of 30 seconds under the name of all creations that could be confused. Searches go on without one. */
export function createTurns(
  { repository, ids, now, sleep }: Pick<Context, 'repository' | 'ids' | 'now' | 'sleep'>,
  binder: Pick<Binder, 'searchNow' | 'provesByTime'>,
): TakeTurn {
  const { store } = repository
  let isNamed = false
  const waiting = new Set<string>()
  const inVain = createLastTimes(maxRemembered, now)

  async function search(created: CheckoutRecord): Promise<void> {
    let checkout = created
    for (const delayMs of searchDelaysMs) {
      if (checkout.binding) return
      await sleep(delayMs)
      checkout = await binder.searchNow(checkout)
    }
  }

  const isNeeded = () => !isNamed && !binder.provesByTime()

  /** Resolves with whether the turn is the holder's now. */
  async function take(name: string, holder: string): Promise<boolean> {
    const lease = () => store.lease(name, holder, leaseMs)
    if (!isNeeded()) return false
    if (await lease()) return true
    if (waiting.has(name) || inVain.sinceMs(name) < crowdedMs) return false
    waiting.add(name)
    try {
      const giveUpAtMs = now() + waitMs
      while (now() < giveUpAtMs) {
        await sleep(askEveryMs)
        if (!isNeeded()) return false
        if (await lease()) return true
      }
      inVain.note(name)
      return false
    } finally {
      waiting.delete(name)
    }
  }

  return async (checkout) => {
    const name = turnName(checkout)
    const holder = ids.secret()
    const isMine = await take(name, holder)
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
