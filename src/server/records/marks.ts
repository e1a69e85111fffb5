/**
 * What an order and a checkout's instructions can have in common: an address, a tag, a time. None of these is a proof by itself:
 * services use addresses again, and give orders of the same moment the same time.
 */
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import { type Destination, destinationOf } from '../addresses/destination.ts'
import type { Method } from '../offers.ts'
import { serviceTimeMs, sharedDigits } from '../time/service-times.ts'
import type { CheckoutRecord, Instructions } from './types.ts'

/** Texts that are equal for checkouts with the same address and tag, or the same time. */
interface Marks {
  /** As they mean it and, for processes of earlier versions, as they write it. */
  readonly places: readonly string[]
  readonly times: readonly string[]
}

/** What another checkout's instructions could have, too: the address with its tag, and the times. */
export function marksOf(instructions: Instructions, { network }: Pick<Method, 'network'>): Marks {
  const { address, tag } = instructions
  const written = /^(?:0x|bc1|tb1|ltc1|tltc1)/i.test(address) ? address.toLowerCase() : address
  const meant = destinationOf(address, tag, network)
  const times = timesOf(instructions).map((time) => `time ${time}`)
  return { places: [`place ${meant.address} ${meant.tag ?? ''}`, `place ${written} ${tag ?? ''}`], times }
}

/** Whether an order shows the address of the instructions; with a tag, whether it shows that tag and no other address. */
export function showsPlace(order: Order, instructions: Instructions, method: Pick<Method, 'network'>): boolean {
  const [theirs, ours] = places(order, instructions, method)
  const isSame = theirs.address === ours.address
  if (ours.tag === null) return isSame
  return theirs.tag === ours.tag && (theirs.address === null || isSame)
}

/** Whether an order shows another address than the instructions, or another tag. */
export function showsOtherPlace(
  order: Order,
  instructions: Instructions,
  method: Pick<Method, 'network'>,
): string | null {
  const [theirs, ours] = places(order, instructions, method)
  if (theirs.address !== null && theirs.address !== ours.address) return 'its wallet address is another'
  return theirs.tag !== null && theirs.tag !== ours.tag ? 'its tag is another' : null
}

function places(
  { walletAddress, tag }: Order,
  instructions: Instructions,
  { network }: Pick<Method, 'network'>,
): readonly [theirs: Destination, ours: Destination] {
  return [destinationOf(walletAddress, tag, network), destinationOf(instructions.address, instructions.tag, network)]
}

/** Tells whether a time of an order equals one of the instructions to the last digit both have, and that is a millisecond or less. */
export function showsTimeOf(instructions: Instructions): (order: Order) => boolean {
  const times = timesOf(instructions)
  return ({ createdAt, validUntil }) =>
    times.some((time) => sharedDigits(createdAt, time) >= 3 || sharedDigits(validUntil, time) >= 3)
}

/**
 * Whether the instructions name the moment in which the order was created, and so finely that no other order was: to ten microseconds,
 * or to a millisecond if `isAlone`: no other creation that could be confused was under way.
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
