/** Names and secrets, from the platform's own random source. */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'

/** Random bytes, unguessable: the platform's own, but in a simulation that has to repeat. */
export type RandomBytes = (length: number) => Uint8Array

export interface Ids {
  /**
   * A checkout's public name: 9 characters of time, so that later ones sort after earlier ones, and 12 random ones.
   *
   * @param nowMs - Milliseconds since the epoch.
   */
  checkoutId(nowMs: number): string
  /** A secret of 190 bits, safe in a header and in a URL. */
  secret(): string
}

export function createIds(randomBytes: RandomBytes): Ids {
  /** The alphabets' lengths divide 256, so every letter is as likely as any other. */
  const text = (length: number, alphabet: string) =>
    Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
  return {
    checkoutId: (nowMs) => nowMs.toString(36).padStart(9, '0') + text(12, '0123456789abcdefghjkmnpqrstvwxyz'),
    secret: () => text(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
  }
}

/** SHA-256 as hex: what is stored of a handover token. */
export function hashOf(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text)))
}

/** Compares two secrets in a time that does not tell where they differ: what is compared are their hashes. */
export function sameSecret(left: string, right: string): boolean {
  return hashOf(left) === hashOf(right)
}
