/** Addresses in base58 whose networks have no other form: Tron, Solana, Tezos, Polkadot and its kin, Monero. */
import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xmr } from '@scure/base'
import { base58check } from './bitcoin.ts'
import { type AddressForm, type Check, sameBytes, startsWith } from './bytes.ts'

/** The byte 0x41 and what would be an Ethereum address. Test chains have the same. */
export function tron(address: string): AddressForm {
  const bytes = base58check.decode(address)
  return bytes.length === 21 && bytes[0] === 0x41 ? 'any' : 'invalid'
}

/** A key of 32 bytes without a checksum. */
export function solana(address: string): AddressForm {
  return base58.decode(address).length === 32 ? 'any' : 'invalid'
}

/** tz1 to tz4, and KT1 of contracts. @see https://gitlab.com/tezos/tezos, src/lib_crypto/base58.ml */
const tezosPrefixes = [
  [6, 161, 159],
  [6, 161, 161],
  [6, 161, 164],
  [6, 161, 166],
  [2, 90, 121],
]

/** 20 bytes after the prefix of their kind. Test chains have the same. */
export function tezos(address: string): AddressForm {
  const bytes = base58check.decode(address)
  return bytes.length === 23 && tezosPrefixes.some((prefix) => startsWith(bytes, prefix)) ? 'any' : 'invalid'
}

/**
 * SS58 with a key of 32 bytes and two bytes of checksum. The prefix names the chain; 42 is of none, and of Westend, the test chain.
 *
 * @see https://docs.polkadot.com, SS58; github.com/paritytech/ss58-registry
 */
export function ss58(main: number): Check {
  return (address) => {
    const bytes = base58.decode(address)
    const checksum = blake2b(Uint8Array.of(...ascii('SS58PRE'), ...bytes.slice(0, -2))).slice(0, 2)
    if (bytes.length !== 35 || !sameBytes(bytes.slice(-2), checksum)) return 'invalid'
    return bytes[0] === main ? 'main' : bytes[0] === 42 ? 'test' : 'invalid'
  }
}

/** Of a wallet, of an account in it, and with a payment id. @see https://docs.getmonero.org/public-address/standard-address/ */
const moneroVersions: Readonly<Record<number, readonly [form: AddressForm, length: number]>> = {
  18: ['main', 69],
  42: ['main', 69],
  19: ['main', 77],
  53: ['test', 69],
  63: ['test', 69],
  54: ['test', 77],
  24: ['test', 69],
  36: ['test', 69],
  25: ['test', 77],
}

/** The form of a Monero address: standard, integrated or of a subaddress. */
export function monero(address: string): AddressForm {
  const bytes = base58xmr.decode(address)
  if (!sameBytes(bytes.slice(-4), keccak_256(bytes.slice(0, -4)).slice(0, 4))) return 'invalid'
  const [form, length] = moneroVersions[bytes[0] ?? 0] ?? ['invalid', 0]
  return bytes.length === length ? form : 'invalid'
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
