/** Tells the merchant's code of every change: at least once, in order per checkout, until it succeeds or seven days are over. */
import { PaywindowError } from '../contract/errors.ts'
import type { Context } from './context.ts'
import { toMerchantCheckout } from './merchant-checkout.ts'
import type { StatusEvent } from './options.ts'
import type { CheckoutRecord, PendingEvent } from './records.ts'
import { nextEvent } from './repository.ts'

const giveUpAfterMs = 7 * 24 * 3_600_000
/** A merchant's callback that takes longer may be called again by another process. */
const leaseMs = 5 * 60_000

export interface Notifier {
  /** Tells what is due of this checkout. Resolves when nothing is left that could be told now. */
  deliver(checkoutId: string): Promise<void>
}

export function createNotifier(context: Context): Notifier {
  const { repository, settings, ids, now } = context
  async function eventFor(checkout: CheckoutRecord, event: PendingEvent): Promise<StatusEvent> {
    const cart = await repository.readCart(checkout.reference)
    const siblings = await Promise.all(
      cart.entries.filter(({ id }) => id !== checkout.id).map(({ id }) => repository.readCheckout(id)),
    )
    const alsoPaid = siblings.filter((sibling) => sibling !== undefined && settings.phaseOf[sibling.status] === 'paid')
    return {
      eventId: event.eventId,
      reference: checkout.reference,
      price: checkout.terms.price,
      status: event.status,
      previousStatus: event.previousStatus,
      phase: settings.phaseOf[event.status],
      at: event.at,
      checkout: toMerchantCheckout(checkout, settings),
      alsoPaid: settings.phaseOf[event.status] === 'paid' ? alsoPaid.map((sibling) => sibling?.id ?? '') : [],
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
    try {
      await settings.onStatusChange?.(status)
      return undefined
    } catch (cause) {
      const failures = event.failures + 1
      const isLost = now() - Date.parse(event.at) > giveUpAfterMs
      const kept = {
        ...event,
        failures,
        nextTryAtMs: isLost ? null : now() + Math.min(1000 * 2 ** (failures - 1), 3_600_000),
      }
      const what = isLost
        ? 'was given up after seven days; it stays listed'
        : `will be tried again (${failures} so far)`
      settings.report(
        new PaywindowError('callback_failed', `onStatusChange failed for event ${event.eventId}, which ${what}`, {
          cause,
        }),
        about,
      )
      return kept
    }
  }

  return {
    deliver: async (checkoutId) => {
      const lease = `tell ${checkoutId}`
      const holder = ids.secret()
      if (!(await repository.store.lease(lease, holder, leaseMs))) return
      try {
        await deliverAll(checkoutId)
      } finally {
        await repository.store.release(lease, holder)
      }
    },
  }

  async function deliverAll(checkoutId: string): Promise<void> {
    for (;;) {
      const checkout = await repository.readCheckout(checkoutId)
      const event = checkout && nextEvent(checkout)
      if (!checkout || !event || event.nextTryAtMs === null || event.nextTryAtMs > now()) break
      const kept = await tell(checkout, event)
      await repository.updateCheckout(checkoutId, (current) => ({
        ...current,
        events: current.events.flatMap((candidate) =>
          candidate.eventId !== event.eventId ? [candidate] : kept ? [kept] : [],
        ),
      }))
      if (kept) break
    }
  }
}
