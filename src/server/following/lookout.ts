/**
 * One look at the checkouts that are due in a queue: identifies their orders, reads many of them
 * from the list and the rest one by one, and plans the next looks. `watching.ts` repeats it.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { unlessServiceFails } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { isForgettable, type LookQueue, nextLook, nextTry } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { isSettled } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { listPagesPerSecond, type OrderList } from '../orders/order-list.ts'
import { reporting } from '../time/work.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import type { Binder } from './binder.ts'
import { createLapses } from './lapses.ts'
import { createManyOrders } from './many-orders.ts'
import type { ReadingTurn } from './server-turns.ts'
import { needsBoth, type Tracker, urgencyOf } from './tracker.ts'

/** Checkouts that are written together. More would block the event loop. */
const groupSize = 25

/** The time of a round, and the work to come. */
export interface Patience {
  isTimeUp(): boolean
  /** Batches in a second, each with about as many due checkouts; 0 if this is the only one. */
  readonly batchesPerSecond: number
}

/** `not asked`: without time or budget, or because another server asks. The checkout stays due. */
type Outcome = 'seen' | 'try soon' | 'not asked'

/** The parts that a lookout calls. */
export interface LookoutParts {
  readonly binder: Binder
  readonly tracker: Tracker
  readonly orderList: OrderList
  readonly readingTurn: ReadingTurn
}

/**
 * Returns a function that looks at checkouts of one queue. Without time or budget a checkout stays
 * due, and after a failure it is due again soon. Sends nothing while requests are held off or the
 * budget is used up.
 */
