/** Addresses in hexadecimal: Ethereum and all networks like it, Aptos, Sui and Starknet. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex } from '@scure/base'
import type { AddressForm } from './bytes.ts'

/** EIP-55: an address in mixed case carries its checksum in its case. */
export function evm(address: string): AddressForm {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'invalid'
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  return isCased(digits, keccak_256(new TextEncoder().encode(lower))) ? 'any' : 'invalid'
}

/** 32 bytes without a checksum, written in full (AIP-40): a missing digit may have been lost on the way. */
export function aptos(address: string): AddressForm {
  return /^0x[0-9a-fA-F]{64}$/.test(address) ? 'any' : 'invalid'
}

/** 32 bytes without a checksum, written in full. */
export function sui(address: string): AddressForm {
  return /^0x[0-9a-fA-F]{64}$/.test(address) ? 'any' : 'invalid'
}

/**
 * A number below 2^251 - 256, in mixed case with a checksum like that of EIP-55. Up to four zeros at the front may be missing.
 *
 * @see https://docs.starknet.io, addresses; `getChecksumAddress` of starknet.js.
 */
export function starknet(address: string): AddressForm {
  if (!/^0x[0-9a-fA-F]{60,64}$/.test(address) || BigInt(address) >= 2n ** 251n - 256n) return 'invalid'
  const plain = BigInt(address).toString(16)
  const hash = keccak_256(hex.decode(plain.padStart(plain.length + (plain.length % 2), '0')))
  const digits = address.slice(2).padStart(64, '0')
  return isCased(digits, hash) ? 'any' : 'invalid'
}

/** Whether letters are all lower case, all upper case, or upper case exactly where the hash's digit is 8 or more. */
function isCased(digits: string, hash: Uint8Array): boolean {
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hashDigits = hex.encode(hash)
  const cased = [...lower].map((digit, at) =>
    Number.parseInt(hashDigits[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return cased.join('') === digits
}
