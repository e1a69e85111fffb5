/** Tells the merchant's code of every change: at least once, in order per checkout, until it succeeds or seven days are over. */
import { PaywindowError } from '../contract/errors.ts'
import { TimeoutError, within } from '../service/within.ts'
import type { Context } from './context.ts'
import { toMerchantCheckout } from './merchant-checkout.ts'
import type { PaywindowOptions, StatusEvent } from './options.ts'
import type { CheckoutRecord, PendingEvent } from './records.ts'
import { nextEvent } from './repository.ts'
import { StoredRecordError } from './unreadable.ts'

const giveUpAfterMs = 7 * 24 * 3_600_000
/** Fewer failures than this are no seven days of trying: a clock was set. */
const giveUpAfterFailures = 24
/** The longest time between two tries. */
export const longestPauseMs = 3_600_000
/** What a lease has beyond the time of a call: for what is read and written around it. */
const leaseSlackMs = 15_000

type Callback = NonNullable<PaywindowOptions['onStatusChange']>

export interface Notifier {
  /**
   * Tells what is due of this checkout. Resolves when nothing is left that could be told now; with false where another process
   * is telling of it.
   */
  deliver(checkoutId: string): Promise<boolean>
}

export function createNotifier(context: Context, callback: Callback): Notifier {
  const { repository, settings, ids, now } = context
  const timeoutMs = settings.callbackTimeoutMs

  async function siblingsOf({ id, reference }: CheckoutRecord): Promise<CheckoutRecord[]> {
    try {
      const { entries } = await repository.readCart(reference)
      const others = entries
        .filter((entry) => entry.id !== id)
        .map((entry) => orNone(repository.readCheckout(entry.id)))
      return (await Promise.all(others)).filter((sibling) => sibling !== undefined)
    } catch (error) {
      // Its own change is told all the same.
      if (error instanceof StoredRecordError) return []
      throw error
    }
  }

  async function eventFor(checkout: CheckoutRecord, event: PendingEvent): Promise<StatusEvent> {
    const phase = settings.phaseOf[event.status]
    const siblings = phase === 'paid' ? await siblingsOf(checkout) : []
    return {
      eventId: event.eventId,
      reference: checkout.reference,
      price: checkout.terms.price,
      status: event.status,
      previousStatus: event.previousStatus,
      phase,
      at: event.at,
      checkout: toMerchantCheckout(checkout, settings),
      alsoPaid: siblings.filter(({ status }) => settings.phaseOf[status] === 'paid').map(({ id }) => id),
    }
  }

  /** Tells one event. Resolves with what to keep of it: nothing when it was told. */
  async function tell(checkout: CheckoutRecord, event: PendingEvent): Promise<PendingEvent | undefined> {
    const about = { checkoutId: checkout.id, reference: checkout.reference }
    const status = await eventFor(checkout, event)
    if (status.alsoPaid.length > 0 && event.failures === 0) {
      settings.report(
        new PaywindowError(
          'paid_twice',
          `Cart ${checkout.reference} was paid more than once: by checkout ${checkout.id} and by ${status.alsoPaid.join(', ')}`,
        ),
        about,
      )
    }
    const call = Promise.resolve(status).then(callback)
    try {
      await within(context, timeoutMs, () => call)
      return undefined
    } catch (cause) {
      const isLate = cause instanceof TimeoutError
      // One that succeeds after all counts, unless it was told meanwhile.
      const accepted = () => context.inBackground(settle(checkout.id, event, undefined))
      if (isLate) call.then(accepted, () => undefined)
      const kept = afterFailure(event)
      const what =
        kept.nextTryAtMs === null
          ? 'was given up after seven days; it stays listed'
          : `will be tried again (${kept.failures} so far)`
      const how = isLate ? `did not end within ${timeoutMs} ms` : 'failed'
      settings.report(
        new PaywindowError('callback_failed', `onStatusChange ${how} for event ${event.eventId}, which ${what}`, {
          cause,
        }),
        about,
      )
      return kept
    }
  }

  function afterFailure(event: PendingEvent): PendingEvent {
    const failures = event.failures + 1
    const isLost = now() - Date.parse(event.at) > giveUpAfterMs && failures >= giveUpAfterFailures
    const pauseMs = Math.min(1000 * 2 ** (failures - 1), longestPauseMs)
    return { ...event, failures, nextTryAtMs: isLost ? null : now() + pauseMs }
  }

  /** Takes an event from the record, or leaves it there as `kept`. */
  async function settle(checkoutId: string, { eventId }: PendingEvent, kept: PendingEvent | undefined): Promise<void> {
    await repository.updateCheckout(checkoutId, (current) =>
      current.events.some((event) => event.eventId === eventId)
        ? {
            ...current,
            events: current.events.flatMap((event) => (event.eventId !== eventId ? [event] : kept ? [kept] : [])),
          }
        : current,
    )
  }

  return {
    deliver: async (checkoutId) => {
      const lease = `tell ${checkoutId}`
      const holder = ids.secret()
      // Anew for each event: it has to outlast one call, not all of them.
      const take = () => repository.store.lease(lease, holder, timeoutMs + leaseSlackMs)
      if (!(await take())) return false
      try {
        for (;;) {
          const checkout = await repository.readCheckout(checkoutId)
          const event = checkout && nextEvent(checkout)
          if (!checkout || !event || event.nextTryAtMs === null || event.nextTryAtMs > now()) return true
          if (!(await take())) return false
          const kept = await tell(checkout, event)
          await settle(checkoutId, event, kept)
          if (kept) return true
        }
      } finally {
        await repository.store.release(lease, holder)
      }
    },
  }
}

function orNone(reading: Promise<CheckoutRecord | undefined>): Promise<CheckoutRecord | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof StoredRecordError) return undefined
    throw error
  })
}
