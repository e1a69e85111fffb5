/** Names and secrets, from the platform's own random source. */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'

/**
 * A checkout's public name: 9 characters of time, so that later ones sort after earlier ones, and 12 random ones.
 *
 * @param nowMs - Milliseconds since the epoch.
 */
export function newCheckoutId(nowMs: number): string {
  return nowMs.toString(36).padStart(9, '0') + randomText(12, '0123456789abcdefghjkmnpqrstvwxyz')
}

/** A secret of 190 bits, safe in a header and in a URL. */
export function newSecret(): string {
  return randomText(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
}

/** SHA-256 as hex: what is stored of a handover token. */
export function hashOf(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text)))
}

/** Compares two secrets in a time that does not tell where they differ: what is compared are their hashes. */
export function sameSecret(left: string, right: string): boolean {
  return hashOf(left) === hashOf(right)
}

/** The alphabet's length divides 256, so every letter is as likely as any other. */
function randomText(length: number, alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
