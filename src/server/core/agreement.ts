/**
 * What an order shows, compared with what was asked for: assets, network, address and tag, amounts,
 * times, sub-account. An address, a tag or a time alone proves nothing: services use addresses again,
 * and give orders of the same moment the same time.
 */
import { equalDecimals, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset, sameAsset, sameNetwork } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import { type Destination, destinationOf } from '../addresses/destination.ts'
import type { Method } from '../offers.ts'
import { isRounded, offeredPrice } from './received.ts'
import { serviceTimeMs, sharedDigits } from './service-times.ts'
import type { CheckoutRecord, Instructions } from './types.ts'

/** Why an order cannot be the checkout's, in words; null when nothing speaks against it. */
export function contradiction(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  return otherMethod(order, checkout) ?? otherTarget(order, checkout, instructions)
}

/**
 * What an order shows of another asset or network to be deposited, in words; null when it is the checkout's, or is not shown. After a
 * deposit of something else an order may show that.
 */
export function otherMethod(order: Order, checkout: CheckoutRecord): string | null {
  const { method } = checkout
  if (showsOtherAsset(order, checkout)) return `its source asset is ${order.sourceAsset}`
  return order.network !== null && !sameNetwork(order.network, method.network)
    ? `its network is ${order.network}`
    : null
}

/** Whether an order shows another asset to be deposited than the checkout's. */
export function showsOtherAsset({ sourceAsset }: Order, { method }: CheckoutRecord): boolean {
  return sourceAsset !== null && !sameAsset(sourceAsset, method.asset, method.network)
}

/** What an order shows that no deposit changes: another asset to be received, another address or tag, in words; else null. */
export function otherTarget(
  order: Order,
  { terms, method }: CheckoutRecord,
  instructions: Instructions,
): string | null {
  if (order.targetAsset !== null && confusableAsset(order.targetAsset) !== confusableAsset(terms.price.asset))
    return `its target asset is ${order.targetAsset}`
  return showsOtherPlace(order, instructions, method)
}

/** Whether an order names a sub-account, and another one. */
export function isOfOtherSubAccount({ subAccountId }: Order, own: string): boolean {
  return subAccountId !== null && !sameWord(subAccountId, own)
}

/**
 * Why the amounts of an order are not the checkout's, in words; null when they are, but for rounding, or are not shown. A deposit of another
 * amount may change what an order shows: `agrees` takes that into account.
 */
export function otherAmounts(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  const { amount } = checkout.terms.price
  if (isShown(order.sourceAmount) && !agreesWith(order.sourceAmount, instructions.amount))
    return `it has the source amount ${order.sourceAmount}, not ${instructions.amount}`
  if (isShown(order.targetAmount) && !agreesWith(order.targetAmount, amount))
    return `it has the target amount ${order.targetAmount}, not ${offeredPrice(checkout).amount}`
  return null
}

/** Whether an order shows an amount. Services write 0 for one that a request does not give, and ours give the target amount only. */
export function isShown(amount: string | null): amount is string {
  return amount !== null && !sameDecimal(amount, '0')
}

/** Whether no amount of an order speaks against it. After a deposit the source amount may be what was deposited. */
export function agrees(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  const { status, targetAmount } = order
  const isOfDeposit =
    status !== 'open' && isShown(targetAmount) && agreesWith(targetAmount, checkout.terms.price.amount)
  return isOfDeposit || hasDepositSince(order, checkout) || otherAmounts(order, checkout, instructions) === null
}

/** Whether a checkout was bound to an order by what that showed, and something may have been deposited since: its amounts may be other ones now. */
function hasDepositSince({ id, status }: Order, { binding }: CheckoutRecord): boolean {
  return status !== 'open' && binding?.orderId === id && binding.evidence !== 'response_id'
}

/**
 * Whether an order shows both amounts, and they are the checkout's to the last digit, or were when it was bound: some services tell orders apart by
 * their last digits, so what is counted must not be rounded.
 */
