/**
 * Delivers the events that wait in the store, for several checkouts at a time. It runs beside the
 * watcher: a hanging callback does not delay the following of orders, and delays other carts no
 * longer than its deadline.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import { nextEvent, withRetold } from '../core/transitions.ts'
import type { ErrorContext } from '../observing/occurrence.ts'
import type { Queue } from '../records/record-kinds.ts'
import { StoredRecordError } from '../records/repository.ts'
import { atMostEvery, createSingleFlight } from '../time/work.ts'
import { type MerchantCheckout, toMerchantCheckout } from '../views/merchant-view.ts'
import { type Callback, createNotifier } from './notifier.ts'

/** Delivers the due events of the store. */
export type Delivery = ReturnType<typeof createDelivery>

interface Lane {
  readonly queue: Queue
  readonly running: Map<string, Promise<void>>
  /** Whether to look at the queue again after the look under way. */
  isWanted: boolean
  /** The look under way. */
  filling: Promise<void> | undefined
}

/** @param callback - Null if no process of the shop has one: then changes count as delivered. */
export function createDelivery(context: Context, callback: Callback | null) {
  const { repository, settings, now } = context
  // Failed events have a lane of their own, so that new events do not wait for them.
  const lanes = (['tell', 'tell again'] as const).map(
    (queue): Lane => ({ queue, running: new Map(), isWanted: false, filling: undefined }),
  )
  /** Checkouts that are skipped for a moment, and until when. */
  const resting = new Map<string, number>()
  const { announce, deliver } = (callback ? withCallback : withoutCallback)(context, callback ?? (() => {}))
  const oneEnds = createSingleFlight<void>()

  function begin(lane: Lane, id: string): void {
    const delivered = deliver(id)
      .catch((cause: unknown) => {
        // An unreadable record was reported when it was found.
        if (!(cause instanceof StoredRecordError)) report({ checkoutId: id }, cause)
        return false
      })
      .then((isTried) => {
        if (!isTried) resting.set(id, now() + policy.tell.restMs)
        lane.running.delete(id)
        return fill(lane)
      })
    lane.running.set(id, delivered)
  }

  function fill(lane: Lane): Promise<void> {
    lane.isWanted = true
    lane.filling ??= fillWhileWanted(lane)
    return lane.filling
  }

  async function fillWhileWanted(lane: Lane): Promise<void> {
    try {
      while (lane.isWanted) {
        lane.isWanted = false
        await fillOnce(lane)
      }
    } catch (cause) {
      report({}, cause)
    } finally {
      lane.filling = undefined
    }
  }

  async function fillOnce(lane: Lane): Promise<void> {
    for (const [id, untilMs] of resting) if (untilMs <= now()) resting.delete(id)
    const room = policy.tell.mostAtOnce - lane.running.size
    if (room <= 0) return
    const isBusy = (id: string) => resting.has(id) || lanes.some(({ running }) => running.has(id))
    const due = await repository.listDue(lane.queue, now(), room + resting.size + running().length)
    for (const { id } of due.filter((each) => !isBusy(each.id)).slice(0, room)) begin(lane, id)
  }

  function report(about: { readonly checkoutId?: string }, cause: unknown): void {
    const what = 'An event could not be delivered; it is tried again'
    settings.report(new PaywindowError('internal', what, { cause }), about)
  }

  // A look under way may find more to deliver.
  const work = () => lanes.flatMap(({ running, filling }) => [...running.values(), ...(filling ? [filling] : [])])
  /** Ids of checkouts whose events are being delivered. */
  const running = (): readonly string[] => lanes.flatMap((lane) => [...lane.running.keys()])

  /** Starts to deliver what is due, as far as there is room. */
  async function start(): Promise<void> {
    await Promise.all(lanes.map(fill))
  }

  /** Resolves when nothing is under way. */
  async function idle(): Promise<void> {
    // One race for all callers: each change of a status calls.
    while (work().length > 0) await oneEnds('', () => Promise.race(work()))
  }

  return {
    announce,
    start,
    idle,
    running,
    /** Delivers due events. Resolves when nothing more can be delivered now, or after a minute. */
    deliverDue: async () => {
      await start()
      await endsWithin(context, policy.tell.patienceMs, idle())
    },
  }
}

