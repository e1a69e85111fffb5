/** The lists in which a checkout appears, and the turns that creations take. */
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import type { CheckoutRecord } from './types.ts'

/** Lists of checkouts: all, of a cart, those whose order is not known and could be confused, those with untold events. */
export type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}` | `mark ${string}`

/** Creations that an order of the list could be confused with: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label of a creation that asked for these. An amount that is no decimal is nobody's. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${sourceAsset.toUpperCase()} ${targetAsset.toUpperCase()} ${amount}`
}

/** Checkouts whose address and tag, or one of whose times, is this one: see `marksOf`. */
export function markLabel(mark: string): `mark ${string}` {
  return `mark ${mark}`
}

/** The turn that creations take that could be confused. */
export function turnName(checkout: Pick<CheckoutRecord, 'method' | 'terms'>): string {
  return `turn of ${intentLabel(checkout)}`
}
