/**
 * Compares what an order shows with what a checkout asked for: assets, network, address and tag,
 * amounts, times, sub-account. No single match is a proof: services use an address for several
 * orders, and give orders of the same moment the same time. `evidence.ts` decides.
 */
import { equalDecimals, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset, sameAsset, sameNetwork } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import { type Destination, destinationOf } from '../addresses/destination.ts'
import type { Method } from '../offers.ts'
import { isRounded, offeredPrice } from './received.ts'
import { serviceTimeMs, sharedDigits } from './service-times.ts'
import type { CheckoutRecord, Instructions } from './types.ts'

/** Why an order cannot be the checkout's, in words; null where nothing excludes it. */
export function contradiction(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  return otherMethod(order, checkout) ?? otherTarget(order, checkout, instructions)
}

/**
 * How the asset or network to be deposited differs from the checkout's, in words; null where it
 * does not, or is not shown. A bound order may differ after a deposit of another asset.
 */
export function otherMethod(order: Order, checkout: CheckoutRecord): string | null {
  const { method } = checkout
  if (showsOtherAsset(order, checkout)) return `its source asset is ${order.sourceAsset}`
  return order.network !== null && !sameNetwork(order.network, method.network)
    ? `its network is ${order.network}`
    : null
}

/** Whether an order shows a source asset that is not the checkout's. */
export function showsOtherAsset({ sourceAsset }: Order, { method }: CheckoutRecord): boolean {
  return sourceAsset !== null && !sameAsset(sourceAsset, method.asset, method.network)
}

/** How the target asset, address or tag differs, in words; else null. No deposit changes these. */
export function otherTarget(
  order: Order,
  { terms, method }: CheckoutRecord,
  instructions: Instructions,
): string | null {
  if (order.targetAsset !== null && confusableAsset(order.targetAsset) !== confusableAsset(terms.price.asset))
    return `its target asset is ${order.targetAsset}`
  return otherPlace(order, instructions, method)
}

/** Whether an order names a sub-account that is not ours. */
export function isOfOtherSubAccount({ subAccountId }: Order, own: string): boolean {
  return subAccountId !== null && !sameWord(subAccountId, own)
}

/**
 * How the amounts of an order differ from the checkout's by more than rounding, in words; null
 * where they do not, or are not shown. An order may differ after a deposit of another amount, which
 * `agrees` allows for.
 */
export function otherAmounts(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  const { amount } = checkout.terms.price
  if (isShown(order.sourceAmount) && !agreesWith(order.sourceAmount, instructions.amount))
    return `it has the source amount ${order.sourceAmount}, not ${instructions.amount}`
  if (isShown(order.targetAmount) && !agreesWith(order.targetAmount, amount))
    return `it has the target amount ${order.targetAmount}, not ${offeredPrice(checkout).amount}`
  return null
}

/** Whether an amount is shown. Services write 0 for an amount that the request did not name. */
export function isShown(amount: string | null): amount is string {
  return amount !== null && !sameDecimal(amount, '0')
}

/**
 * Whether the amounts of an order allow it. After a deposit, its source amount may be the
 * deposit's.
 */
export function agrees(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  const { status, targetAmount } = order
  const isOfDeposit =
    status !== 'open' && isShown(targetAmount) && agreesWith(targetAmount, checkout.terms.price.amount)
  return isOfDeposit || hasDepositSince(order, checkout) || otherAmounts(order, checkout, instructions) === null
}

/**
 * Whether a deposit may have changed the order's amounts since the checkout was bound to it. Not
 * where the response named the order: then amounts were never compared.
 */
function hasDepositSince({ id, status }: Order, { binding }: CheckoutRecord): boolean {
  return status !== 'open' && binding?.orderId === id && binding.evidence !== 'response_id'
}

/**
 * Whether both amounts of an order are the checkout's to the last digit, or were when it was bound.
 * Counting needs the last digits, because some services tell orders apart by them.
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

/**
 * Whether only one amount of an order is the checkout's, and the order is no longer open: the other
 * amount may be that of the deposit.
 */
export function mayShowReceived(
  { status, sourceAmount, targetAmount }: Order,
  { terms }: CheckoutRecord,
  { amount }: Instructions,
): boolean {
  if (status === 'open' || !isShown(sourceAmount) || !isShown(targetAmount)) return false
  return agreesWith(sourceAmount, amount) !== agreesWith(targetAmount, terms.price.amount)
}

/** Whether an order shows its target amount, and its amounts allow it. */
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

/** What two checkouts may have in common, as texts for `markLabel`. */
interface Marks {
  /** The address with its tag, normalised and, for processes of earlier versions, as written. */
  readonly places: readonly string[]
  readonly times: readonly string[]
}

/** The marks of a checkout. A mark that another checkout also has identifies neither of them. */
export function marksOf(instructions: Instructions, { network }: Pick<Method, 'network'>): Marks {
  const { address, tag } = instructions
  const written = /^(?:0x|bc1|tb1|ltc1|tltc1)/i.test(address) ? address.toLowerCase() : address
  const normalised = destinationOf(address, tag, network)
  const times = timesOf(instructions).map((time) => `time ${time}`)
  return { places: [`place ${normalised.address} ${normalised.tag ?? ''}`, `place ${written} ${tag ?? ''}`], times }
}

/** Whether an order shows the address; where there is a tag: that tag, and no other address. */
export function showsPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): boolean {
  const [theirs, ours] = placesOfBoth(order, instructions, method)
  const isSame = theirs.address === ours.address
  if (ours.tag === null) return isSame
  return theirs.tag === ours.tag && (theirs.address === null || isSame)
}

/** How the address or tag of an order differs from the instructions, in words; else null. */
function otherPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): string | null {
  const [theirs, ours] = placesOfBoth(order, instructions, method)
  if (theirs.address !== null && theirs.address !== ours.address) return 'its wallet address is another'
  return theirs.tag !== null && theirs.tag !== ours.tag ? 'its tag is another' : null
}

function placesOfBoth(
  { walletAddress, tag }: Order,
  instructions: Instructions,
  { network }: Pick<Method, 'network'>,
): readonly [theirs: Destination, ours: Destination] {
  return [destinationOf(walletAddress, tag, network), destinationOf(instructions.address, instructions.tag, network)]
}

/** Tells whether an order shows a time of the instructions, to the millisecond or finer. */
export function showsTimeOf(instructions: Instructions): (order: Order) => boolean {
  const times = timesOf(instructions)
  return ({ createdAt, validUntil }) =>
    times.some((time) => sharedDigits(createdAt, time) >= 3 || sharedDigits(validUntil, time) >= 3)
}

/**
 * Whether the instructions name the moment of the order's creation so finely that no other order
 * has it: to ten microseconds, or to a millisecond where `isAlone`.
 *
 * @param isAlone - No other creation that could be confused was under way.
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
