/** The price of a checkout as the merchant gets it back. */
import type { Price } from '../../contract/checkout.ts'
import type { CheckoutRecord } from './types.ts'

/**
 * The price as `offer` wrote it: for the merchant's own eyes and code. Whatever compares prices, asks the service or is shown to a payer takes
 * the one in `terms`, which is in canonical text.
 */
export function offeredPrice({ terms, offeredAmount }: Pick<CheckoutRecord, 'terms' | 'offeredAmount'>): Price {
  return offeredAmount === undefined ? terms.price : { ...terms.price, amount: offeredAmount }
}
