/** Finds the service's order of a checkout, binds the two, and lets go of an order that was wrong. */
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

/** However many browsers poll a checkout whose order is not known, it is looked for this often at most. */
const searchEveryMs = 2_500
/** Checkouts of which it is remembered when their order was looked for. */
const maxRemembered = 10_000

/** Finds out which order of the service is a checkout's. */
export interface Binder {
  /** Looks for the order, unless that was done a moment ago. Rejects with a ServiceError when it could not look. */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Looks for the order in a list that is read now. */
  searchNow(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Looks once more at a binding that could still turn out wrong, when that is due; undoes it if it did. */
  recheck(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Whether the order that was looked for last was proved by its time alone, whoever else asked for one then. */
  provesByTime(): boolean
  readonly bindByHand: BindByHand
  readonly bindTo: BindTo
}

/** In this process a checkout is searched once at a time, however many ask. */
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
