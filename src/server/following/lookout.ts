/** Looks at the orders of checkouts that are due: from the list where they are many, one by one where it does not show them. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { isForgettable, type LookQueue, nextLook, nextTry } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { isHeldLongEnough, timesOf } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { listPagesPerSecond, type OrderList } from '../orders/order-list.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import type { Binder } from './binder.ts'
import { createManyOrders } from './many-orders.ts'
import { type Tracker, urgencyOf } from './tracker.ts'
import type { ReadingTurn } from './turns.ts'

/** Checkouts that are written together. More would keep the event loop from its other work. */
const groupSize = 25

/** How much time a round has, and how much work is still to come. */
export interface Patience {
  isTimeUp(): boolean
  /** Turns in a second, each with about as many due checkouts; 0 where there is only this one. */
  readonly turnsPerSecond: number
}

/** What finds, follows and lists orders. */
export interface LookoutParts {
  readonly binder: Binder
  readonly tracker: Tracker
  readonly orderList: OrderList
  readonly readingTurn: ReadingTurn
}

interface Lookout {
  /**
   * Looks at checkouts of one queue. Those for which there was no time or no budget stay due; those that failed are due again soon.
   */
  lookAt(queue: LookQueue, due: readonly CheckoutRecord[], patience: Patience): Promise<void>
}

/** Sends nothing while requests are held off or the budget is used up. */
export function createLookout(
  context: Pick<Context, 'repository' | 'settings' | 'gate' | 'rules' | 'now' | 'plannedNow' | 'time'>,
  { binder, tracker, orderList, readingTurn }: LookoutParts,
): Lookout {
  const { gate, rules, now } = context
  const care = createCare(context)
  const { carefully, inGroups } = care
  const { settle, settleRecorded } = createSettle(context)
  const readList = createReadList(context, orderList, readingTurn)

  const { asking, unseen } = createAsking(context)

  /** Finds or checks the order of a checkout, if it is not certain. */
  function identify(
    queue: LookQueue,
    checkout: CheckoutRecord,
    isTimeUp: () => boolean,
  ): Promise<CheckoutRecord | Outcome> {
    if (isCertain(checkout)) return Promise.resolve(checkout)
    return asking(queue, isTimeUp, async () => {
      const known = await (checkout.binding ? binder.recheck(checkout) : binder.tryBind(checkout))
      return known === 'left to another server' ? 'not asked' : known
    })
  }

  async function lookAlone(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<Outcome> {
    return asking(queue, isTimeUp, async () => {
      const looked = await tracker.tryLook(checkout)
      if (looked === 'left to another server') return 'not asked'
      return looked ? 'seen' : unseen()
    })
  }

  const toLookAt = createToLookAt({ ...care, tracker, identify, settle })

  return {
    lookAt: async (queue, due, { isTimeUp, turnsPerSecond }) => {
      const bound = await toLookAt(queue, due, isTimeUp)
      // What takes a status back needs more than the list.
      const listable = bound.filter(
        (checkout) => !isHeldLongEnough(checkout, timesOf({ sentAtMs: now(), serviceDateMs: null })),
      )
      const listed = await asking(queue, isTimeUp, () => readList(queue, listable, turnsPerSecond))
      // They stay due until it is this server's turn. What the other one reads is taken into their records at once.
      if (listed === 'left to another server') return
      const shown = typeof listed === 'string' ? new Map<string, Order>() : listed
      await inGroups(
        bound.filter(({ id }) => shown.has(id)),
        async (group) => {
          const ids = new Set(group.map(({ id }) => id))
          await settleRecorded(group, await tracker.recordAll(new Map([...shown].filter(([id]) => ids.has(id)))))
        },
      )
      const isSoon = (checkout: CheckoutRecord) => urgencyOf(checkout, now(), rules.phaseOf) === 'soon'
      const unshown = bound.filter(({ id }) => !shown.has(id)).sort((a, b) => Number(isSoon(b)) - Number(isSoon(a)))
      // Single requests in place of the list would use up the limit that stopped it. It goes on at the page where it was stopped.
      const alone = gate.heldMs('list') > 0 ? unshown.slice(0, policy.poll.fewOrders) : unshown
      for (const checkout of alone)
        await carefully(async () => settle([checkout], await lookAlone(queue, checkout, isTimeUp)))
    },
  }
}

/** Sends what a lane wants, when its turn has come. */
function createAsking({ settings, gate, now }: Pick<Context, 'settings' | 'gate' | 'now'>) {
  /** Sends requests if there is budget left, or when the lane has given way for long enough. */
  async function asking<Result>(
    queue: LookQueue,
    isTimeUp: () => boolean,
    work: () => Promise<Result>,
  ): Promise<Result | Outcome> {
    const giveWayUntilMs = now() + policy.look.givesWayMs[queue]
    if (gate.heldMs() > 0) return 'not asked'
    if (!(await gate.spare(() => isTimeUp() || now() >= giveWayUntilMs)) && isTimeUp()) return 'not asked'
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (!(error instanceof HeldOffError)) reportUnread(error)
      return unseen()
    }
  }

  function reportUnread(cause: ServiceError): void {
    const what = `Orders could not be looked up: ${cause.message}`
    settings.report(new PaywindowError('service_unavailable', what, { cause }), {})
  }

  /** If only this request is held off, it is tried again; if everything is, the checkout stays due until that is over. */
  const unseen = (): Outcome => (gate.heldMs() > 0 ? 'not asked' : 'try soon')

  return { asking, unseen }
}

