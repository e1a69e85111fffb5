/** Checksums that several networks share, and their comparison. */
import { sha256 } from '@noble/hashes/sha2.js'

/** CRC-16/XMODEM, high byte first: TON, and Stellar, which stores it low byte first. */
export function crc16(bytes: Uint8Array): Uint8Array {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return Uint8Array.of(crc >> 8, crc & 0xff)
}

/** CRC-32 as in zip files, high byte first: Cardano's Byron addresses and the Internet Computer. */
export function crc32(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const value = ~crc >>> 0
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff)
}

/** The bytes before a checksum of four bytes of their double SHA-256; throws if the checksum is wrong. */
export function withoutSha256d(bytes: Uint8Array): Uint8Array {
  const body = bytes.slice(0, -4)
  if (!sameBytes(bytes.slice(-4), sha256(sha256(body)).slice(0, 4))) throw new RangeError('Wrong checksum')
  return body
}

/** Whether both have the same bytes. Not for secrets: it stops at the first difference. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at])
}

/** Whether the bytes begin with these. */
export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte)
}

/** `'main'` and `'test'`: valid, on that chain; `'any'`: valid, and the form does not show the chain; `'invalid'`. */
export type AddressForm = 'main' | 'test' | 'any' | 'invalid'

/**
 * Judges an address of one network. May throw instead of answering `'invalid'`: the decoders do so on a wrong character, length or
 * checksum.
 */
export type Check = (address: string) => AddressForm
