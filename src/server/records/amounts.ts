/** How an amount that the service shows compares with ours. Services round, and some pass amounts through a double. */
import { decimalPlaces, isDecimal, toAtomic } from '../../contract/decimal.ts'

/** Digits after the point to which both are compared: more than any asset has. */
const decimals = 36
/** Prices have cents, which a JSON number leaves out where they are 0. */
const leastPlaces = 2
/** What rounding changes at most: one part of so many. */
const leastShare = 10_000n

/** Whether one is the other, rounded or cut to no less than two digits after the point, and by no more than a ten-thousandth. */
export function isRounded(theirs: string, ours: string): boolean {
  const difference = differenceOf(theirs, ours)
  if (difference === null) return false
  const size = difference < 0n ? -difference : difference
  const places = Math.max(leastPlaces, Math.min(decimalPlaces(theirs), decimalPlaces(ours)))
  return size < 10n ** BigInt(decimals - places) && size * leastShare <= toAtomic(ours, decimals)
}

/** Less, more, or the same but for what rounding does; null where it is no amount. */
export function compareShown(theirs: string, ours: string): 'less' | 'same' | 'more' | null {
  const difference = differenceOf(theirs, ours)
  if (difference === null) return null
  if (difference === 0n || isRounded(theirs, ours)) return 'same'
  return difference < 0n ? 'less' : 'more'
}

/** In units of the last place; null where theirs is no amount that can be compared. */
function differenceOf(theirs: string, ours: string): bigint | null {
  if (!isDecimal(theirs) || decimalPlaces(theirs) > decimals) return null
  return toAtomic(theirs, decimals) - toAtomic(ours, decimals)
}
