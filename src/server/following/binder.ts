/** Finds the service's order of a checkout, binds the two, and releases an order that was wrong. */
import type { Context } from '../context.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { createLastTimes } from '../time/last-times.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import { type BindByHand, createBindByHand } from './bind-by-hand.ts'
import { type BindTo, createBindTo } from './binding.ts'
import { createLookAgain, isRecheckDue, listAgeMs } from './recheck.ts'
import { createFind } from './search.ts'
import type { Tracker } from './tracker.ts'
import { createLeaveOpen } from './unresolved.ts'

/** The order of a checkout is searched at most this often, however many browsers poll. */
const searchEveryMs = 2_500
/** Checkouts whose last search is remembered. */
const maxRemembered = 10_000

/** Finds out which order of the service is a checkout's. */
export interface Binder {
  /** Searches the order, unless that was done a moment ago. Rejects with a ServiceError if the service cannot be asked. */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Searches the order in a new reading of the list. */
  searchNow(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Checks a provisional binding again when that is due, and undoes it if it is wrong. */
  recheck(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Whether the last order found was proved by its time alone, whoever else created orders then. */
  provesByTime(): boolean
  readonly bindByHand: BindByHand
  readonly bindTo: BindTo
}

/** A process runs one search for a checkout at a time, however many ask. */
export function createBinder(
  context: Pick<Context, 'repository' | 'client' | 'settings' | 'rules' | 'now'>,
  readSituation: ReadSituation,
  tracker: Tracker,
): Binder {
  const { now } = context
  const bindTo = createBindTo(context)
  let isProved = false
  const find = createFind(context, {
    readSituation,
    tracker,
    bindTo,
    leaveOpen: createLeaveOpen(context),
    onSearched: (isProvedNow) => {
      isProved = isProvedNow
    },
  })
  const lookAgain = createLookAgain(context, { readSituation, tracker })
  const flight = createSingleFlight<CheckoutRecord>()
  const searches = createLastTimes(maxRemembered, now)

  function search(checkout: CheckoutRecord, maxAgeMs: number): Promise<CheckoutRecord> {
    const { instructions } = checkout
    if (checkout.binding || !instructions) return Promise.resolve(checkout)
    searches.note(checkout.id)
    return flight(checkout.id, () => find(checkout, instructions, maxAgeMs))
  }

  return {
    tryBind: (checkout) =>
      searches.sinceMs(checkout.id) < searchEveryMs ? Promise.resolve(checkout) : search(checkout, listAgeMs),
    searchNow: (checkout) => search(checkout, 0),
    recheck: (checkout) => {
      const { binding, instructions } = checkout
      if (!instructions || !binding || !isRecheckDue(checkout, binding, now())) return Promise.resolve(checkout)
      return flight(checkout.id, () => lookAgain(checkout, instructions, binding.orderId))
    },
    provesByTime: () => isProved,
    bindByHand: createBindByHand(context, { tracker, bindTo }),
    bindTo,
  }
}
