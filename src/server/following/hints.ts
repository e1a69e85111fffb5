/**
 * Takes hints that an order may have changed, and looks at the order. A sender of hints must not
 * use up the budget of requests: hints wait in a queue, and an order is read at most once a second.
 * Hints beyond the queue are dropped, because the watcher finds the same changes.
 */
import { ifServiceAnswers } from '../../service/errors.ts'
import { canonicalId } from '../../service/parse.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { hasPassed } from '../time/work.ts'
import type { LookoutParts } from './lookout.ts'

/** Returns a function that takes a hint, the id of an order, and returns at once. */
export function createHints(
  { repository, settings, now, sleep, inBackground }: Context,
  { tracker, binder }: Pick<LookoutParts, 'tracker' | 'binder'>,
): (orderId: string) => void {
  const maxWorkers = Math.max(1, Math.floor(settings.serviceRequestsPerSecond * policy.hints.budgetShare))
  /** Orders with a hint, oldest first. */
  const waiting = new Set<string>()
  /** Orders of a look under way, or of the last second: one for each worker. */
  const resting = new Set<string>()
  let searchedAtMs = Number.NEGATIVE_INFINITY

  async function work(): Promise<void> {
    for (let orderId = next(); orderId !== undefined; orderId = next()) {
      waiting.delete(orderId)
      resting.add(orderId)
      try {
        if (await look(orderId)) await sleep(policy.hints.restMs)
      } finally {
        resting.delete(orderId)
      }
    }
  }

  const next = () => [...waiting].find((orderId) => !resting.has(orderId))

  /** Resolves with true if the order is bound, so that the service was asked for it. */
  async function look(orderId: string): Promise<boolean> {
    const ownerId = await repository.ownerOf(orderId)
    if (ownerId === undefined) {
      await search()
      return false
    }
    const [checkout] = await repository.readCheckouts([ownerId])
    if (checkout?.binding?.orderId !== orderId) return false
    // After a failure the watcher tries again, and the gate reports a failure that lasts.
    await ifServiceAnswers(binder.recheck(checkout).then(tracker.lookNow))
    return true
  }

  /**
   * Searches for checkouts without an order: the hint may be about the order of such a checkout.
   */
  async function search(): Promise<void> {
    if (!hasPassed(policy.hints.searchEveryMs, searchedAtMs, now())) return
    searchedAtMs = now()
    const unbound = await repository.listCheckouts('unresolved', { limit: policy.hints.mostSearched })
    const fresh = unbound.filter(({ createdAtMs }) => !hasPassed(policy.hints.searchedForMs, createdAtMs, now()))
    await Promise.all(fresh.map((checkout) => ifServiceAnswers(binder.tryBind(checkout))))
  }

  return (written) => {
    const orderId = canonicalId(written)
    if (waiting.has(orderId) || waiting.size >= policy.hints.mostWaiting) return
    waiting.add(orderId)
    if (resting.size < maxWorkers) inBackground(work())
  }
}