/** Reads many orders from the list, for each queue at a pace of its own. */
function createReadList(
  { settings, gate, now, time }: Pick<Context, 'settings' | 'gate' | 'now' | 'time'>,
  orderList: OrderList,
  readingTurn: ReadingTurn,
) {
  const clock = { now, serviceNow: () => time().serviceNowMs ?? now() }
  const inTurn = readingTurn({ servesMs: policy.list.freshMs + policy.look.nextFreshMs, restMs: 0 })
  const many = (queue: LookQueue) =>
    createManyOrders(orderList, clock, {
      // Where others answer polls from the same readings, these come at the pace of polls.
      servesMs: () => (queue === 'look fresh' && !gate.isAlone() ? policy.list.freshMs : policy.look.servesMs[queue]),
      inTurn,
      perPageMs: 1_000 / (listPagesPerSecond(settings) * policy.look.shareOfPages[queue]),
      spanMs: queue === 'look fresh' ? policy.list.recentMs : 0,
    })
  const manyOrders = { 'look fresh': many('look fresh'), look: many('look'), 'look old': many('look old') }
  return (queue: LookQueue, bound: readonly CheckoutRecord[], turnsPerSecond: number) =>
    manyOrders[queue].read(bound, turnsPerSecond)
}

/** Puts off the next looks, or forgets checkouts that came to nothing. */
function createSettle({
  repository,
  gate,
  rules,
  now,
  plannedNow,
}: Pick<Context, 'repository' | 'gate' | 'rules' | 'now' | 'plannedNow'>) {
  const isDue = ({ nextLookAtMs }: CheckoutRecord) => nextLookAtMs !== null && nextLookAtMs <= now()

  /** Recording what the list showed has mostly put off the next look, in the same write. */
  async function settleRecorded(before: readonly CheckoutRecord[], after: readonly CheckoutRecord[]): Promise<void> {
    const latest = new Map(after.map((checkout) => [checkout.id, checkout]))
    const isPutOff = (checkout: CheckoutRecord) => isDue(checkout) && !isDue(latest.get(checkout.id) ?? checkout)
    await settle(
      before.filter((checkout) => !isPutOff(checkout)),
      'seen',
    )
    await forgetOld(after)
  }

  /** Forgets a checkout that came to nothing once it was looked at for the last time. */
  async function settle(checkouts: readonly CheckoutRecord[], outcome: Outcome): Promise<void> {
    if (outcome === 'not asked' || checkouts.length === 0) return
    const next = outcome === 'seen' ? nextLook : nextTryOf
    const after = await repository.updateCheckouts(
      checkouts.map(({ id }) => id),
      (checkout) =>
        // If the queue says due and the record does not, writing the record again corrects the queue. Otherwise it would be due for ever.
        isDue(checkout) ? { ...checkout, nextLookAtMs: next(checkout, plannedNow(), rules.phaseOf) } : { ...checkout },
    )
    if (outcome === 'seen') await forgetOld(after)
  }

  /** A request that is held off alone is tried again when that is over. */
  const nextTryOf: typeof nextTry = (checkout, nowMs, phaseOf) => {
    const atMs = nextTry(checkout, nowMs, phaseOf)
    const { binding } = checkout
    const heldMs = gate.heldMs(binding && isCertain(checkout) ? `order ${binding.orderId}` : 'list')
    return atMs === null || heldMs === 0 ? atMs : Math.min(atMs, nowMs + heldMs)
  }

  async function forgetOld(checkouts: readonly CheckoutRecord[]): Promise<void> {
    const isOld = (checkout: CheckoutRecord) => isForgettable(checkout, plannedNow(), rules.phaseOf)
    for (const checkout of checkouts) if (isOld(checkout)) await repository.forget(checkout, isOld)
  }

  return { settle, settleRecorded }
}

