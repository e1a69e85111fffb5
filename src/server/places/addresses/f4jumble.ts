/** Reverses the F4Jumble of Zcash's unified addresses, which makes every character depend on every other. @see ZIP-316, F4Jumble */
import { blake2b } from '@noble/hashes/blake2.js'

/** @param jumbled - 48 bytes or more. */
export function f4Unjumble(jumbled: Uint8Array): Uint8Array {
  const leftLength = Math.min(64, Math.floor(jumbled.length / 2))
  const [c, d] = [jumbled.slice(0, leftLength), jumbled.slice(leftLength)]
  const y = xor(c, shortHash(1, d, leftLength))
  const x = xor(d, longHash(1, y, d.length))
  const a = xor(y, shortHash(0, x, leftLength))
  const b = xor(x, longHash(0, a, d.length))
  return Uint8Array.of(...a, ...b)
}

function shortHash(round: number, bytes: Uint8Array, length: number): Uint8Array {
  return blake2b(bytes, { dkLen: length, personalization: named('UA_F4Jumble_H', round, 0) })
}

function longHash(round: number, bytes: Uint8Array, length: number): Uint8Array {
  const parts = Array.from({ length: Math.ceil(length / 64) }, (_, part) =>
    blake2b(bytes, { personalization: named('UA_F4Jumble_G', round, part) }),
  )
  return Uint8Array.from(parts.flatMap((part) => [...part])).slice(0, length)
}

function named(name: string, round: number, part: number): Uint8Array {
  return Uint8Array.of(...new TextEncoder().encode(name), round, part & 0xff, part >> 8)
}

function xor(left: Uint8Array, right: Uint8Array): Uint8Array {
  return left.map((byte, at) => byte ^ (right[at] ?? 0))
}
