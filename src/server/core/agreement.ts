/**
 * Compares what an order shows with what a checkout asked for: assets, network, address and tag,
 * amounts, times, sub-account. No single match is a proof: services use an address for several
 * orders, and give orders of the same moment the same time. `evidence.ts` decides.
 */
import type { Arrival, Phase, Price } from '../../contract/checkout.ts'
import { decimalPlaces, equalDecimals, isDecimal, toAtomic } from '../../contract/decimal.ts'
import { confusableAsset, sameNetwork } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import { destinationOf } from '../addresses/destination.ts'
import type { Method } from '../offers.ts'
import { serviceTimeMs, sharedDigits } from './service-times.ts'
import type { CheckoutRecord, Instructions, Meanings, Received } from './types.ts'

/** Why an order cannot be the checkout's, in words; null where nothing excludes it. */
export function contradiction(order: Order, checkout: CheckoutRecord, instructions: Instructions): string | null {
  const other = wasCandidate(order, checkout) ? null : otherMethod(order, checkout)
  return other ?? otherTarget(order, checkout, instructions)
}

/** Whether an order is a candidate with a deposit, which may have changed its coin and amounts. */
export function wasCandidate({ id, status }: Order, { candidates }: CheckoutRecord): boolean {
  return status !== 'open' && candidates.includes(id)
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

/**
 * Whether an order shows a source asset that is not the checkout's. A list may use another name of
 * the asset.
 */
export function showsOtherAsset({ sourceAsset }: Order, { method }: CheckoutRecord): boolean {
  return sourceAsset !== null && confusableAsset(sourceAsset) !== confusableAsset(method.asset)
}

/** How the target asset, address or tag differs, in words; else null. No deposit changes these. */
export function otherTarget(order: Order, { terms, method }: CheckoutRecord, instructions: Instructions) {
  if (showsOtherTarget(order, terms.price)) return `its target asset is ${order.targetAsset}`
  return otherPlace(order, instructions, method)
}

function showsOtherTarget({ targetAsset }: Order, { asset }: Price): boolean {
  return targetAsset !== null && confusableAsset(targetAsset) !== confusableAsset(asset)
}

/** Whether an order names a sub-account that is not ours. */
export function isOfOtherSubAccount({ subAccountId }: Order, own: string): boolean {
  return subAccountId !== null && subAccountId.toUpperCase() !== own.toUpperCase()
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
  return amount !== null && (Number(amount) > 0 || !sameDecimal(amount, '0'))
}

/** An order whose missing amounts come from another answer of the same status. */
export function withAmounts(order: Order, other: Order | null | undefined): Order {
  if (other?.status !== order.status) return order
  const sourceAmount = isShown(order.sourceAmount) ? order.sourceAmount : other.sourceAmount
  return { ...order, sourceAmount, targetAmount: isShown(order.targetAmount) ? order.targetAmount : other.targetAmount }
}

/**
 * Whether the amounts of an order fit the checkout. After a deposit, the source amount may be the
 * deposit's.
 */
export function agrees(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  const { status, targetAmount } = order
  const isOfDeposit =
    status !== 'open' && isShown(targetAmount) && agreesWith(targetAmount, checkout.terms.price.amount)
  const mayBeChanged = hasDepositSince(order, checkout) || wasCandidate(order, checkout)
  return isOfDeposit || mayBeChanged || otherAmounts(order, checkout, instructions) === null
}

/**
 * Whether a deposit may have changed a bound order's amounts since they were compared. False if the
 * response named the order: then nothing compared them.
 */
function hasDepositSince({ id, status }: Order, { binding }: CheckoutRecord): boolean {
  return status !== 'open' && binding?.orderId === id && binding.evidence !== 'response_id'
}

/**
 * Whether both amounts of an order are the checkout's to the last digit, or were at its binding.
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
 * amount may be the deposit's.
 */
export function mayShowReceived(
  { status, sourceAmount, targetAmount }: Order,
  { terms }: CheckoutRecord,
  { amount }: Instructions,
): boolean {
  if (status === 'open' || !isShown(sourceAmount) || !isShown(targetAmount)) return false
  return agreesWith(sourceAmount, amount) !== agreesWith(targetAmount, terms.price.amount)
}

/** Whether an order may have a checkout's assets and price: it shows no others. */
export function mayBeEqual(order: Order, checkout: CheckoutRecord): boolean {
  const { price } = checkout.terms
  return (
    !showsOtherAsset(order, checkout) &&
    !showsOtherTarget(order, price) &&
    (!isShown(order.targetAmount) || agreesWith(order.targetAmount, price.amount))
  )
}

/** Whether an order shows its target amount, and its amounts fit the checkout. */
export function sameTarget(order: Order, checkout: CheckoutRecord, instructions: Instructions): boolean {
  return isShown(order.targetAmount) && agrees(order, checkout, instructions)
}

function agreesWith(theirs: string, ours: string): boolean {
  // Cheap, because searches compare thousands. A thousandth exceeds rounding and a float's error.
  if (Math.abs(Number(theirs) - Number(ours)) > Number(ours) / 1_000) return false
  return sameDecimal(theirs, ours) || isRounded(theirs, ours)
}

function sameDecimal(theirs: string, ours: string): boolean {
  return theirs === ours || (isDecimal(theirs) && equalDecimals(theirs, ours))
}

/** Labels of the address, tag and times. A mark that two checkouts share identifies neither. */
export function marksOf(instructions: Instructions, { network }: Pick<Method, 'network'>) {
  const { address, tag } = destinationOf(instructions.address, instructions.tag, network)
  const times = timesOf(instructions).map((time) => `mark time ${time}` as const)
  return { place: `mark place ${address} ${tag ?? ''}` as const, times }
}

/** Whether an order shows the address or, if there is a tag, that tag and no other address. */
export function showsPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): boolean {
  const [theirs, ours] = placesOfBoth(order, instructions, method)
  const isSame = theirs.address === ours.address
  if (ours.tag === null) return isSame
  return theirs.tag === ours.tag && (theirs.address === null || isSame)
}

