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
 * const options = { readArrival: sandboxArrival, test: true }
 * ```
 */
export function sandboxArrival({ message, sourceAsset }: Order): Arrival | null {
  if (message === null || sourceAsset === null) return null
  if (message.startsWith('Deposit detected')) return { kind: 'exact' }
  if (message.startsWith('Deposit refunded')) return { kind: 'returning' }
  if (message.startsWith('Late deposit')) return { kind: 'late' }
  if (message.startsWith('Received an asset other than')) return { kind: 'other' }
  const [, received, asked] = /^Received ([\d.]+) (?:of|\S+ more than) ([\d.]+)/.exec(message) ?? []
  if (received === undefined || asked === undefined) return null
  const price = (amount: string) => ({ asset: sourceAsset, amount })
  const over = toAtomic(received, decimals) - toAtomic(asked, decimals)
  return over < 0n
    ? { kind: 'short', received: price(received) }
    : { kind: 'over', received: price(received), returned: price(formatAtomic(over, decimals)) }
}
