/** Looks for the order of a checkout in the service's list, and binds what the evidence allows. */
import type { Context } from '../context.ts'
import { type Situation, weigh } from '../orders/evidence.ts'
import { groupOf } from '../orders/groups.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import type { CheckoutRecord, Instructions } from '../records/types.ts'
import type { BindTo } from './binding.ts'
import type { Tracker } from './tracker.ts'
import type { LeaveOpen } from './unresolved.ts'

interface Parts {
  readonly readSituation: ReadSituation
  readonly tracker: Pick<Tracker, 'record'>
  readonly bindTo: BindTo
  readonly leaveOpen: LeaveOpen
}

/** Looks once, in a list that is `maxAgeMs` old at most. Rejects with a ServiceError when it could not look. */
type Find = (checkout: CheckoutRecord, instructions: Instructions, maxAgeMs: number) => Promise<CheckoutRecord>

/** Binds what is found, and records its status at once. */
export function createFind(
  { repository, rules }: Pick<Context, 'repository' | 'rules'>,
  { readSituation, tracker, bindTo, leaveOpen }: Parts,
): Find {
  /**
   * When as many equal orders as equal checkouts are all paid, all of these checkouts are paid, and which order is whose makes no
   * difference to anybody. Binds all of them; resolves with whether it did.
   */
  async function settleAllPaid(situation: Situation): Promise<boolean> {
    const group = groupOf(situation)?.map(({ member, orderId }) => ({
      member,
      order: situation.orders.find(({ id }) => id === orderId),
    }))
    const isPaid = group?.every(({ order }) => order?.status && rules.phaseOf[order.status] === 'paid')
    if (!group || !isPaid || group.some(({ member }) => member.binding !== null)) return false
    for (const { member, order } of group) {
      if (!order) continue
      const bound = await bindTo(member, order.id, 'all_paid', true)
      if (bound.binding?.orderId === order.id) await tracker.record(member.id, order)
    }
    return true
  }

  return async (before, instructions, maxAgeMs) => {
    const situation = await readSituation(before, instructions, maxAgeMs)
    const { checkout, orders } = situation
    const verdict = weigh(situation)
    if (verdict.kind === 'unknown') {
      if (!(await settleAllPaid(situation))) return leaveOpen(situation, verdict)
      return (await repository.readCheckout(checkout.id)) ?? checkout
    }
    const bound = await bindTo(checkout, verdict.orderId, verdict.evidence, verdict.isCertain)
    const order = orders.find(({ id }) => id === verdict.orderId)
    return order && bound.binding?.orderId === order.id ? tracker.record(bound.id, order) : bound
  }
}
