import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset } from '../../contract/networks/table.ts'
import type { CheckoutRecord } from './types.ts'

/** Lists of checkouts: all, of a cart, those whose order is not known and could be confused, those with undelivered events (label `untold`). */
export type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}` | `mark ${string}`

/** The label of creations that could be confused: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label of a creation with these assets and this amount. An amount that is not a decimal matches nothing. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${confusableAsset(sourceAsset)} ${confusableAsset(targetAsset)} ${amount}`
}

/** The label of checkouts with this address and tag, or with this time: see `marksOf`. */
export function markLabel(mark: string): `mark ${string}` {
  return `mark ${mark}`
}

/** The name of the turn for creations that could be confused. */
export function turnName(checkout: Pick<CheckoutRecord, 'method' | 'terms'>): string {
  return `turn of ${intentLabel(checkout)}`
}
