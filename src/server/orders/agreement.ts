/** What an order says of itself, beside what was asked for: assets, network, place, amounts, sub-account. */
import { equalDecimals, isDecimal } from '../../contract/decimal.ts'
import { sameNetwork } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import { showsOtherPlace } from '../records/marks.ts'
import type { CheckoutRecord, Instructions } from '../records/types.ts'

/** Why an order cannot be the checkout's, in words; null when nothing speaks against it. */
export function contradiction(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  if (order.sourceAsset !== null && !sameWord(order.sourceAsset, checkout.method.asset))
    return `its source asset is ${order.sourceAsset}`
  if (order.targetAsset !== null && !sameWord(order.targetAsset, checkout.terms.price.asset))
    return `its target asset is ${order.targetAsset}`
  if (order.network !== null && !sameNetwork(order.network, checkout.method.network))
    return `its network is ${order.network}`
  return showsOtherPlace(order, instructions)
}

/** Whether an order names a sub-account, and another one. */
export function isOfOtherSubAccount({ subAccountId }: Order, own: string): boolean {
  return subAccountId !== null && !sameWord(subAccountId, own)
}

/**
 * Why the amounts of an order are not the checkout's, in words; null when they are, or are not shown. They are compared when an
 * order is bound, not later: a deposit of another amount may change what the order shows.
 */
export function otherAmounts(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  const { amount } = checkout.terms.price
  if (order.sourceAmount !== null && !sameDecimal(order.sourceAmount, instructions.amount))
    return `it has the source amount ${order.sourceAmount}, not ${instructions.amount}`
  if (order.targetAmount !== null && !sameDecimal(order.targetAmount, amount))
    return `it has the target amount ${order.targetAmount}, not ${amount}`
  return null
}

/** Whether no amount of an order speaks against it. */
export function agrees(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  return otherAmounts(order, checkout, instructions) === null
}

/** Whether an order shows both amounts, and they are the checkout's. */
export function sameAmounts(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  return order.sourceAmount !== null && order.targetAmount !== null && agrees(order, checkout, instructions)
}

function sameDecimal(theirs: string, ours: string): boolean {
  return theirs === ours || (isDecimal(theirs) && equalDecimals(theirs, ours))
}

function sameWord(left: string, right: string): boolean {
  return left === right || left.toUpperCase() === right.toUpperCase()
}
