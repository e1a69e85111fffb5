/**
 * Zcash: transparent addresses, transparent ones that only transparent money may go to (ZIP-320), Sapling's, and unified ones of
 * revision 1 (ZIP-316). Sprout's (`zc…`) take no deposits any more (ZIP-211).
 */
import { blake2b } from '@noble/hashes/blake2.js'
import { bech32, bech32m } from '@scure/base'
import { base58check } from './bitcoin.ts'
import { type AddressForm, sameBytes, startsWith } from './bytes.ts'

/** Two bytes before the hash of a key or of a script. */
const transparent = {
  main: [
    [0x1c, 0xb8],
    [0x1c, 0xbd],
  ],
  test: [
    [0x1d, 0x25],
    [0x1c, 0xba],
  ],
}

const prefixes: Readonly<Record<string, AddressForm>> = {
  zs: 'main',
  ztestsapling: 'test',
  zregtestsapling: 'test',
  u: 'main',
  utest: 'test',
  uregtest: 'test',
  tex: 'main',
  textest: 'test',
  texregtest: 'test',
}

/** The form of a Zcash address: transparent, Sapling, unified, or TEX. @see ZIP 316 and ZIP 320 */
export function zcash(address: string): AddressForm {
  const [, prefix = ''] = /^([a-z]+)1/.exec(address.toLowerCase()) ?? []
  const form = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  if (form === undefined || prefix.length === address.length) return transparentForm(address)
  return hasContent(prefix, address as `${string}1${string}`) ? form : 'invalid'
}

function transparentForm(address: string): AddressForm {
  const bytes = base58check.decode(address)
  if (bytes.length !== 22) return 'invalid'
  if (transparent.main.some((prefix) => startsWith(bytes, prefix))) return 'main'
  return transparent.test.some((prefix) => startsWith(bytes, prefix)) ? 'test' : 'invalid'
}

function hasContent(prefix: string, address: `${string}1${string}`): boolean {
  // Sapling's came before the second checksum. All may be longer than BIP-173 allows.
  if (prefix.endsWith('s') || prefix.endsWith('sapling')) return bytesOf(bech32.decode(address, false)).length === 43
  const bytes = bytesOf(bech32m.decode(address, false))
  return prefix.startsWith('tex') ? bytes.length === 20 : isUnified(prefix, bytes)
}

function bytesOf({ words }: { readonly words: number[] }): Uint8Array {
  return bech32.fromWords(words)
}

/** Bytes of a receiver: of a key, of a script, Sapling's, Orchard's. */
const receiverLengths: Readonly<Record<number, number>> = { 0: 20, 1: 20, 2: 43, 3: 43 }

/** Receivers in the order of their type, each once and one of them shielded, and the prefix again, filled up with zeros. */
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
