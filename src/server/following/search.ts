/** Looks for the order of a checkout in the service's list, and binds what the evidence allows. */
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { type Found, type Situation, weigh, weighTime } from '../orders/evidence.ts'
import { createGroup, type Group } from '../orders/groups.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import type { CheckoutRecord, Instructions, TimeWindow } from '../records/types.ts'
import type { BindNamed, BindTo } from './binding.ts'
import type { Tracker } from './tracker.ts'
import type { LeaveOpen } from './unresolved.ts'

/** A rival with an unlimited window: a proof that still holds needs no turns. */
const always: TimeWindow = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

interface Parts {
  readonly readSituation: ReadSituation
  readonly tracker: Pick<Tracker, 'record' | 'take'>
  readonly bindTo: BindTo
  readonly bindNamed: BindNamed
  readonly leaveOpen: LeaveOpen
  /** Called when it is known whether an order's time proves it, whoever else created orders then. */
  readonly onSearched: (isProved: boolean) => void
}

/** Searches once, in a list that is at most `maxAgeMs` old. Rejects with a ServiceError if the service cannot be asked. */
type Find = (checkout: CheckoutRecord, instructions: Instructions, maxAgeMs: number) => Promise<CheckoutRecord>

/** Binds the order that is found, and records its status at once. */
export function createFind(
  { repository, rules }: Pick<Context, 'repository' | 'rules'>,
  { readSituation, tracker, bindTo, bindNamed, leaveOpen, onSearched }: Parts,
): Find {
  const isPaid = ({ status }: Order) => status !== null && rules.phaseOf[status] === 'paid'

  /**
   * When as many equal orders as equal checkouts are all paid, all of these checkouts are paid, and which order is whose makes no
   * difference to anybody. Binds all of them; resolves with whether it did.
   */
  async function settleAllPaid(
    situation: Situation,
    groupOf: () => Group,
    candidates: readonly string[],
  ): Promise<boolean> {
    const paid = new Map(situation.orders.filter(isPaid).map((order) => [order.id, order]))
    // The group has all of these orders, and counting takes time.
    if (!candidates.every((id) => paid.has(id))) return false
    const group = groupOf()?.map(({ member, orderId }) => ({ member, order: paid.get(orderId) }))
    if (!group?.every(({ order }) => order !== undefined)) return false
    if (group.some(({ member }) => member.binding !== null)) return false
    for (const { member, order } of group) {
      if (!order) continue
      const bound = await bindTo(member, { orderId: order.id, evidence: 'all_paid', isCertain: true })
      if (bound.binding?.orderId === order.id) await tracker.record(member.id, order)
    }
    return true
  }

  async function bindFound(checkout: CheckoutRecord, found: Found, orders: readonly Order[]): Promise<CheckoutRecord> {
    const bound = await bindTo(checkout, found)
    const order = orders.find(({ id }) => id === found.orderId)
    return order && bound.binding?.orderId === found.orderId ? tracker.take(bound, order) : bound
  }

  return async (checkout, instructions, maxAgeMs) => {
    // It was not bound when the answer came: the store failed then, or the process died.
    const named = await bindNamed(checkout)
    if (named.binding) return named
    const { timed, whole, narrowed } = await readSituation(checkout, instructions, maxAgeMs)
    const byTime = weighTime(timed)
    if (byTime) {
      onSearched(weighTime({ ...timed, rivals: [always] }) !== undefined)
      return bindFound(checkout, byTime, timed.orders)
    }
    const wide = await whole()
    const first = weigh(wide)
    if (first.kind === 'found' || wide.isListed) onSearched(false)
    if (first.kind === 'found') return bindFound(checkout, first, wide.orders)
    const narrow = await narrowed(wide)
    const situation = narrow ?? wide
    const verdict = narrow ? weigh(narrow) : first
    if (verdict.kind === 'found') return bindFound(checkout, verdict, situation.orders)
    const groupOf = createGroup(situation)
    if (!(await settleAllPaid(situation, groupOf, verdict.candidates))) return leaveOpen(situation, verdict, groupOf)
    return (await repository.readCheckout(checkout.id)) ?? checkout
  }
}
