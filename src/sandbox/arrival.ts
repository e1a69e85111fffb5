/** Reads what arrived out of the sandbox's own messages, as a shop does it for its service's. */
import type { Arrival } from '../contract/checkout.ts'
import { formatAtomic, toAtomic } from '../contract/decimal.ts'
import type { Order } from '../service/types.ts'

const decimals = 36

/**
 * The `readArrival` of a shop that sells with the sandbox; null where the sandbox says nothing.
 *
 * @example
 * ```ts
 * const options: Partial<PaywindowOptions> = { readArrival: sandboxArrival }
 * ```
 */
export function sandboxArrival({ message, sourceAsset, sourceAmount }: Order): Arrival | null {
  if (message === null || sourceAsset === null || sourceAmount === null) return null
  const price = (amount: string) => ({ asset: sourceAsset, amount })
  const asked = price(sourceAmount)
  if (message.startsWith('Deposit detected')) return { kind: 'exact', received: asked }
  if (message.startsWith('Deposit refunded')) return { kind: 'returning' }
  if (message.startsWith('Late deposit')) return { kind: 'late' }
  if (message.startsWith('Received an asset other than')) return { kind: 'other' }
  const received = /^Received ([\d.]+) /.exec(message)?.[1]
  if (received === undefined) return null
  const missing = toAtomic(sourceAmount, decimals) - toAtomic(received, decimals)
  return missing > 0n
    ? { kind: 'short', received: price(received), due: price(formatAtomic(missing, decimals)) }
    : { kind: 'over', received: price(received), returned: price(formatAtomic(-missing, decimals)) }
}
