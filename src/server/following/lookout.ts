/** Looks at the orders of checkouts that are due: from the list where they are many, one by one where it does not show them. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { listPagesPerSecond, type OrderList } from '../orders/order-list.ts'
import { isForgettable, type LookQueue, nextLook, nextTry } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import type { Binder } from './binder.ts'
import { createManyOrders } from './many-orders.ts'
import type { Tracker } from './tracker.ts'

/** A reading of the list serves for longer the more pages it took, and for older orders longer than for fresh ones. */
const shareOfPages: Readonly<Record<LookQueue, number>> = { 'look fresh': 1, look: 0.4, 'look old': 0.4 }

/** Checkouts that are written at the same time: a store can write many as quickly as one. */
const maxAtOnce = 50

/** How long there is time, and how much more is to come meanwhile. */
export interface Patience {
  isTimeUp(): boolean
  /** How many times as many checkouts will be due while a reading of the list serves. */
  readonly rush: number
}

interface Lookout {
  /**
   * Looks at checkouts of one queue. What there was no time or no leave for stays due; what failed is due again soon.
   */
  lookAt(queue: LookQueue, due: readonly CheckoutRecord[], patience: Patience): Promise<void>
}

/** `not asked`: there was no time or no leave to ask, and it stays due. */
type Outcome = 'seen' | 'try soon' | 'not asked'

/** Asks for nothing while the service is left alone or its budget is used up. */
export function createLookout(
  context: Pick<Context, 'repository' | 'settings' | 'gate' | 'rules' | 'now' | 'time'>,
  { binder, tracker, orderList }: { binder: Binder; tracker: Tracker; orderList: OrderList },
): Lookout {
  const { settings, gate, now } = context
  const clock = { now, serviceNow: () => context.time().serviceNowMs ?? now() }
  const { carefully, atOnce } = createCare(context)
  const { settle, settleRecorded } = createSettle(context)
  const many = (queue: LookQueue) =>
    createManyOrders(orderList, clock, 1_000 / (listPagesPerSecond(settings) * shareOfPages[queue]))
  const manyOrders = { 'look fresh': many('look fresh'), look: many('look'), 'look old': many('look old') }

  /** Asks the service where there is budget left. */
  async function asking<Result>(isTimeUp: () => boolean, work: () => Promise<Result>): Promise<Result | Outcome> {
    if (gate.heldMs() > 0 || !(await gate.spare(isTimeUp))) return 'not asked'
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (!(error instanceof HeldOffError)) reportUnread(error)
      return unseen()
    }
  }

  function reportUnread(cause: ServiceError): void {
    const what = `The order list could not be read: ${cause.message}`
    settings.report(new PaywindowError('service_unavailable', what, { cause }), {})
  }

  /** What is left alone by itself is tried again; where everything is, it stays due until that is over. */
  const unseen = (): Outcome => (gate.heldMs() > 0 ? 'not asked' : 'try soon')

  /** Whose order a checkout is, where that is not known for certain. */
  function identify(checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<CheckoutRecord | Outcome> {
    if (isCertain(checkout)) return Promise.resolve(checkout)
    return asking(isTimeUp, () => (checkout.binding ? binder.recheck(checkout) : binder.tryBind(checkout)))
  }

  async function lookAlone(checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<Outcome> {
    return asking(isTimeUp, async () => ((await tracker.tryLook(checkout)) ? 'seen' : unseen()))
  }

  /** Those whose order is known for certain and that no browser follows. The others are settled. */
  async function toLookAt(due: readonly CheckoutRecord[], isTimeUp: () => boolean): Promise<CheckoutRecord[]> {
    const bound: CheckoutRecord[] = []
    const sort = async (checkout: CheckoutRecord) => {
      const known = await identify(checkout, isTimeUp)
      if (typeof known === 'string') await settle(checkout.id, known)
      else if (known.binding && !tracker.isFollowed(known)) bound.push(known)
      else await settle(checkout.id, known.binding ? 'try soon' : 'seen')
    }
    await atOnce(due.filter(isCertain), sort)
    for (const checkout of due.filter((each) => !isCertain(each))) await carefully(() => sort(checkout))
    return bound
  }

  return {
    lookAt: async (queue, due, { isTimeUp, rush }) => {
      const bound = await toLookAt(due, isTimeUp)
      const listed = await asking(isTimeUp, () => manyOrders[queue].read(bound, rush))
      const orders: ReadonlyMap<string, Order> = typeof listed === 'string' ? new Map() : listed
      const isListed = ({ binding }: CheckoutRecord) => binding !== null && orders.has(binding.orderId)
      await atOnce(bound.filter(isListed), async (checkout) => {
        const order = checkout.binding && orders.get(checkout.binding.orderId)
        if (order) await settleRecorded(checkout, await tracker.record(checkout.id, order))
      })
      for (const checkout of bound.filter((each) => !isListed(each)))
        await carefully(async () => settle(checkout.id, await lookAlone(checkout, isTimeUp)))
    },
  }
}

function isCertain({ binding }: CheckoutRecord): boolean {
  return binding !== null && !binding.isProvisional
}

/** Puts off the next look after one, or forgets what came to nothing. */
function createSettle({ repository, rules, now }: Pick<Context, 'repository' | 'rules' | 'now'>) {
  /** Recording what the list showed has mostly put off the next look, in the same write. */
  async function settleRecorded(before: CheckoutRecord, after: CheckoutRecord): Promise<void> {
    const wasDue = before.nextLookAtMs !== null && before.nextLookAtMs <= now()
    const isPutOff = after.nextLookAtMs === null || after.nextLookAtMs > now()
    if (!wasDue || !isPutOff) return settle(before.id, 'seen')
    if (isForgettable(after, now(), rules.phaseOf)) await repository.forget(after)
  }

  /** Forgets what came to nothing, now that it was looked at for the last time. */
  async function settle(id: string, outcome: Outcome): Promise<void> {
    if (outcome === 'not asked') return
    const after = await repository.updateCheckout(id, (checkout) => {
      // Due by its queue and not by itself, it is written again, which puts the queue right: else it would be due for ever.
      if (checkout.nextLookAtMs === null || checkout.nextLookAtMs > now()) return { ...checkout }
      const next = outcome === 'seen' ? nextLook : nextTry
      return { ...checkout, nextLookAtMs: next(checkout, now(), rules.phaseOf) }
    })
    if (outcome === 'seen' && isForgettable(after, now(), rules.phaseOf)) await repository.forget(after)
  }

  return { settle, settleRecorded }
}

/** One piece of work that fails keeps nobody from the others. */
function createCare({ settings }: Pick<Context, 'settings'>) {
  async function carefully(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      settings.report(new PaywindowError('internal', 'A checkout could not be looked at', { cause }), {})
    }
  }

  async function atOnce(checkouts: readonly CheckoutRecord[], work: (checkout: CheckoutRecord) => Promise<void>) {
    for (let at = 0; at < checkouts.length; at += maxAtOnce)
      await Promise.all(checkouts.slice(at, at + maxAtOnce).map((checkout) => carefully(() => work(checkout))))
  }

  return { carefully, atOnce }
}