export function sameAmounts(order: Order, checkout: CheckoutRecord, { amount }: Instructions) {
  const { sourceAmount, targetAmount } = order
  const { terms } = checkout
  if (hasDepositSince(order, checkout)) return true
  return (
    isShown(sourceAmount) &&
    isShown(targetAmount) &&
    sameDecimal(sourceAmount, amount) &&
    sameDecimal(targetAmount, terms.price.amount)
  )
}

/** Whether an order that is not open any more shows one of the checkout's amounts beside another one: that may be what has come. */
export function mayShowReceived(
  { status, sourceAmount, targetAmount }: Order,
  { terms }: CheckoutRecord,
  { amount }: Instructions,
): boolean {
  if (status === 'open' || !isShown(sourceAmount) || !isShown(targetAmount)) return false
  return agreesWith(sourceAmount, amount) !== agreesWith(targetAmount, terms.price.amount)
}

/** Whether an order shows the amount to be received, and no amount speaks against it. */
export function sameTarget(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  return isShown(order.targetAmount) && agrees(order, checkout, instructions)
}

function agreesWith(theirs: string, ours: string): boolean {
  return sameDecimal(theirs, ours) || isRounded(theirs, ours)
}

function sameDecimal(theirs: string, ours: string): boolean {
  return theirs === ours || (isDecimal(theirs) && equalDecimals(theirs, ours))
}

function sameWord(left: string, right: string): boolean {
  return left === right || left.toUpperCase() === right.toUpperCase()
}

/** Texts that are equal for checkouts with the same address and tag, or the same time. */
interface Marks {
  /** As they mean it and, for processes of earlier versions, as they write it. */
  readonly places: readonly string[]
  readonly times: readonly string[]
}

/** What another checkout's instructions could have, too: the address with its tag, and the times. */
export function marksOf(instructions: Instructions, { network }: Pick<Method, 'network'>): Marks {
  const { address, tag } = instructions
  const written = /^(?:0x|bc1|tb1|ltc1|tltc1)/i.test(address) ? address.toLowerCase() : address
  const meant = destinationOf(address, tag, network)
  const times = timesOf(instructions).map((time) => `time ${time}`)
  return { places: [`place ${meant.address} ${meant.tag ?? ''}`, `place ${written} ${tag ?? ''}`], times }
}

/** Whether an order shows the address of the instructions; with a tag, whether it shows that tag and no other address. */
export function showsPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): boolean {
  const [theirs, ours] = places(order, instructions, method)
  const isSame = theirs.address === ours.address
  if (ours.tag === null) return isSame
  return theirs.tag === ours.tag && (theirs.address === null || isSame)
}

/** Whether an order shows another address than the instructions, or another tag. */
function showsOtherPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): string | null {
  const [theirs, ours] = places(order, instructions, method)
  if (theirs.address !== null && theirs.address !== ours.address) return 'its wallet address is another'
  return theirs.tag !== null && theirs.tag !== ours.tag ? 'its tag is another' : null
}

function places(
  { walletAddress, tag }: Order,
  instructions: Instructions,
  { network }: Pick<Method, 'network'>,
): readonly [theirs: Destination, ours: Destination] {
  return [destinationOf(walletAddress, tag, network), destinationOf(instructions.address, instructions.tag, network)]
}

/** Tells whether a time of an order equals one of the instructions to the last digit both have, and that is a millisecond or less. */
export function showsTimeOf(instructions: Instructions): (order: Order) => boolean {
  const times = timesOf(instructions)
  return ({ createdAt, validUntil }) =>
    times.some((time) => sharedDigits(createdAt, time) >= 3 || sharedDigits(validUntil, time) >= 3)
}

/**
 * Whether the instructions name the moment in which the order was created, and so finely that no other order was: to ten microseconds,
 * or to a millisecond if `isAlone`: no other creation that could be confused was under way.
 */
export function showsCreation(
  { createdAt }: Order,
  { dateTime }: Instructions,
  { isAlone }: { readonly isAlone: boolean },
): boolean {
  return sharedDigits(createdAt, dateTime) >= (isAlone ? 3 : 5)
}

function timesOf({ dateTime, expTime }: Instructions): readonly string[] {
  return [dateTime, expTime].filter((time) => time !== null).filter((time) => !Number.isNaN(serviceTimeMs(time)))
}
