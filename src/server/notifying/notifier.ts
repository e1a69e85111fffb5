/** Tells the merchant's code of every change: at least once, in order per checkout, until it succeeds or seven days are over. */
import { PaywindowError } from '../../contract/errors.ts'
import { TimeoutError, within } from '../../service/within.ts'
import type { Context } from '../context.ts'
import type { PaywindowOptions, StatusEvent } from '../options.ts'
import { nextEvent } from '../records/repository.ts'
import type { CheckoutRecord, PendingEvent } from '../records/types.ts'
import { unlessUnreadable } from '../records/unreadable.ts'
import { toMerchantCheckout } from '../views/merchant-view.ts'

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
   * Tells what is due of this checkout. Resolves when nothing is left that could be told now, with whether anything was tried:
   * another process may be telling of it.
   */
  deliver(checkoutId: string): Promise<boolean>
}

export function createNotifier(context: Context, callback: Callback): Notifier {
  const { repository, settings, ids, now } = context
  const timeoutMs = settings.callbackTimeoutMs

  /** The other checkouts of the cart that are paid, or may be: a record that cannot be read keeps nothing else from being told. */
  async function paidBeside({ id, reference }: CheckoutRecord): Promise<{ paid: string[]; unknown: string[] }> {
    const cart = await unlessUnreadable(repository.readCart(reference))
    if (cart === 'unreadable') return { paid: [], unknown: ['the record of the cart'] }
    const paid: string[] = []
    const unknown: string[] = []
    for (const entry of cart.entries.filter((each) => each.id !== id)) {
      const sibling = await unlessUnreadable(repository.readCheckout(entry.id))
      if (sibling === 'unreadable') unknown.push(`checkout ${entry.id}`)
      else if (sibling && settings.phaseOf[sibling.status] === 'paid') paid.push(entry.id)
    }
    return { paid, unknown }
  }

  function reportPaidTwice({ id, reference }: CheckoutRecord, paid: string[], unknown: string[]): void {
    if (paid.length + unknown.length === 0) return
    const what =
      paid.length > 0
        ? `Cart ${reference} was paid more than once: by checkout ${id} and by ${paid.join(', ')}`
        : `Cart ${reference} may have been paid more than once: by checkout ${id}; ${unknown.join(', ')} cannot be read`
    settings.report(new PaywindowError('paid_twice', what), { checkoutId: id, reference })
  }

  async function eventFor(checkout: CheckoutRecord, event: PendingEvent): Promise<StatusEvent> {
    const phase = settings.phaseOf[event.status]
    const { paid, unknown } = phase === 'paid' ? await paidBeside(checkout) : { paid: [], unknown: [] }
    if (event.failures === 0) reportPaidTwice(checkout, paid, unknown)
    return {
      eventId: event.eventId,
      reference: checkout.reference,
      price: checkout.terms.price,
      status: event.status,
      previousStatus: event.previousStatus,
      phase,
      at: event.at,
      checkout: toMerchantCheckout(checkout, settings),
      alsoPaid: paid,
    }
  }

  /** Tells one event. Resolves with what to keep of it: nothing when it was told. */
  async function tell(checkout: CheckoutRecord, event: PendingEvent): Promise<PendingEvent | undefined> {
    const about = { checkoutId: checkout.id, reference: checkout.reference }
    const status = await eventFor(checkout, event)
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
        for (let isTried = false; ; isTried = true) {
          const checkout = await repository.readCheckout(checkoutId)
          const event = checkout && nextEvent(checkout)
          if (!checkout || !event || event.nextTryAtMs === null || event.nextTryAtMs > now()) return isTried
          if (isTried && !(await take())) return true
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
