/** Ids and secrets, from the platform's random source. */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { OrderStatus } from '../../contract/checkout.ts'

/** Unguessable random bytes: the platform's, except in a simulation that has to be repeatable. */
export type RandomBytes = (length: number) => Uint8Array

/** Makes ids and secrets. */
export interface Ids {
  /**
   * A checkout's public name: 9 characters of time, so that later ones sort after earlier ones, and 12 random ones.
   *
   * @param nowMs - Milliseconds since the epoch.
   */
  checkoutId(nowMs: number): string
  /** A secret of 190 bits, safe in a header and in a URL. */
  secret(): string
  /** The id of one change of a checkout. Random and not counted: after a restore, counting would reach the same number again. */
  eventId(checkoutId: string, status: OrderStatus): string
  /** The name of one refusal, short enough to read aloud; no letter looks like a digit. */
  incident(): string
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 9

/** Ids of checkouts sort by when they were made; everything else in them is random. */
export function createIds(randomBytes: RandomBytes): Ids {
  /** The alphabets' lengths divide 256, so every letter is as likely as any other. */
  const text = (length: number, alphabet: string) =>
    Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
  return {
    checkoutId: (nowMs) => nowMs.toString(36).padStart(timeLength, '0') + text(12, letters),
    secret: () => text(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
    eventId: (checkoutId, status) => `${checkoutId}-${status}-${text(12, letters)}`,
    incident: () => text(6, letters.toUpperCase()),
  }
}

/** When a checkout was made, in ms since the epoch, by the clock that named it; NaN when the id does not say. */
export function madeAtMs(checkoutId: string): number {
  return Number.parseInt(checkoutId.slice(0, timeLength), 36)
}

/** SHA-256 as hex: what is stored of a handover token. */
export function hashOf(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text)))
}

/** Compares all of two secrets of the same length, so that the time it takes does not show where they differ. */
export function sameSecret(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}
