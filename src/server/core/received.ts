/** What an order showed when it was paid, beside what was asked for. */
import type { OrderStatus, Phase, Price } from '../../contract/checkout.ts'
import { decimalPlaces, isDecimal, toAtomic } from '../../contract/decimal.ts'
import type { Order } from '../../service/types.ts'
import type { CheckoutRecord, Received } from './types.ts'

/**
 * What a status means to your shop. `paid_less` and `paid_more`: the service confirmed the order and shows another amount than was asked for.
 *
 * @example
 * ```ts
 * const needsPerson = (phase: MerchantPhase) => phase === 'paid_less' || phase === 'paid_more'
 * needsPerson('paid') // => false
 * ```
 */
export type MerchantPhase = Phase | 'paid_less' | 'paid_more'

/** What an order shows of its amounts. */
export type Shown = Omit<Received, 'change'>

type PhaseOf = Readonly<Record<OrderStatus, Phase>>

/** Services write 0 for an amount that they do not show. */
export function receivedOf({ sourceAsset, sourceAmount, targetAsset, targetAmount }: Order): Shown {
  const shown = (amount: string | null) => (amount === null || compareShown(amount, '0') === 'same' ? null : amount)
  return { sourceAsset, sourceAmount: shown(sourceAmount), targetAsset, targetAmount: shown(targetAmount) }
}

/** Whether a paid order shows less than what was asked for, or more. What it does not show is taken for right: the service confirmed it. */
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

/** What the order showed when it came to its present status. */
export function lastReceived({ received, eventCount }: CheckoutRecord): Received | undefined {
  return received?.change === eventCount ? received : undefined
}

/** What the merchant is told of a checkout: an order that was confirmed for another amount is not simply paid. */
export function merchantPhase(checkout: CheckoutRecord, phaseOf: PhaseOf): MerchantPhase {
  const phase = phaseOf[checkout.status]
  return phaseWith(phase, phase === 'paid' ? differenceOf(checkout, lastReceived(checkout)) : 'same')
}

/** A phase, with what was found beside it. */
export function phaseWith(phase: Phase, difference: 'less' | 'same' | 'more'): MerchantPhase {
  return difference === 'same' ? phase : `paid_${difference}`
}

/** What the payer is told: that less has come, which the shop has to look at, is no payment yet. */
export function payerPhase(checkout: CheckoutRecord, phaseOf: PhaseOf): Phase {
  return merchantPhase(checkout, phaseOf) === 'paid_less' ? 'seen' : phaseOf[checkout.status]
}

/** Digits after the point to which both are compared: more than any asset has. */
const decimals = 36
/** Prices have cents, which a JSON number leaves out where they are 0. */
const leastPlaces = 2
/** What rounding changes at most: one part of so many. */
const leastShare = 10_000n

/** Whether one is the other, rounded or cut to no less than two digits after the point, and by no more than a ten-thousandth. */
export function isRounded(theirs: string, ours: string): boolean {
  const difference = apart(theirs, ours)
  if (difference === null) return false
  const size = difference < 0n ? -difference : difference
  const places = Math.max(leastPlaces, Math.min(decimalPlaces(theirs), decimalPlaces(ours)))
  return size < 10n ** BigInt(decimals - places) && size * leastShare <= toAtomic(ours, decimals)
}

/** Less, more, or the same but for what rounding does; null where it is no amount. */
export function compareShown(theirs: string, ours: string): 'less' | 'same' | 'more' | null {
  const difference = apart(theirs, ours)
  if (difference === null) return null
  if (difference === 0n || isRounded(theirs, ours)) return 'same'
  return difference < 0n ? 'less' : 'more'
}

/** In units of the last place; null where theirs is no amount that can be compared. */
function apart(theirs: string, ours: string): bigint | null {
  if (!isDecimal(theirs) || decimalPlaces(theirs) > decimals) return null
  return toAtomic(theirs, decimals) - toAtomic(ours, decimals)
}

/**
 * The price as `offer` wrote it: for the merchant's own eyes and code. Whatever compares prices, asks the service or is shown to a payer takes
 * the one in `terms`, which is in canonical text.
 */
export function offeredPrice({ terms, offeredAmount }: Pick<CheckoutRecord, 'terms' | 'offeredAmount'>): Price {
  return offeredAmount === undefined ? terms.price : { ...terms.price, amount: offeredAmount }
}
