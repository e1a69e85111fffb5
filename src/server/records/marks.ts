/**
 * What an order and a checkout's instructions can have in common: an address, a tag, a time. None of these is a proof by itself:
 * services use addresses again, and give orders of the same moment the same time.
 */
import type { Order } from '../../service/types.ts'
import type { Method } from '../offers.ts'
import { type Place, placeOf } from '../places/place.ts'
import { serviceTimeMs, sharedDigits } from '../time/service-times.ts'
import type { Instructions } from './types.ts'

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
  const meant = placeOf(address, tag, network)
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
): readonly [theirs: Place, ours: Place] {
  return [placeOf(walletAddress, tag, network), placeOf(instructions.address, instructions.tag, network)]
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
