/**
 * Turns of creations whose orders could be confused, because carts are equal. One creation waits
 * until the order of the one before is found, then reads the list: an order that it shows is not
 * its own. No turns are taken once the service's answers prove whose an order is, or while many
 * equal carts wait already. Without a turn, two orders may stay unresolved.
 */
import { unlessServiceFails } from '../../service/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { type CheckoutRecord, turnName } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'
import type { OrderList } from '../orders/order-list.ts'
import { hasPassed } from '../time/work.ts'

/** Waits for the turn of a checkout. */
export type TakeTurn = ReturnType<typeof createTurns>

/** The right to create one order. */
export type Turn = Awaited<ReturnType<TakeTurn>>

/**
 * Returns a function that waits for the turn of a checkout, for 6 s at most, because a payer waits
 * for the panel. It goes on without a turn then. A turn is a lease of 30 seconds. Creations whose
 * orders could be confused share its name.
 */
export function createTurns(
  { repository, ids, now, sleep, serviceNow }: Pick<Context, 'repository' | 'ids' | 'now' | 'sleep' | 'serviceNow'>,
  binder: Pick<Binder, 'searchNow' | 'provesByTime'>,
  orderList: Pick<OrderList, 'since' | 'equalTo'>,
) {
  const { store } = repository
  /** Whether the last creation named its order, which makes turns needless. */
  let isNamed = false
  /** Who waits in this process for a turn, by its name. Only the first of them asks the store. */
  const waiting = new Map<string, string[]>()

  async function search(created: CheckoutRecord): Promise<void> {
    let checkout = created
    for (const delayMs of policy.creation.searchDelaysMs) {
      if (checkout.binding) return
      await sleep(delayMs)
      checkout = await binder.searchNow(checkout)
    }
  }

  const isRecent = (atMs: number) => !hasPassed(policy.creation.turnReadsWithinMs, atMs, now())

  /**
   * Whether the list may show another order of these assets and this price soon, a lost one
   * included.
   */
  const isAwaited = (equals: readonly CheckoutRecord[], { id }: CheckoutRecord) =>
    equals.some(
      (each) =>
        (each.id !== id && isRecent(each.createdAtMs)) || each.attempts.some(({ sentAtMs }) => isRecent(sentAtMs)),
    )

  const isNeeded = () => !isNamed && !binder.provesByTime()

  async function take(name: string, holder: string): Promise<boolean> {
    const queue = waiting.get(name) ?? []
    if (queue.length >= policy.creation.mostWaiting) return false
    waiting.set(name, queue)
    queue.push(holder)
    const giveUpAtMs = now() + policy.creation.turnPatienceMs
    try {
      for (;;) {
        if (!isNeeded()) return false
        if (queue[0] === holder && (await store.lease(name, holder, policy.creation.turnLeaseMs))) return true
        if (now() >= giveUpAtMs) return false
        await sleep(policy.creation.turnAskedEveryMs)
      }
    } finally {
      queue.splice(queue.indexOf(holder), 1)
      if (queue.length === 0) waiting.delete(name)
    }
  }

  return async (checkout: CheckoutRecord) => {
    const name = turnName(checkout)
    const holder = ids.secret()
    const isMine = await take(name, holder)
    const end = async () => {
      if (isMine) await store.release(name, holder)
    }
    return {
      end,
      /**
       * Reads the list if it may show another equal order soon. Resolves with the ids of equal
       * orders that the list shows: none of them is that of the request to come. Waits 1.5 s at
       * most.
       */
      readBefore: async (equals: readonly CheckoutRecord[]) => {
        if (!isNeeded()) return []
        const fromMs = serviceNow() - policy.creation.turnReadsWithinMs
        if (isMine && isAwaited(equals, checkout))
          await endsWithin(
            { now, sleep },
            policy.creation.turnReadMs,
            unlessServiceFails(orderList.since(fromMs), goOn),
          )
        return orderList.equalTo(checkout, fromMs)
      },
      /**
       * Searches the order that was created in this turn. Ends the turn when it is found, or after
       * half a second.
       */
      endWithSearch: async (created: CheckoutRecord) => {
        isNamed = created.binding?.evidence === 'response_id'
        const searching = unlessServiceFails(search(created), goOn)
        await Promise.race([searching, sleep(policy.creation.turnSearchMs)]).finally(end)
        await searching
      },
    }
  }
}

/**
 * Where the list cannot be read, a creation goes on, and the next poll and the watcher search
 * again.
 */
const goOn = () => undefined
