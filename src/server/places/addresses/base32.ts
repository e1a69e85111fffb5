/** Addresses in base32: Stellar, Algorand, Filecoin and the Internet Computer. */
import { blake2b } from '@noble/hashes/blake2.js'
import { sha512_256 } from '@noble/hashes/sha2.js'
import { base32nopad, hex } from '@scure/base'
import { crc16, crc32, sameBytes } from './bytes.ts'
import type { AddressForm } from './form.ts'

/** Bytes of a key (`G…`), and of a key with a number that tells deposits apart (`M…`, a muxed account). @see SEP-23 */
const strkeyLengths: Readonly<Record<number, number>> = { [6 << 3]: 35, [12 << 3]: 43 }

/** The form of a Stellar address, `G…` or `M…`. @see SEP-23 */
export function stellar(address: string): AddressForm {
  const bytes = base32nopad.decode(address)
  const fits = bytes.length === strkeyLengths[bytes[0] ?? -1]
  return fits && sameBytes(bytes.slice(-2), crc16(bytes.slice(0, -2)).reverse()) ? 'any' : 'invalid'
}

/** The number in a muxed account that is valid. */
export function stellarTag(address: string): string | null {
  const bytes = base32nopad.decode(address)
  return bytes.length === 43 ? String(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(33)) : null
}

/** The account of a valid address, in hex: the same with and without a number. */
export function stellarAccount(address: string): string {
  return hex.encode(base32nopad.decode(address).slice(1, 33))
}

/** @see https://developer.algorand.org/docs/get-details/accounts: a key and the last four bytes of its hash. */
export function algorand(address: string): AddressForm {
  const bytes = base32nopad.decode(address)
  const checksum = sha512_256(bytes.slice(0, 32)).slice(-4)
  return bytes.length === 36 && sameBytes(bytes.slice(32), checksum) ? 'any' : 'invalid'
}

/** Of a secp256k1 key, of an actor, of a BLS key. */
const filecoinLengths: Readonly<Record<string, number>> = { 1: 20, 2: 20, 3: 48 }

/** @see https://spec.filecoin.io/appendix/address/ */
export function filecoin(address: string): AddressForm {
  const [, network, protocol = '', text = ''] = /^([ft])([0-4])(.+)$/.exec(address) ?? []
  const form = network === 'f' ? 'main' : network === 't' ? 'test' : 'invalid'
  // An id has no checksum.
  if (protocol === '0') return /^(?:0|[1-9]\d{0,18})$/.test(text) ? form : 'invalid'
  const [, manager, delegated] = protocol === '4' ? (/^(\d{1,19})f(.+)$/.exec(text) ?? []) : ['', '', text]
  if (delegated === undefined || !/^[a-z2-7]+$/.test(delegated)) return 'invalid'
  const bytes = base32nopad.decode(delegated.toUpperCase())
  const body = bytes.slice(0, -4)
  const fits = protocol === '4' ? body.length <= 54 : body.length === filecoinLengths[protocol]
  const hashed = Uint8Array.of(Number(protocol), ...(manager ? leb128(BigInt(manager)) : []), ...body)
  return fits && sameBytes(bytes.slice(-4), blake2b(hashed, { dkLen: 4 })) ? form : 'invalid'
}

/** @see https://internetcomputer.org/docs/references/ic-interface-spec, principals; the ledger's account identifiers; ICRC-1. */
export function internetComputer(address: string): AddressForm {
  if (/^[0-9a-fA-F]{64}$/.test(address)) {
    const bytes = hex.decode(address)
    return sameBytes(bytes.slice(0, 4), crc32(bytes.slice(4))) ? 'any' : 'invalid'
  }
  const [, owner = address, checksum, number] = /^(.+)-([a-z2-7]{7})\.([1-9a-f][0-9a-f]{0,63})$/.exec(address) ?? []
  const id = principal(owner)
  if (id === undefined) return 'invalid'
  if (number === undefined) return 'any'
  const account = Uint8Array.of(...id, ...hex.decode(number.padStart(64, '0')))
  return base32nopad.encode(crc32(account)).toLowerCase() === checksum ? 'any' : 'invalid'
}

/** The bytes of a principal that can own something: of a key, or of a canister. */
function principal(text: string): Uint8Array | undefined {
  if (!/^(?:[a-z2-7]{5}-)+[a-z2-7]{1,5}$/.test(text)) return undefined
  const bytes = base32nopad.decode(text.replaceAll('-', '').toUpperCase())
  const id = bytes.slice(4)
  const isOwner = (id.length === 29 && id.at(-1) === 2) || (id.length === 10 && id.at(-1) === 1)
  return isOwner && sameBytes(bytes.slice(0, 4), crc32(id)) ? id : undefined
}

/** A whole number in groups of seven bits, the lowest first. */
function leb128(value: bigint): readonly number[] {
  const low = Number(value & 0x7fn)
  return value < 0x80n ? [low] : [low | 0x80, ...leb128(value >> 7n)]
}
