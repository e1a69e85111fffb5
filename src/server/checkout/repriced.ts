import type { Price } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { CartRecord } from '../records/types.ts'
import { endOtherPrices, wasRepriced } from './carts.ts'

/**
 * The cart at a price that was asked for after `before` had been read.
 *
 * @throws PaywindowError `service_unavailable` where another price came in between: the browser asks again, and so does this server.
 */
export function repriced(before: CartRecord, current: CartRecord, price: Price, nowMs: number): CartRecord {
  if (!wasRepriced(before, current, price)) return endOtherPrices(current, price, nowMs)
  throw new PaywindowError('service_unavailable', 'The price of this cart has just changed: ask again', {
    retryAfterMs: 1_000,
  })
}
