/**
 * Turns of creations with equal carts, whose orders could be confused. A creation waits until the
 * order of the creation before it is found, then reads the list: the orders shown there are not its
 * own. No turns are taken once the service's answers prove whose an order is, nor in a crowd: while
 * equal carts come faster than turns end. Without a turn, two orders may stay unresolved.
 */
import { ifServiceAnswers } from '../../service/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { type CheckoutRecord, turnName } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'
import type { OrderList } from '../orders/order-list.ts'
import { createLastTimes, hasPassed } from '../time/work.ts'

const maxCrowds = 1_000

/** Waits for the turn of a checkout. */
export type TakeTurn = ReturnType<typeof createTurns>

/** The right to create one order. */
export type Turn = Awaited<ReturnType<TakeTurn>>

/**
 * Returns a function that waits at most 6 s for the turn of a checkout, because a payer waits for
 * the panel. Then it goes on without a turn. A turn is a lease of 30 s, under one name for all
 * creations whose orders could be confused.
 */
export function createTurns(
  { repository, ids, now, sleep, serviceNow }: Pick<Context, 'repository' | 'ids' | 'now' | 'sleep' | 'serviceNow'>,
  binder: Pick<Binder, 'searchNow' | 'provesByTime'>,
  orderList: Pick<OrderList, 'since' | 'equalTo'>,
) {
  const { store } = repository
  /** Whether the last creation named its order: then turns are needless. */
  let isNamed = false
  /**
   * The holders that wait in this process, by the name of the turn. Only the first asks the store.
   */
  const waiting = new Map<string, string[]>()
  /** The last creation that found too many waiting, by the name of the turn. */
  const crowds = createLastTimes(maxCrowds, now)
  const isCrowded = (name: string) => crowds.sinceMs(name) < policy.creation.turnPatienceMs

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
   * Whether another order of these assets and this price, perhaps a lost one, may soon be listed.
   */
  const isAwaited = (equals: readonly CheckoutRecord[], { id }: CheckoutRecord) =>
    equals.some(
      (each) =>
        (each.id !== id && isRecent(each.createdAtMs)) || each.attempts.some(({ sentAtMs }) => isRecent(sentAtMs)),
    )

  const isNeeded = () => !isNamed && !binder.provesByTime()

  async function take(name: string, holder: string): Promise<boolean> {
    const queue = waiting.get(name) ?? []
    if (isCrowded(name) || queue.length >= policy.creation.mostWaiting) {
      crowds.note(name)
      return false
    }
    waiting.set(name, queue)
    queue.push(holder)
    const giveUpAtMs = now() + policy.creation.turnPatienceMs
    try {
      for (;;) {
        if (!isNeeded() || isCrowded(name)) return false
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
       * Reads the list, for 1.5 s at most, if another equal order may soon be listed. Resolves with
       * the ids of the listed equal orders: none of them is that of the next request.
       */
      readBefore: async (equals: readonly CheckoutRecord[]) => {
        if (!isNeeded()) return []
        const fromMs = serviceNow() - policy.creation.turnReadsWithinMs
        if (isMine && isAwaited(equals, checkout))
          await endsWithin({ now, sleep }, policy.creation.turnReadMs, ifServiceAnswers(orderList.since(fromMs)))
        return orderList.equalTo(checkout, fromMs)
      },
      /**
       * Searches the order that was created in this turn. Ends the turn when it is found, or after
       * half a second.
       */
      endWithSearch: async (created: CheckoutRecord) => {
        isNamed = created.binding?.evidence === 'response_id'
        // Where the list cannot be read, the next poll and the watcher search again.
        const searching = ifServiceAnswers(search(created))
        await Promise.race([searching, sleep(policy.creation.turnSearchMs)]).finally(end)
        await searching
      },
    }
  }
}
