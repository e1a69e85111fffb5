/** Finds the service's order of a checkout, binds the two, and releases an order that was wrong. */
import type { Context } from '../context.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { createLastTimes } from '../time/last-times.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import type { AskingTurns } from './asking-turns.ts'
import { type BindByHand, createBindByHand } from './bind-by-hand.ts'
import { type BindNamed, createBindNamed, createBindTo } from './binding.ts'
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
  /**
   * Searches the order, unless that was done a moment ago, or another server does it: then resolves with `by others`. Rejects with a
   * ServiceError if the service cannot be asked.
   */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord | 'by others'>
  /** Searches the order in a new reading of the list, whoever else does. */
  searchNow(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Checks a provisional binding again when that is due, and undoes it if it is wrong. */
  recheck(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Whether the last order found was proved by its time alone, whoever else created orders then. */
  provesByTime(): boolean
  readonly bindByHand: BindByHand
  readonly bindNamed: BindNamed
}

/** A process runs one search for a checkout at a time, however many ask; of all servers on a store one does, but for those of creations. */
export function createBinder(
  context: Pick<Context, 'repository' | 'client' | 'settings' | 'rules' | 'now' | 'plannedNow'>,
  {
    readSituation,
    tracker,
    askingTurns,
  }: { readonly readSituation: ReadSituation; readonly tracker: Tracker; readonly askingTurns: AskingTurns },
): Binder {
  const { now } = context
  const bindTo = createBindTo(context)
  const bindNamed = createBindNamed(bindTo)
  let isProved = false
  const find = createFind(context, {
    readSituation,
    tracker,
    bindTo,
    bindNamed,
    leaveOpen: createLeaveOpen(context),
    onSearched: (isProvedNow) => {
      isProved = isProvedNow
    },
  })
  const lookAgain = createLookAgain(context, { readSituation, tracker })
  const flight = createSingleFlight<CheckoutRecord | 'by others'>()
  const searches = createLastTimes(maxRemembered, now)

  /** A server that finds nothing ends the turn: another may know more of the requests of that time. */
  const turnOf = ({ id }: CheckoutRecord) => ({ name: `search ${id}`, endsWithWork: true })

  const orAsBefore = (checkout: CheckoutRecord, found: CheckoutRecord | 'by others') =>
    found === 'by others' ? checkout : found

  async function tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord | 'by others'> {
    const { binding, instructions } = checkout
    if (binding || !instructions || searches.sinceMs(checkout.id) < searchEveryMs) return checkout
    searches.note(checkout.id)
    const work = () => find(checkout, instructions, listAgeMs)
    return flight(checkout.id, () => askingTurns.inTurn(turnOf(checkout), work))
  }

  return {
    tryBind,
    searchNow: async (checkout) => {
      const { binding, instructions } = checkout
      if (binding || !instructions) return checkout
      searches.note(checkout.id)
      const work = () => find(checkout, instructions, 0)
      return orAsBefore(checkout, await flight(checkout.id, () => askingTurns.always(turnOf(checkout), work)))
    },
    recheck: async (checkout) => {
      const { binding, instructions } = checkout
      if (!instructions || !binding || !isRecheckDue(checkout, binding, now())) return checkout
      const work = () => lookAgain(checkout, instructions, binding.orderId)
      return orAsBefore(checkout, await flight(checkout.id, work))
    },
    provesByTime: () => isProved,
    bindByHand: createBindByHand(context, { tracker, bindTo, readSituation }),
    bindNamed,
  }
}
