/**
 * Turns of creations whose orders could be confused, because carts are equal. One creation waits
 * until the order of the one before is found. No turns are taken once the service's answers prove
 * whose an order is, or while many equal carts come at once. Without a turn, two orders may stay
 * unresolved.
 */
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { type CheckoutRecord, turnName } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'

const maxRemembered = 1_000

interface Turn {
  end(): Promise<void>
  /**
   * Searches the order that was created in this turn. Ends the turn when it is found, or after half
   * a second.
   */
  endWithSearch(created: CheckoutRecord): Promise<void>
}

/**
 * Waits for the turn of a checkout, for 3 s at most, because a payer waits for the panel. Goes on
 * without a turn then.
 */
export type TakeTurn = (checkout: CheckoutRecord) => Promise<Turn>

/** A turn is a lease of 30 seconds. Creations whose orders could be confused share its name. */
export function createTurns(
  { repository, ids, now, sleep }: Pick<Context, 'repository' | 'ids' | 'now' | 'sleep'>,
  binder: Pick<Binder, 'searchNow' | 'provesByTime'>,
): TakeTurn {
  const { store } = repository
  /** Whether the last creation named its order, which makes turns needless. */
  let isNamed = false
  const isCrowded = createIsCrowded(now)

  async function search(created: CheckoutRecord): Promise<void> {
    let checkout = created
    try {
      for (const delayMs of policy.creation.searchDelaysMs) {
        if (checkout.binding) return
        await sleep(delayMs)
        checkout = await binder.searchNow(checkout)
      }
    } catch (error) {
      // The list could not be read: the next poll and the watcher try again.
      if (!(error instanceof ServiceError)) throw error
    }
  }

  const isNeeded = () => !isNamed && !binder.provesByTime()

  async function take(name: string, holder: string): Promise<boolean> {
    const giveUpAtMs = now() + (isCrowded(name) ? 0 : policy.creation.turnPatienceMs)
    for (;;) {
      if (!isNeeded()) return false
      if (await store.lease(name, holder, policy.creation.turnLeaseMs)) return true
      if (now() >= giveUpAtMs) return false
      await sleep(policy.creation.turnAskedEveryMs)
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
        const searching = search(created)
        await Promise.race([searching, sleep(policy.creation.turnSearchMs)]).finally(end)
        await searching
      },
    }
  }
}

/**
 * Returns a function that counts a caller for a turn, and tells whether too many have come at once.
 */
function createIsCrowded(now: () => number): (name: string) => boolean {
  const last = new LRUCache<string, readonly number[]>(growingTo(maxRemembered))
  return (name) => {
    const times = [...(last.get(name) ?? []), now()].slice(-policy.creation.crowdSize)
    last.set(name, times)
    return times.length === policy.creation.crowdSize && now() - (times[0] ?? 0) < policy.creation.crowdWithinMs
  }
}
