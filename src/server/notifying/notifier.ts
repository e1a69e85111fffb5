/** Calls `onStatusChange` for the events of one checkout: in order, until each call succeeds. */
import { PaywindowError } from '../../contract/errors.ts'
import { TimeoutError, within } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { amountsInWords, offeredPrice, phaseWith } from '../core/agreement.ts'
import { policy } from '../core/policy.ts'
import { nextEvent } from '../core/transitions.ts'
import type { CheckoutRecord, PendingEvent } from '../core/types.ts'
import type { PaywindowOptions, StatusEvent } from '../options.ts'
import { unlessUnreadable } from '../records/repository.ts'
import { whileLeased } from '../store/with-lease.ts'
import { toMerchantCheckout } from '../views/merchant-view.ts'

/** The merchant's code. */
export type Callback = NonNullable<PaywindowOptions['onStatusChange']>

/**
 * Returns a function that delivers a checkout's due events. It resolves when nothing more can be
 * delivered now, with whether anything was tried. One process at a time delivers for a checkout, by
 * a lease.
 */
export function createNotifier(context: Context, callback: Callback): (checkoutId: string) => Promise<boolean> {
  const { repository, settings, ids, now, inBackground } = context
  const timeoutMs = settings.callbackTimeoutMs
  const eventOf = createEventOf(context)

  /** Resolves with the event to keep, or undefined if the call succeeded. */
  async function call(
    checkout: CheckoutRecord,
    event: PendingEvent,
    statusEvent: StatusEvent,
  ): Promise<PendingEvent | undefined> {
    const called = Promise.resolve(statusEvent).then(callback)
    try {
      await within(context, timeoutMs, () => called)
      return undefined
    } catch (cause) {
      // A late success counts, unless the event was delivered meanwhile.
      const accepted = () => inBackground(settle(checkout.id, event, undefined))
      if (cause instanceof TimeoutError) called.then(accepted, () => undefined)
      const kept = afterFailure(event, now())
      const about = { checkoutId: checkout.id, reference: checkout.reference }
      settings.report(callbackFailed(kept, cause, timeoutMs), about)
      return kept
    }
  }

  /** Removes an event from the record, or replaces it by `kept`. */
  async function settle(checkoutId: string, tried: PendingEvent, kept: PendingEvent | undefined): Promise<void> {
    const { eventId } = tried
    // A call of `retell` meanwhile has set the due time.
    const isAsTried = (event: PendingEvent) =>
      event.failures === tried.failures && event.nextTryAtMs === tried.nextTryAtMs
    const settled = (event: PendingEvent) =>
      event.eventId !== eventId ? [event] : !kept ? [] : [isAsTried(event) ? kept : event]
    await repository.updateCheckout(checkoutId, (current) =>
      current.events.some((event) => event.eventId === eventId)
        ? { ...current, events: current.events.flatMap(settled) }
        : current,
    )
  }

  async function deliverAll(checkoutId: string, lost: AbortSignal): Promise<boolean> {
    for (let isTried = false; ; isTried = true) {
      const checkout = await repository.readCheckout(checkoutId)
      const event = checkout && nextEvent(checkout)
      if (!checkout || !event || event.nextTryAtMs === null || event.nextTryAtMs > now()) return isTried
      if (lost.aborted) return true
      const statusEvent = await eventOf(checkout, event)
      // The read may outlast the lease. Then another process has delivered the events.
      if (lost.aborted) return true
      const kept = await call(checkout, event, statusEvent)
      await settle(checkoutId, event, kept)
      if (kept) return true
    }
  }

  return async (checkoutId) => {
    const { store } = repository
    const lease = { name: `tell ${checkoutId}`, holder: ids.secret() }
    try {
      return (await whileLeased(store, context, lease, (lost) => deliverAll(checkoutId, lost))) ?? false
    } finally {
      await store.release(lease.name, lease.holder)
    }
  }
}

function afterFailure(event: PendingEvent, nowMs: number): PendingEvent {
  const failures = event.failures + 1
  const pauseMs = Math.min(policy.tell.firstPauseMs * 2 ** (failures - 1), policy.tell.longestPauseMs)
  return { ...event, failures, nextTryAtMs: failures < policy.tell.givenUpAfterFailures ? nowMs + pauseMs : null }
}

function callbackFailed(kept: PendingEvent, cause: unknown, timeoutMs: number): PaywindowError {
  const how = cause instanceof TimeoutError ? `did not end within ${timeoutMs} ms` : 'failed'
  const next =
    kept.nextTryAtMs === null
      ? 'was given up after seven days; it stays listed'
      : `will be tried again (${kept.failures} so far)`
  return new PaywindowError('callback_failed', `onStatusChange ${how} for event ${kept.eventId}, which ${next}`, {
    cause,
  })
}

/** Ids of paid checkouts, and words for unreadable ones, which may be paid. */
type PaidBeside = Readonly<Record<'paid' | 'unknown', readonly string[]>>

/**
 * Returns a function that builds an event. It reads the rest of a paid cart, to name other paid
 * checkouts. With the first event it reports a cart that was paid twice or with another amount.
 */
function createEventOf({ repository, settings }: Context) {
  /** The cart's other checkouts. An unreadable record does not hold up the event. */
  async function paidBeside({ id, reference }: CheckoutRecord): Promise<PaidBeside> {
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

  return async (checkout: CheckoutRecord, event: PendingEvent): Promise<StatusEvent> => {
    const servicePhase = settings.phaseOf[event.status]
    const { orderNumber } = checkout.terms
    const phase = phaseWith(servicePhase, event.difference ?? 'same', event.arrival)
    const beside = servicePhase === 'paid' ? await paidBeside(checkout) : { paid: [], unknown: [] }
    const errors = event.failures === 0 ? [paidTwice(checkout, beside), paidOtherwise(checkout, phase)] : []
    for (const error of errors)
      if (error) settings.report(error, { checkoutId: checkout.id, reference: checkout.reference })
    return {
      eventId: event.eventId,
      reference: checkout.reference,
      ...(orderNumber !== undefined && { orderNumber }),
      price: offeredPrice(checkout),
      status: event.status,
      previousStatus: event.previousStatus,
      phase,
      at: event.at,
      // Later news has its own event.
      checkout: toMerchantCheckout(
        { ...checkout, ...(servicePhase !== 'paid' && { arrival: event.arrival }) },
        settings,
      ),
      alsoPaid: beside.paid,
    }
  }
}

function paidOtherwise(checkout: CheckoutRecord, phase: StatusEvent['phase']): PaywindowError | undefined {
  if (phase !== 'paid_less' && phase !== 'paid_more') return undefined
  const shown = amountsInWords(checkout, checkout.received)
  const what = `The service confirmed checkout ${checkout.id} for another amount than was asked for: it shows ${shown}. Its event says ${phase}, not paid: check the order at the service`
  return new PaywindowError(phase, what)
}

function paidTwice({ id }: CheckoutRecord, { paid, unknown }: PaidBeside): PaywindowError | undefined {
  if (paid.length === 0 && unknown.length === 0) return undefined
  const what =
    paid.length > 0
      ? `A cart was paid more than once: by checkout ${id} and by ${paid.join(', ')}`
      : `A cart may have been paid more than once: by checkout ${id}; ${unknown.join(', ')} cannot be read`
  return new PaywindowError('paid_twice', what)
}
