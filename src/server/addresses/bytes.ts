/** Shared by the formats of addresses: the result, checksums, and comparisons of bytes. */
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

/** `'main'`, `'test'`: valid on that chain. `'any'`: valid; the text does not show the chain. */
export type AddressForm = 'main' | 'test' | 'any' | 'invalid'

/** A valid address whose text is not the only one for its account, or that has a tag inside. */
export interface ReadAddress {
  readonly form: AddressForm
  /** The same text for all spellings of the account. It is stored: never change it. */
  readonly account: string
  readonly tag?: string | null
}

/** Reads an address of one network. May throw for an invalid address, as the decoders do. */
export type Format = (address: string) => AddressForm | ReadAddress

/** Prefixes of the chain and of its test chains. */
export interface Prefixes {
  readonly main: string
  readonly test: readonly string[]
}

/** The form of an address with this prefix. */
export function formOf(prefix: string, { main, test }: Prefixes): AddressForm {
  return prefix === main ? 'main' : test.includes(prefix) ? 'test' : 'invalid'
}

/** Base58 followed by the first four bytes of a double SHA-256. */
export const base58check = createBase58check(sha256)

/** CRC-16/XMODEM, high byte first: TON, and Stellar, which stores it low byte first. */
export function crc16(bytes: Uint8Array): Uint8Array {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return Uint8Array.of(crc >> 8, crc & 0xff)
}

/** CRC-32 as in zip files, high byte first: Cardano's Byron addresses and the Internet Computer. */
export function crc32(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return Uint8Array.of(~crc >>> 24, (~crc >>> 16) & 0xff, (~crc >>> 8) & 0xff, ~crc & 0xff)
}

/** Whether both have the same bytes. Not for secrets: it stops at the first difference. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at])
}
