/** Compares the amounts of a paid order with what was asked for. */
import type { OrderStatus, Phase, Price } from '../../contract/checkout.ts'
import { decimalPlaces, isDecimal, toAtomic } from '../../contract/decimal.ts'
import type { Order } from '../../service/types.ts'
import type { CheckoutRecord, Received } from './types.ts'

/**
 * What a status means to your shop. `paid_less` and `paid_more`: the service confirmed the order,
 * and shows less or more than the amount that was asked for.
 *
 * @example
 * ```ts
 * const needsPerson = (phase: MerchantPhase) => phase === 'paid_less' || phase === 'paid_more'
 * needsPerson('paid') // => false
 * ```
 */
export type MerchantPhase = Phase | 'paid_less' | 'paid_more'

/** The assets and amounts that an order shows. */
export type Shown = Omit<Received, 'change'>

type PhaseOf = Readonly<Record<OrderStatus, Phase>>

/** The assets and amounts of an order. Services write 0 for an amount that they do not show. */
export function receivedOf({ sourceAsset, sourceAmount, targetAsset, targetAmount }: Order): Shown {
  const shown = (amount: string | null) => (amount === null || compareShown(amount, '0') === 'same' ? null : amount)
  return { sourceAsset, sourceAmount: shown(sourceAmount), targetAsset, targetAmount: shown(targetAmount) }
}

/**
 * Whether a paid order shows less or more than what was asked for. An amount that is not shown
 * counts as right, because the service has confirmed the order.
 */
export function differenceOf(
  { instructions, terms }: Pick<CheckoutRecord, 'instructions' | 'terms'>,
  received: Shown | undefined,
): 'less' | 'same' | 'more' {
  if (!received || !instructions) return 'same'
  const pairs = [
    [received.targetAmount, terms.price.amount],
    [received.sourceAmount, instructions.amount],
  ] as const
  const found = pairs.map(([theirs, ours]) => theirs !== null && compareShown(theirs, ours))
  return found.includes('less') ? 'less' : found.includes('more') ? 'more' : 'same'
}

/** What the order showed when it came to its present status; undefined where that is not known. */
export function lastReceived({ received, eventCount }: CheckoutRecord): Received | undefined {
  return received?.change === eventCount ? received : undefined
}

/** The phase that the merchant is told. */
export function merchantPhase(checkout: CheckoutRecord, phaseOf: PhaseOf): MerchantPhase {
  const phase = phaseOf[checkout.status]
  return phaseWith(phase, phase === 'paid' ? differenceOf(checkout, lastReceived(checkout)) : 'same')
}

/** The merchant's phase, from the checkout's phase and the difference in amount. */
export function phaseWith(phase: Phase, difference: 'less' | 'same' | 'more'): MerchantPhase {
  return difference === 'same' ? phase : `paid_${difference}`
}

/** The phase that the payer is told: a payment that is too small is shown as `seen`. */
export function payerPhase(checkout: CheckoutRecord, phaseOf: PhaseOf): Phase {
  return merchantPhase(checkout, phaseOf) === 'paid_less' ? 'seen' : phaseOf[checkout.status]
}

/** Digits after the point with which amounts are compared: more than any asset has. */
const decimals = 36
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
