/** Random values from one source of numbers: with a seeded source a whole run can be repeated. */

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number

/**
 * A generator that gives the same numbers for the same seed (mulberry32). Not for secrets.
 *
 * @example
 * ```ts
 * seededRandom(7)() === seededRandom(7)() // => true
 * ```
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` random bytes. */
export function randomBytes(random: Random, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
}

/** `count` random characters of an alphabet. */
export function randomText(random: Random, alphabet: string, count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('')
}

/** A UUID of version 4. @see RFC 9562, section 5.4 */
export function randomUuid(random: Random): string {
  const hex = randomText(random, '0123456789abcdef', 30)
  const variant = randomText(random, '89ab', 1)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18)}`
}
