/**
 * Delivers the events that wait in the store, for several checkouts at a time. Independent of the watcher's round: a callback that hangs
 * does not delay the following of orders, nor any other cart for longer than its deadline.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { nextEvent } from '../core/attempts.ts'
import { withRetold } from '../core/transitions.ts'
import type { Queue } from '../records/record-kinds.ts'
import { StoredRecordError } from '../records/unreadable.ts'
import { atMostEvery } from '../time/work.ts'
import { type MerchantCheckout, toMerchantCheckout } from '../views/merchant-view.ts'
import type { Notifier } from './notifier.ts'

/** Calls at the same time: this many for events that are delivered for the first time, and as many for those that failed before. */
const slots = 10
/** An event that another process is delivering, or that could not be delivered, is not tried again for this long. */
const restMs = 1_000
/** `deliverDue` waits no longer than this. */
const patienceMs = 60_000

/** Delivers what is due in the store. */
export interface Delivery {
  /** Starts to deliver what is due, as far as there is room. */
  start(): Promise<void>
  /** Delivers what is due. Resolves when nothing more can be delivered now, or after a minute. */
  deliverDue(): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Ids of checkouts whose events are being delivered. */
  running(): readonly string[]
}

interface Lane {
  readonly queue: Queue
  readonly running: Map<string, Promise<void>>
  /** Another look at the queue was asked for while one was under way. */
  isWanted: boolean
  /** The look that is under way. */
  filling: Promise<void> | undefined
}

/** Events that failed have calls of their own, so that new ones do not wait for them. */
export function createDelivery(
  context: Pick<Context, 'repository' | 'settings' | 'now' | 'sleep'>,
  { deliver }: Notifier,
): Delivery {
  const { repository, settings, now } = context
  const lanes = (['tell', 'tell again'] as const).map(
    (queue): Lane => ({ queue, running: new Map(), isWanted: false, filling: undefined }),
  )
  /** Checkouts that are skipped for a moment, and until when. */
  const resting = new Map<string, number>()

  function begin(lane: Lane, id: string): void {
    const delivered = deliver(id)
      .catch((cause: unknown) => {
        // A record that cannot be read was reported when it was found.
        if (!(cause instanceof StoredRecordError)) report(id, cause)
        return false
      })
      .then((isTried) => {
        if (!isTried) resting.set(id, now() + restMs)
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
      report(undefined, cause)
    } finally {
      lane.filling = undefined
    }
  }

  async function fillOnce(lane: Lane): Promise<void> {
    for (const [id, untilMs] of resting) if (untilMs <= now()) resting.delete(id)
    const room = slots - lane.running.size
    if (room <= 0) return
    const isBusy = (id: string) => resting.has(id) || lanes.some(({ running }) => running.has(id))
    const busy = resting.size + running().length
    const due = await repository.listDue(lane.queue, now(), room + busy)
    for (const { id } of due.filter((each) => !isBusy(each.id)).slice(0, room)) begin(lane, id)
  }

  function report(checkoutId: string | undefined, cause: unknown): void {
    settings.report(new PaywindowError('internal', 'An event could not be delivered; it is tried again', { cause }), {
      ...(checkoutId !== undefined && { checkoutId }),
    })
  }

  // A look that is under way may find more to deliver.
  const work = () => lanes.flatMap(({ running, filling }) => [...running.values(), ...(filling ? [filling] : [])])
  const running = () => lanes.flatMap((lane) => [...lane.running.keys()])

  async function start(): Promise<void> {
    await Promise.all(lanes.map(fill))
  }

  const idle = createIdle(work)

  return {
    start,
    idle,
    running,
    deliverDue: async () => {
      await start()
      await endsWithin(context, patienceMs, idle())
    },
  }
}

/** Resolves when there is no work left. What ends is waited for once for all who ask, because each change of a status asks. */
function createIdle(work: () => readonly Promise<void>[]): () => Promise<void> {
  let oneEnds: Promise<void> | undefined
  return async () => {
    while (work().length > 0) {
      oneEnds ??= Promise.race(work()).finally(() => {
        oneEnds = undefined
      })
      await oneEnds
    }
  }
}

// Who tells the merchant. `onStatusChange: null` says that no process of the shop has a callback, and lets changes count as delivered. Where
// one has, that would swallow payments: so each process with a callback leaves word in the store, and one with `null` leaves its changes to
// it.

const lease = 'onStatusChange'
/** As long as a change is told. */
const keptMs = 7 * 24 * 3_600_000
const sayEveryMs = 3_600_000
/** For so long a process goes by the word that it has found. */
const believedMs = 60_000

type Needs = Pick<Context, 'repository' | 'settings' | 'now' | 'inBackground'>

/** A notifier that knows who tells. */
interface Duty extends Notifier {
  /** Leaves word that this process has a callback, if it has, before there is anything to tell. */
  say(): void
}

/** The notifier of a process that has a callback. */
export function onDuty({ repository, now, inBackground }: Needs, { deliver }: Notifier): Duty {
  const say = atMostEvery(sayEveryMs, now, () => {
    inBackground(repository.store.lease(lease, 'has one', keptMs))
  })
  return {
    say,
    deliver: (checkoutId) => {
      say()
      return deliver(checkoutId)
    },
  }
}

/** The notifier of a process with `null`. */
export function offDuty({ repository, settings, now }: Needs, { deliver }: Notifier): Duty {
  let foundAtMs = Number.NEGATIVE_INFINITY
  const report = atMostEvery(sayEveryMs, now, () =>
    settings.report(
      new PaywindowError(
        'invalid_options',
        'onStatusChange is null in this process, and another process of this store has one. Leave it out here: null is for shops in which no process has one. That process tells what this one finds',
      ),
      {},
    ),
  )
  return {
    say: () => {},
    deliver: async (checkoutId) => {
      if (now() - foundAtMs >= believedMs) {
        if (await repository.store.lease(lease, 'has none', 1)) return deliver(checkoutId)
        foundAtMs = now()
        report()
      }
      return false
    },
  }
}

/** @param start - Begins to deliver what is due, where this process does. */
export function createRetell(
  { repository, settings }: Pick<Context, 'repository' | 'settings'>,
  start: () => void,
): (checkoutId: string) => Promise<MerchantCheckout> {
  return async (checkoutId) => {
    const checkout = await repository.updateCheckout(checkoutId, withRetold)
    if (checkout.events.length === 0)
      throw new PaywindowError(
        'invalid_request',
        checkout.status === 'open' && checkout.history.length <= 1
          ? `Nothing has changed for checkout ${checkoutId} yet: there is nothing to deliver`
          : `The last change of checkout ${checkoutId} was stored by an earlier version, which did not keep its eventId`,
      )
    start()
    return toMerchantCheckout(checkout, settings)
  }
}

// Notices events that wait in the store and that nobody delivers: for processes without `onStatusChange`, where the one that has it may be
// missing. Judges by how long it has itself seen a change wait, because clocks of other servers may be wrong; in test mode by the event's
// time, because whoever tries it out looks again a minute later and not for a minute.

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