/** How the address or tag of an order differs from the instructions, in words; else null. */
function otherPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): string | null {
  // Most lists show neither.
  if (order.walletAddress === null && order.tag === null) return null
  const [theirs, ours] = placesOfBoth(order, instructions, method)
  if (theirs.address !== null && theirs.address !== ours.address && !theirs.isUnread)
    return 'its wallet address is another'
  return theirs.tag !== null && theirs.tag !== ours.tag ? 'its tag is another' : null
}

function placesOfBoth(theirs: Order, ours: Instructions, { network }: Pick<Method, 'network'>) {
  return [
    destinationOf(theirs.walletAddress, theirs.tag, network),
    destinationOf(ours.address, ours.tag, network),
  ] as const
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

/**
 * The meaning of a status for your shop. `paid_less` and `paid_more`: the service confirmed the
 * order, and shows less or more than the requested amount.
 *
 * @example
 * ```ts
 * const needsPerson = (phase: MerchantPhase) => phase === 'paid_less' || phase === 'paid_more'
 * needsPerson('paid') // => false
 * ```
 */
export type MerchantPhase = Phase | 'paid_less' | 'paid_more'

/**
 * Whether a paid order shows less or more than the requested amount. An amount that is not shown
 * counts as right, because the service has confirmed the order. An unreadable amount counts as
 * less, so that a person reads it. Another coin counts as less if no price is shown.
 */
export function differenceOf(
  { instructions, terms, method }: Pick<CheckoutRecord, 'instructions' | 'terms' | 'method'>,
  received: Received | undefined,
): 'less' | 'same' | 'more' {
  if (!received || !instructions) return 'same'
  // Amounts of two coins cannot be compared, so then the price has to be shown.
  const isOtherCoin = confusableAsset(received.sourceAsset ?? method.asset) !== confusableAsset(method.asset)
  const pairs = [
    [received.targetAmount ?? (isOtherCoin ? '?' : null), terms.price.amount],
    [isOtherCoin ? null : received.sourceAmount, instructions.amount],
  ] as const
  const found = pairs.map(([theirs, ours]) => theirs !== null && (compareShown(theirs, ours) ?? 'less'))
  return found.includes('less') ? 'less' : found.includes('more') ? 'more' : 'same'
}

/** The shown and the requested amounts, in words for the merchant. Each can differ alone. */
export function amountsInWords(
  { terms, method, instructions }: Pick<CheckoutRecord, 'terms' | 'method' | 'instructions'>,
  shown: Received | undefined,
): string {
  const price = `${shown?.targetAmount ?? '?'} of ${terms.price.amount} ${terms.price.asset}`
  const came = `${shown?.sourceAmount ?? '?'} ${shown?.sourceAsset ?? method.asset}`
  return `${price}, and a deposit of ${came} of ${instructions?.amount} ${method.asset}`
}

/** The phase for the merchant. */
export function merchantPhase(checkout: CheckoutRecord, phaseOf: Meanings['phaseOf']): MerchantPhase {
  const phase = phaseOf[checkout.status]
  const difference = phase === 'paid' ? differenceOf(checkout, checkout.received) : 'same'
  return phaseWith(phase, difference, checkout.arrival)
}

/**
 * The merchant's phase. Money that arrived is `seen`, also while the service still calls the order
 * open.
 */
export function phaseWith(
  phase: Phase,
  difference: 'less' | 'same' | 'more',
  arrival: Arrival | undefined,
): MerchantPhase {
  if (phase === 'waiting') return arrival ? 'seen' : phase
  return difference === 'same' ? phase : `paid_${difference}`
}

/** The phase for the payer: too small a payment is shown as `seen`. */
export function payerPhase(checkout: CheckoutRecord, phaseOf: Meanings['phaseOf']): Phase {
  const phase = merchantPhase(checkout, phaseOf)
  return phase === 'paid_less' ? 'seen' : phase === 'paid_more' ? 'paid' : phase
}

/** Digits after the point with which amounts are compared: more than any asset has. */
export const decimals = 36
/** A JSON number has no zeros at its end, so 49.00 may be written as 49. */
const leastPlaces = 2
/** Rounding changes an amount by at most one part in this many. */
const mostRoundedPart = 10_000n

/**
 * Whether one amount is the other, rounded or cut. Rounding leaves at least two digits after the
 * point and changes at most a ten-thousandth.
 */
export function isRounded(theirs: string, ours: string): boolean {
  const difference = atomicDifference(theirs, ours)
  if (difference === null) return false
  const size = difference < 0n ? -difference : difference
  const places = Math.max(leastPlaces, Math.min(decimalPlaces(theirs), decimalPlaces(ours)))
  return size < 10n ** BigInt(decimals - places) && size * mostRoundedPart <= toAtomic(ours, decimals)
}

/** Whether their amount is less, more, or the same but for rounding; null if unreadable. */
export function compareShown(theirs: string, ours: string): 'less' | 'same' | 'more' | null {
  const difference = atomicDifference(theirs, ours)
  if (difference === null) return null
  if (difference === 0n || isRounded(theirs, ours)) return 'same'
  return difference < 0n ? 'less' : 'more'
}

/** Theirs minus ours, in units of the last digit; null where theirs cannot be compared. */
function atomicDifference(theirs: string, ours: string): bigint | null {
  if (!isDecimal(theirs) || decimalPlaces(theirs) > decimals) return null
  return toAtomic(theirs, decimals) - toAtomic(ours, decimals)
}

/**
 * The price as `offer` wrote it, for the merchant's log and callbacks. All other code uses the
 * price in `terms`, which is canonical decimal text.
 */
export function offeredPrice({ terms, offeredAmount }: Pick<CheckoutRecord, 'terms' | 'offeredAmount'>): Price {
  return offeredAmount === undefined ? terms.price : { ...terms.price, amount: offeredAmount }
}
