/** Ids and secrets, from the platform's random source. */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { OrderStatus } from '../../contract/checkout.ts'

/** Unguessable random bytes; a simulation passes repeatable ones. */
export type RandomBytes = (length: number) => Uint8Array

/** Makes ids and secrets. */
export type Ids = ReturnType<typeof createIds>

const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 9

/** Creates the source of ids and secrets. */
export function createIds(randomBytes: RandomBytes) {
  /** The alphabets have 32 and 64 letters, which divide 256: so all letters are equally likely. */
  const text = (length: number, alphabet: string) =>
    Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
  return {
    /**
     * The id of a checkout: 9 characters of time, so that ids sort by age, and 12 random
     * characters.
     *
     * @param nowMs - Milliseconds since the epoch.
     */
    checkoutId: (nowMs: number) => nowMs.toString(36).padStart(timeLength, '0') + text(12, letters),
    /** A secret of 190 bits, safe in a header and in a URL. */
    secret: () => text(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
    /** The id of a change. Random, because a counter would repeat after a restore of the store. */
    eventId: (checkoutId: string, status: OrderStatus) => `${checkoutId}-${status}-${text(12, letters)}`,
    /** The name of one error answer, short enough to read aloud. No letter looks like a digit. */
    incident: () => text(6, letters.toUpperCase()),
  }
}

/** The time of creation in a checkout's id, in ms since the epoch; NaN for any other id. */
export function madeAtMs(checkoutId: string): number {
  return Number.parseInt(checkoutId.slice(0, timeLength), 36)
}

/** Ids of checkouts created at this time or later sort behind it. */
export function firstIdAt(atMs: number): string {
  return Math.max(0, atMs).toString(36).padStart(timeLength, '0')
}

/** SHA-256 as hex. */
export function hashOf(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text)))
}

/** Compares two secrets in constant time, so that the time does not show where they differ. */
export function sameSecret(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}
