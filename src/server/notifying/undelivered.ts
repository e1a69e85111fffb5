/**
 * Notices events that wait in the store and that nobody delivers: for processes without `onStatusChange`, where
 * the one that has it may be missing. Judges by how long it has itself seen a change wait, because clocks of other servers may be wrong.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { nextEvent } from '../records/pending.ts'
import type { Queue } from '../records/record-kinds.ts'

/** Whoever tries it out does not wait for five minutes. */
const waiting = { testMs: 60_000, realMs: 5 * 60_000 }
const reportEveryMs = 3_600_000

/** Returns a function that looks once. */
export function createUndeliveredCheck({
  repository,
  settings,
  now,
}: Pick<Context, 'repository' | 'settings' | 'now'>): () => Promise<void> {
  const waitingMs = settings.test ? waiting.testMs : waiting.realMs
  let seen: { readonly what: string; readonly sinceMs: number } | undefined
  let reportedAtMs = Number.NEGATIVE_INFINITY

  async function oldest(queue: Queue) {
    const [checkout] = await repository.listDue(queue, now(), 1)
    const event = checkout && nextEvent(checkout)
    return event && { checkout, what: `${event.eventId} ${event.failures}`, at: event.at }
  }

  return async () => {
    const found = (await oldest('tell')) ?? (await oldest('tell again'))
    if (found?.what !== seen?.what) seen = found && { what: found.what, sinceMs: now() }
    if (!found || !seen || now() - seen.sinceMs < waitingMs || now() - reportedAtMs < reportEveryMs) return
    reportedAtMs = now()
    const { id, reference } = found.checkout
    settings.report(
      new PaywindowError(
        'events_waiting',
        `Events wait to be delivered, one since ${found.at}: no process with onStatusChange runs watch() on this store. ` +
          'If you need no callback, set onStatusChange to null',
      ),
      { checkoutId: id, reference },
    )
  }
}
