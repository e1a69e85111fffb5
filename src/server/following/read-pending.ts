/** Reads the pending orders again and again, so that a deposit is known before the whole list has been read. */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import type { PendingOrders } from '../orders/pending-orders.ts'
import { whileLeased } from '../store/with-lease.ts'
import type { TakeListed } from './listed-changes.ts'

/** From the beginning of a reading to that of the next, and longer the more pages it took. */
const everyMs = 2_000
/** The share of the budget that these readings may use. */
const budgetShare = 0.1

/** Returns a function that reads if it is time to. Of all processes on a store, one at a time reads, by a lease. */
export function createReadPending(
  { repository, settings, ids, now, sleep }: Pick<Context, 'repository' | 'settings' | 'ids' | 'now' | 'sleep'>,
  pendingOrders: Pick<PendingOrders, 'isReadable' | 'read' | 'pages'>,
  takeListed: TakeListed,
): () => Promise<void> {
  const lease = { name: 'read pending', holder: ids.secret() }
  let nextAtMs = Number.NEGATIVE_INFINITY

  return async () => {
    if (now() < nextAtMs || !pendingOrders.isReadable()) return
    await whileLeased(repository.store, { now, sleep }, lease, async () => {
      const beganAtMs = now()
      try {
        await takeListed(await pendingOrders.read())
      } catch (error) {
        // The watcher reads the same list and reports that.
        if (!(error instanceof ServiceError)) throw error
      }
      const perPageMs = 1_000 / (settings.serviceRequestsPerSecond * budgetShare)
      nextAtMs = beganAtMs + Math.max(everyMs, pendingOrders.pages() * perPageMs)
    })
  }
}