export function createLookout(context: Context, { binder, tracker, orderList, readingTurn }: LookoutParts) {
  const { gate, rules, now } = context
  const isolation = createIsolation(context)
  const { isolated, inGroups } = isolation
  const { planNextLook, planAfterRecording } = createPlanning(context, tracker)
  const readList = createReadList(context, orderList, readingTurn)
  const { withinBudget, outcomeOfFailure } = createBudgeted(context)

  function identify(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean) {
    return withinBudget(queue, isTimeUp, async () => {
      const known = await (checkout.binding ? binder.recheck(checkout) : binder.tryBind(checkout))
      return known === 'left to another server' ? 'not asked' : known
    })
  }

  async function lookAlone(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<Outcome> {
    return withinBudget(queue, isTimeUp, async () => {
      const looked = await tracker.look(checkout)
      if (looked === 'left to another server') return 'not asked'
      return looked ? 'seen' : outcomeOfFailure()
    })
  }

  const identifyAll = createIdentifyAll({ ...isolation, tracker, identify, planNextLook })

  return async (queue: LookQueue, due: readonly CheckoutRecord[], patience: Patience): Promise<void> => {
    const { isTimeUp, batchesPerSecond } = patience
    const bound = await identifyAll(queue, due, isTimeUp)
    // A step back needs the details, too.
    const listable = bound.filter((checkout) => !needsBoth(checkout, now()))
    const listed = await withinBudget(queue, isTimeUp, () => readList[queue](listable, batchesPerSecond))
    // They stay due. The other server writes what it reads into their records at once.
    if (listed === 'left to another server') return
    const shown = typeof listed === 'string' ? new Map<string, Order>() : listed
    await inGroups(
      bound.filter(({ id }) => shown.has(id)),
      async (group) => {
        const ids = new Set(group.map(({ id }) => id))
        await planAfterRecording(group, await tracker.recordAll(new Map([...shown].filter(([id]) => ids.has(id)))))
      },
    )
    const isSoon = (checkout: CheckoutRecord) => urgencyOf(checkout, now(), rules.phaseOf) === 'soon'
    const unshown = bound.filter(({ id }) => !shown.has(id)).sort((a, b) => Number(isSoon(b)) - Number(isSoon(a)))
    // While the list is held off only few: single requests would use up the limit that the list
    // needs to go on.
    const alone = gate.heldMs('list') > 0 ? unshown.slice(0, policy.poll.fewOrders) : unshown
    for (const checkout of alone)
      await isolated(async () => planNextLook([checkout], await lookAlone(queue, checkout, isTimeUp)))
  }
}

function createBudgeted({ settings, gate, now }: Context) {
  /**
   * Does work that sends requests, once there is spare budget or the queue has given way for long
   * enough.
   */
  async function withinBudget<Result>(
    queue: LookQueue,
    isTimeUp: () => boolean,
    work: () => Promise<Result>,
  ): Promise<Result | Outcome> {
    const giveWayUntilMs = now() + policy.look.givesWayMs[queue]
    if (gate.heldMs() > 0) return 'not asked'
    if (!(await gate.spare(() => isTimeUp() || now() >= giveWayUntilMs)) && isTimeUp()) return 'not asked'
    return unlessServiceFails(work(), (error) => {
      const what = `Orders could not be looked up: ${error.message}`
      if (!(error instanceof HeldOffError))
        settings.report(new PaywindowError('service_unavailable', what, { cause: error }), {})
      return outcomeOfFailure()
    })
  }

  /** If all requests are held off, the checkout stays due until they are not. */
  const outcomeOfFailure = (): Outcome => (gate.heldMs() > 0 ? 'not asked' : 'try soon')

  return { withinBudget, outcomeOfFailure }
}

/** Makes the functions that read many orders from the list. Each queue has its own pace. */
function createReadList(context: Context, orderList: OrderList, readingTurn: ReadingTurn) {
  const { settings, gate } = context
  const inTurn = readingTurn({ servesMs: policy.list.freshMs + policy.look.nextFreshMs, restMs: 0 })
  const many = (queue: LookQueue) =>
    createManyOrders(context, orderList, {
      // With other servers, the readings of this queue also answer their polls, so they keep the
      // pace of polls.
      servesMs: () => (queue === 'look fresh' && !gate.isAlone() ? policy.list.freshMs : policy.look.servesMs[queue]),
      inTurn,
      perPageMs: 1_000 / (listPagesPerSecond(settings) * policy.look.shareOfPages[queue]),
      spanMs: queue === 'look fresh' ? policy.list.recentMs : 0,
    })
  return { 'look fresh': many('look fresh'), look: many('look'), 'look old': many('look old') }
}

/** Plans the next looks after a look, and forgets unpaid checkouts after their last look. */
function createPlanning(context: Context, tracker: Tracker) {
  const { repository, gate, rules, now, plannedNow } = context
  const tellLapsed = createLapses(context, tracker)
  const isDue = ({ nextLookAtMs }: CheckoutRecord) => nextLookAtMs !== null && nextLookAtMs <= now()

  /** Plans the looks that recording an order has not planned in the same write. */
  async function planAfterRecording(
    before: readonly CheckoutRecord[],
    after: readonly CheckoutRecord[],
  ): Promise<void> {
    const latest = new Map(after.map((checkout) => [checkout.id, checkout]))
    const isPutOff = (checkout: CheckoutRecord) => isDue(checkout) && !isDue(latest.get(checkout.id) ?? checkout)
    await planNextLook(
      before.filter((checkout) => !isPutOff(checkout)),
      'seen',
    )
    await conclude(after)
  }

  async function planNextLook(checkouts: readonly CheckoutRecord[], outcome: Outcome): Promise<void> {
    if (outcome === 'not asked' || checkouts.length === 0) return
    const next = outcome === 'seen' ? nextLook : nextTryOf
    const after = await repository.updateCheckouts(
      checkouts.map(({ id }) => id),
      (checkout) =>
        // If the queue says due and the record does not, writing the same record again corrects the
        // queue.
        isDue(checkout) ? { ...checkout, nextLookAtMs: next(checkout, plannedNow(), rules.phaseOf) } : { ...checkout },
    )
    if (outcome === 'seen') await conclude(after)
  }

  /** If only this request is held off, the next try is at the end of its pause. */
  const nextTryOf: typeof nextTry = (checkout, nowMs, phaseOf) => {
    const atMs = nextTry(checkout, nowMs, phaseOf)
    const { binding } = checkout
    const heldMs = gate.heldMs(binding && isSettled(binding) ? `order ${binding.orderId}` : 'list')
    return atMs === null || heldMs === 0 ? atMs : Math.min(atMs, nowMs + heldMs)
  }

  async function conclude(checkouts: readonly CheckoutRecord[]): Promise<void> {
    tellLapsed(checkouts)
    const isOld = (checkout: CheckoutRecord) => isForgettable(checkout, plannedNow(), rules.phaseOf)
    for (const checkout of checkouts) if (isOld(checkout)) await repository.forget(checkout, isOld)
  }

  return { planNextLook, planAfterRecording }
}

/** Keeps a failure for one checkout from stopping the work for others. */
function createIsolation({ settings }: Context) {
  const failed = reporting(settings.report, 'A checkout could not be looked at')

  /** Does the work, and reports a failure in place of rejecting. */
  const isolated = (work: () => Promise<void>) => work().catch(failed)

  /**
   * Does the work for groups of checkouts. If it fails for a group, does it for each checkout of
   * the group alone.
   */
  async function inGroups(
    checkouts: readonly CheckoutRecord[],
    work: (group: readonly CheckoutRecord[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < checkouts.length; at += groupSize) {
      const group = checkouts.slice(at, at + groupSize)
      await work(group).catch(async () => {
        for (const checkout of group) await isolated(() => work([checkout]))
      })
    }
  }

  return { isolated, inGroups }
}

interface Parts extends ReturnType<typeof createIsolation> {
  readonly tracker: Pick<Tracker, 'isFollowed'>
  identify(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<CheckoutRecord | Outcome>
  planNextLook(checkouts: readonly CheckoutRecord[], outcome: Outcome): Promise<void>
}

/**
 * Returns a function that identifies the orders of checkouts. Resolves with the checkouts to look
 * at, whose order is known and polled by no browser. Plans the next look of all others. Searches
 * for a group at the same time, because these searches share their reads.
 */
function createIdentifyAll({ isolated, inGroups, tracker, identify, planNextLook }: Parts) {
  return async (queue: LookQueue, due: readonly CheckoutRecord[], isTimeUp: () => boolean) => {
    const certain = due.filter(({ binding }) => isSettled(binding))
    const bound = certain.filter((checkout) => !tracker.isFollowed(checkout))
    await inGroups(certain.filter(tracker.isFollowed), (group) => planNextLook(group, 'try soon'))
    await inGroups(
      due.filter(({ binding }) => !isSettled(binding)),
      async (group) => {
        const left: { readonly checkout: CheckoutRecord; readonly outcome: Outcome }[] = []
        const sort = async (checkout: CheckoutRecord) => {
          const known = await identify(queue, checkout, isTimeUp)
          if (typeof known === 'string') left.push({ checkout, outcome: known })
          else if (known.binding && !tracker.isFollowed(known)) bound.push(known)
          else left.push({ checkout: known, outcome: known.binding ? 'try soon' : 'seen' })
        }
        await Promise.all(group.map((checkout) => isolated(() => sort(checkout))))
        for (const outcome of ['seen', 'try soon'] as const) {
          const looked = left.filter((each) => each.outcome === outcome).map(({ checkout }) => checkout)
          await inGroups(looked, (each) => planNextLook(each, outcome))
        }
      },
    )
    return bound
  }
}
