/** Checkouts and orders that belong to each other as a whole, where it is not known which to which. */
import type { CheckoutRecord } from '../records/types.ts'
import { agrees } from './agreement.ts'
import { closedGroup } from './counting.ts'
import { createdMsOf, isCountable, requestsOf, type Situation } from './evidence.ts'

/** A checkout and an order that may be its own. */
interface GroupMember {
  readonly member: CheckoutRecord
  readonly orderId: string
}

/** Undefined where there is no group, or too many could belong to it. */
export type Group = readonly GroupMember[] | undefined

/** The checkouts that certainly have as many orders between them as they are, each with one of these orders: counted when asked, once. */
export function createGroup(situation: Situation): () => Group {
  let counted: { readonly group: Group } | undefined
  return () => {
    counted ??= { group: situation.isListed && isCountable(situation) ? groupOf(situation) : undefined }
    return counted.group
  }
}

/** An order that shows what has come in place of what was asked for is not as good as another for everybody. */
function groupOf(situation: Situation): Group {
  const others = situation.others.map(({ checkout }) => checkout)
  const counted = closedGroup(requestsOf(situation), 0, createdMsOf(situation))
  const group =
    counted && [...counted].map(([at, orderId]) => ({ member: others[at - 1] ?? situation.checkout, orderId }))
  const isEqual = ({ member, orderId }: GroupMember) => {
    const order = situation.orders.find(({ id }) => id === orderId)
    return order === undefined || member.instructions === null || agrees(order, member, member.instructions)
  }
  return group?.every(isEqual) ? group : undefined
}