/** A failure of one piece of work does not stop the others. */
function createCare({ settings }: Pick<Context, 'settings'>): Care {
  async function carefully(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      settings.report(new PaywindowError('internal', 'A checkout could not be looked at', { cause }), {})
    }
  }

  async function inGroups(
    checkouts: readonly CheckoutRecord[],
    work: (group: readonly CheckoutRecord[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < checkouts.length; at += groupSize) {
      const group = checkouts.slice(at, at + groupSize)
      await work(group).catch(async () => {
        for (const checkout of group) await carefully(() => work([checkout]))
      })
    }
  }

  return { carefully, inGroups }
}

/** `not asked`: there was no time or no budget, or another server asks, and the checkout stays due. */
type Outcome = 'seen' | 'try soon' | 'not asked'

/** How work for many checkouts is done, so that one failure does not stop it. */
interface Care {
  carefully(work: () => Promise<void>): Promise<void>
  /** Does the work for groups of checkouts; if it fails for a group, for each checkout alone. */
  inGroups(
    checkouts: readonly CheckoutRecord[],
    work: (group: readonly CheckoutRecord[]) => Promise<void>,
  ): Promise<void>
}

interface Parts extends Care {
  readonly tracker: Pick<Tracker, 'isFollowed'>
  /** Finds or checks the order of a checkout. */
  identify(queue: LookQueue, checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<CheckoutRecord | Outcome>
  settle(checkouts: readonly CheckoutRecord[], outcome: Outcome): Promise<void>
}

/** The checkouts whose order is certain and that no browser polls. The others are settled. */
type ToLookAt = (
  queue: LookQueue,
  due: readonly CheckoutRecord[],
  isTimeUp: () => boolean,
) => Promise<readonly CheckoutRecord[]>

/** Searches the orders of a group at the same time, because such searches share what they read. */
function createToLookAt({ carefully, inGroups, tracker, identify, settle }: Parts): ToLookAt {
  return async (queue, due, isTimeUp) => {
    const certain = due.filter(isCertain)
    const bound = certain.filter((checkout) => !tracker.isFollowed(checkout))
    await inGroups(certain.filter(tracker.isFollowed), (group) => settle(group, 'try soon'))
    await inGroups(
      due.filter((each) => !isCertain(each)),
      async (group) => {
        const left: { readonly checkout: CheckoutRecord; readonly outcome: Outcome }[] = []
        const sort = async (checkout: CheckoutRecord) => {
          const known = await identify(queue, checkout, isTimeUp)
          if (typeof known === 'string') left.push({ checkout, outcome: known })
          else if (known.binding && !tracker.isFollowed(known)) bound.push(known)
          else left.push({ checkout: known, outcome: known.binding ? 'try soon' : 'seen' })
        }
        await Promise.all(group.map((checkout) => carefully(() => sort(checkout))))
        for (const outcome of ['seen', 'try soon'] as const) {
          const settled = left.filter((each) => each.outcome === outcome).map(({ checkout }) => checkout)
          await inGroups(settled, (each) => settle(each, outcome))
        }
      },
    )
    return bound
  }
}

/** Whether it is settled which order a checkout has. */
function isCertain({ binding }: CheckoutRecord): boolean {
  return binding !== null && !binding.isProvisional
}
