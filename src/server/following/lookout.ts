/** Looks at the orders of checkouts that are due: from the list where they are many, one by one where it does not show them. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import type { OrderList } from '../orders/order-list.ts'
import { isForgettable, type LookQueue, nextLook, nextTry } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import type { Binder } from './binder.ts'
import { createManyOrders } from './many-orders.ts'
import type { Tracker } from './tracker.ts'

/** Of fresh orders, a reading of the list serves for 200 ms a page; of others, for half a second. */
const perPageMs: Readonly<Record<LookQueue, number>> = { 'look fresh': 200, look: 500, 'look old': 500 }

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
  const { repository, settings, gate, now, rules } = context
  const clock = { now, serviceNow: () => context.time().serviceNowMs ?? now() }
  const manyOrders = {
    'look fresh': createManyOrders(orderList, clock, perPageMs['look fresh']),
    look: createManyOrders(orderList, clock, perPageMs.look),
    'look old': createManyOrders(orderList, clock, perPageMs['look old']),
  }

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
    if (checkout.binding && !checkout.binding.isProvisional) return Promise.resolve(checkout)
    return asking(isTimeUp, () => (checkout.binding ? binder.recheck(checkout) : binder.tryBind(checkout)))
  }

  async function lookAlone(checkout: CheckoutRecord, isTimeUp: () => boolean): Promise<Outcome> {
    return asking(isTimeUp, async () => ((await tracker.tryLook(checkout)) ? 'seen' : unseen()))
  }

  /** One checkout that cannot be looked at keeps nobody from looking at the others. */
  async function carefully(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      settings.report(new PaywindowError('internal', 'A checkout could not be looked at', { cause }), {})
    }
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

  return {
    lookAt: async (queue, due, { isTimeUp, rush }) => {
      const bound: CheckoutRecord[] = []
      const sort = async (checkout: CheckoutRecord) => {
        const known = await identify(checkout, isTimeUp)
        if (typeof known === 'string') await settle(checkout.id, known)
        else if (known.binding && !tracker.isFollowed(known)) bound.push(known)
        else await settle(checkout.id, known.binding ? 'try soon' : 'seen')
      }
      for (const checkout of due) await carefully(() => sort(checkout))
      const listed = await asking(isTimeUp, () => manyOrders[queue].read(bound, rush))
      const orders: ReadonlyMap<string, Order> = typeof listed === 'string' ? new Map() : listed
      const look = async (checkout: CheckoutRecord) => {
        const order = checkout.binding && orders.get(checkout.binding.orderId)
        if (order) await tracker.record(checkout.id, order)
        await settle(checkout.id, order ? 'seen' : await lookAlone(checkout, isTimeUp))
      }
      for (const checkout of bound) await carefully(() => look(checkout))
    },
  }
}