// With `onStatusChange: null` changes count as delivered, which would swallow payments if another
// process had a callback. So each process with a callback holds a lease, and a process with `null`
// leaves its changes to the others while there is one.

const lease = 'onStatusChange'

function withCallback(context: Context, callback: Callback) {
  const { repository, now, inBackground } = context
  const deliver = createNotifier(context, callback)
  const announce = atMostEvery(policy.tell.announcedEveryMs, now, () => {
    inBackground(repository.store.lease(lease, 'has one', policy.tell.announcedForMs))
  })
  return {
    /** Takes the lease that says that this process has a callback, if it has. */
    announce,
    deliver: (checkoutId: string) => {
      announce()
      return deliver(checkoutId)
    },
  }
}

function withoutCallback(context: Context, callback: Callback) {
  const { repository, settings, now } = context
  const deliver = createNotifier(context, callback)
  let foundAtMs = Number.NEGATIVE_INFINITY
  const report = atMostEvery(policy.tell.reportedEveryMs, now, () => {
    const what =
      'onStatusChange is null in this process, and another process of this store has one. Leave it out here: null is for shops in which no process has one. That process tells what this one finds'
    settings.report(new PaywindowError('invalid_options', what), {})
  })
  return {
    announce: () => {},
    deliver: async (checkoutId: string) => {
      if (now() - foundAtMs < policy.tell.announcementReadEveryMs) return false
      if (await repository.store.lease(lease, 'has none', 1)) return deliver(checkoutId)
      foundAtMs = now()
      report()
      return false
    },
  }
}

/** @param start - Starts the delivery of due events, if this process delivers. */
export function createRetell({ repository, settings, account }: Context, start: () => void) {
  return async (checkoutId: string): Promise<MerchantCheckout> => {
    // A write by this server would take a checkout of another account from those that follow it.
    const checkout = await repository.updateCheckout(checkoutId, (known) =>
      known.account === account ? withRetold(known) : known,
    )
    const what = `Checkout ${checkoutId} has not changed yet, or is of another account: there is nothing to deliver`
    if (checkout.account !== account || checkout.events.length === 0) throw new PaywindowError('invalid_request', what)
    start()
    return toMerchantCheckout(checkout, settings)
  }
}

/**
 * Returns a function, for processes without `onStatusChange`, that reports events that nobody
 * delivers. It measures their waiting by itself, because the clock of the writing server may be
 * wrong. In test mode it trusts the event's time, so that a developer need not wait for the report.
 *
 * @param isWatching - Whether this process watches. In test mode it then reports at once that it
 *   has no callback, because the page of a paid checkout stops polling and would miss a later
 *   report.
 */
export function createUndeliveredCheck({ repository, settings, now }: Context, isWatching: () => boolean) {
  const waitingMs = settings.test ? policy.tell.undeliveredAfterMs.test : policy.tell.undeliveredAfterMs.real
  let seen: { readonly what: string; readonly sinceMs: number } | undefined
  const report = atMostEvery(policy.tell.reportedEveryMs, now, (what: string, about: ErrorContext) =>
    settings.report(new PaywindowError('events_waiting', what), about),
  )

  async function oldest(queue: Queue) {
    const [checkout] = await repository.listDue(queue, now(), 1)
    const event = checkout && nextEvent(checkout)
    return event && { checkout, what: `${event.eventId} ${event.failures}`, at: event.at }
  }

  return async () => {
    if (settings.test && isWatching())
      return report(
        'watch() runs in a process without onStatusChange, so no payment is delivered. If no process of your shop has one, set it to null in all',
        {},
      )
    const found = (await oldest('tell')) ?? (await oldest('tell again'))
    if (found?.what !== seen?.what)
      seen = found && { what: found.what, sinceMs: settings.test ? Date.parse(found.at) : now() }
    if (!found || !seen || now() - seen.sinceMs < waitingMs) return
    const { id: checkoutId, reference } = found.checkout
    report(
      `Events wait to be delivered, one since ${found.at}: no process with onStatusChange runs watch() on this store. If no process of your shop has one, set onStatusChange to null in all`,
      { checkoutId, reference },
    )
  }
}
