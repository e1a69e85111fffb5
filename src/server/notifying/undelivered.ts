/**
 * Notices events that wait in the store and that nobody delivers: for processes without `onStatusChange`, where
 * the one that has it may be missing. Judges by how long it has itself seen a change wait, because clocks of other servers may be wrong; in test
 * mode by the event's time, because whoever tries it out looks again a minute later and not for a minute.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { nextEvent } from '../records/pending.ts'
import type { Queue } from '../records/record-kinds.ts'

/** Whoever tries it out does not wait for five minutes. */
const waiting = { testMs: 60_000, realMs: 5 * 60_000 }
const reportEveryMs = 3_600_000

/**
 * Returns a function that looks once.
 *
 * @param isWatching - Whether this process watches. In test mode it then says at once that it has no callback: a page that is paid asks no more,
 *   so that it would not hear it later.
 */
export function createUndeliveredCheck(
  { repository, settings, now }: Pick<Context, 'repository' | 'settings' | 'now'>,
  isWatching: () => boolean,
): () => Promise<void> {
  const waitingMs = settings.test ? waiting.testMs : waiting.realMs
  let seen: { readonly what: string; readonly sinceMs: number } | undefined
  let reportedAtMs = Number.NEGATIVE_INFINITY

  async function oldest(queue: Queue) {
    const [checkout] = await repository.listDue(queue, now(), 1)
    const event = checkout && nextEvent(checkout)
    return event && { checkout, what: `${event.eventId} ${event.failures}`, at: event.at }
  }

  function reportMissing(): void {
    if (now() - reportedAtMs < reportEveryMs) return
    reportedAtMs = now()
    const what =
      'watch() runs in a process without onStatusChange, so nobody is told of a payment. If no process of your shop has one, set it to null in all'
    settings.report(new PaywindowError('events_waiting', what), {})
  }

  return async () => {
    if (settings.test && isWatching()) return reportMissing()
    const found = (await oldest('tell')) ?? (await oldest('tell again'))
    if (found?.what !== seen?.what)
      seen = found && { what: found.what, sinceMs: settings.test ? Date.parse(found.at) : now() }
    if (!found || !seen || now() - seen.sinceMs < waitingMs || now() - reportedAtMs < reportEveryMs) return
    reportedAtMs = now()
    const { id, reference } = found.checkout
    settings.report(
      new PaywindowError(
        'events_waiting',
        `Events wait to be delivered, one since ${found.at}: no process with onStatusChange runs watch() on this store. ` +
          'If no process of your shop has one, set onStatusChange to null in all',
      ),
      { checkoutId: id, reference },
    )
  }
}
