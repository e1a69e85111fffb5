/**
 * Notices checkouts that nobody looks at: `watch` was never called, or the job that calls `watchOnce` does not run. Judges by how long it has
 * itself seen them wait, because clocks of other servers may be wrong.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { lookQueues } from '../records/looks.ts'
import { isLeased } from '../store/with-lease.ts'

/** A job that calls `watchOnce` each minute has had some turns by then. Whoever tries it out does not wait for ten minutes. */
const waitingMinutes = { test: 3, real: 10 }
const reportEveryMs = 3_600_000

/** Returns a function that looks once. It reports nothing while the service refuses, when looks wait for that. */
export function createUnwatchedCheck({
  repository,
  settings,
  gate,
  ids,
  now,
}: Pick<Context, 'repository' | 'settings' | 'gate' | 'ids' | 'now'>): () => Promise<void> {
  const holder = ids.secret()
  const minutes = settings.test ? waitingMinutes.test : waitingMinutes.real
  const waitingMs = minutes * 60_000
  let sinceMs: number | undefined
  let reportedAtMs = Number.NEGATIVE_INFINITY

  async function someoneWaits(): Promise<boolean> {
    const overdue = await Promise.all(lookQueues.map((queue) => repository.listDue(queue, now() - waitingMs, 1)))
    return overdue.some((checkouts) => checkouts.length > 0)
  }

  return async () => {
    if (gate.heldMs() > 0 || !(await someoneWaits()) || (await isLeased(repository.store, { name: 'watch', holder }))) {
      sinceMs = undefined
      return
    }
    sinceMs ??= now()
    if (now() - sinceMs < waitingMs || now() - reportedAtMs < reportEveryMs) return
    reportedAtMs = now()
    settings.report(
      new PaywindowError(
        'nobody_watches',
        `Checkouts have waited for ${minutes} minutes or more for somebody to look at their orders. Payments of payers who have closed ` +
          'the page are not seen: call watch() in one process that stays, or watchOnce() each minute',
      ),
      {},
    )
  }
}
