/**
 * What an order and a checkout's instructions can have in common: an address, a tag, a time. None of these is a proof by itself:
 * services use addresses again, and give orders of the same moment the same time.
 */
import type { Order } from '../../service/types.ts'
import { serviceTimeMs, sharedDigits } from '../time/service-times.ts'
import type { Instructions } from './types.ts'

/** Texts that are equal for checkouts with the same address and tag, or the same time. */
interface Marks {
  readonly place: string
  readonly times: readonly string[]
}

/** What another checkout's instructions could have, too: the address with its tag, and the times. */
export function marksOf(instructions: Instructions): Marks {
  const { address, tag } = instructions
  const times = timesOf(instructions).map((time) => `time ${time}`)
  return { place: `place ${hasNoCase(address) ? address.toLowerCase() : address} ${tag ?? ''}`, times }
}

/** Whether an order shows the address of the instructions; with a tag, whether it shows that tag and no other address. */
export function showsPlace({ walletAddress, tag }: Order, instructions: Instructions): boolean {
  const isSame = walletAddress !== null && sameAddress(walletAddress, instructions.address)
  if (instructions.tag === null) return isSame
  return tag === instructions.tag && (walletAddress === null || isSame)
}

/** Whether an order shows another address than the instructions, or another tag. */
export function showsOtherPlace({ walletAddress, tag }: Order, instructions: Instructions): string | null {
  if (walletAddress !== null && !sameAddress(walletAddress, instructions.address))
    return 'its wallet address is another'
  return tag !== null && tag !== instructions.tag ? 'its tag is another' : null
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

/** In hex addresses the case means nothing; in base58 it is part of the address. */
function sameAddress(left: string, right: string): boolean {
  return left === right || (hasNoCase(left) && left.toLowerCase() === right.toLowerCase())
}

function hasNoCase(address: string): boolean {
  return /^(0x|bc1|tb1|ltc1|tltc1)/i.test(address)
}
