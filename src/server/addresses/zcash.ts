/**
 * Zcash: transparent addresses, those for transparent money only (TEX, ZIP-320), Sapling's, and
 * unified ones of revision 1 (ZIP-316). Sprout's (`zc…`) take no deposits any more (ZIP-211).
 */
import { blake2b } from '@noble/hashes/blake2.js'
import { bech32, bech32m, hex } from '@scure/base'
import { type AddressForm, base58check, sameBytes } from './bytes.ts'

/** Two bytes before the hash of a key or of a script. */
const transparent: Readonly<Record<string, AddressForm>> = {
  '1cb8': 'main',
  '1cbd': 'main',
  '1d25': 'test',
  '1cba': 'test',
}
const main = ['zs', 'u', 'tex']
const test = ['ztestsapling', 'zregtestsapling', 'utest', 'uregtest', 'textest', 'texregtest']

/** The form of a Zcash address: transparent, Sapling, unified, or TEX. @see ZIP 316 and ZIP 320 */
export function zcash(address: string): AddressForm {
  const [, prefix = ''] = /^([a-z]+)1/.exec(address.toLowerCase()) ?? []
  const form = main.includes(prefix) ? 'main' : test.includes(prefix) ? 'test' : undefined
  if (form !== undefined) return hasContent(prefix, address) ? form : 'invalid'
  const bytes = base58check.decode(address)
  return (bytes.length === 22 && transparent[hex.encode(bytes.slice(0, 2))]) || 'invalid'
}

function hasContent(prefix: string, address: string): boolean {
  // Sapling's came before the second checksum. All may be longer than BIP-173 allows.
  const isSapling = prefix.endsWith('s') || prefix.endsWith('sapling')
  const bytes = bech32.fromWords((isSapling ? bech32 : bech32m).decode(address, false).words)
  if (isSapling) return bytes.length === 43
  return prefix.startsWith('tex') ? bytes.length === 20 : isUnified(prefix, bytes)
}

/** Bytes of a receiver: of a key, of a script, Sapling's, Orchard's. */
const receiverLengths: Readonly<Record<number, number>> = { 0: 20, 1: 20, 2: 43, 3: 43 }

/** Receivers by type, each once, one of them shielded; then the prefix, filled up with zeros. */
function isUnified(prefix: string, jumbled: Uint8Array): boolean {
  // By ZIP-316 the least that can be jumbled; the most keeps a hostile address from being work.
  if (jumbled.length < 48 || jumbled.length > 256) return false
  const bytes = f4Unjumble(jumbled)
  const padding = Uint8Array.from({ length: 16 }, (_, at) => prefix.charCodeAt(at) || 0)
  if (!sameBytes(bytes.slice(-16), padding)) return false
  const types: number[] = []
  for (let at = 0; at < bytes.length - 16; ) {
    // Types and lengths above 252 take more bytes; no receiver has them yet.
    const [type = 255, length = 255] = bytes.slice(at, at + 2)
    if (type > 252 || length > 252 || type <= (types.at(-1) ?? -1)) return false
    if (type in receiverLengths && receiverLengths[type] !== length) return false
    types.push(type)
    at += 2 + length
    if (at > bytes.length - 16) return false
  }
  const isTwiceTransparent = types.includes(0) && types.includes(1)
  return types.some((type) => type > 1) && !isTwiceTransparent
}

/** @param jumbled - 48 bytes or more. */
function f4Unjumble(jumbled: Uint8Array): Uint8Array {
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
