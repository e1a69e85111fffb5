/**
 * Whether an address is one that its network accepts, by the network's own checksum. A single wrong character in an address
 * that was damaged on the way sends a deposit to nobody.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import {
  base32nopad,
  base58,
  base58xmr,
  base58xrp,
  base64urlnopad,
  bech32,
  bech32m,
  createBase58check,
  hex,
} from '@scure/base'
import { isPlainAddress } from '../contract/checkout.ts'
import { type NetworkKind, networkKind } from '../contract/networks.ts'

/** `'main'` and `'test'`: valid, on that chain; `'any'`: valid, and the form does not tell the chain; `'invalid'`. */
export type AddressForm = 'main' | 'test' | 'any' | 'invalid'

type Check = (address: string) => AddressForm

const base58check = createBase58check(sha256)

const checks: Readonly<Record<NetworkKind, Check>> = {
  bitcoin: utxo({ bech32: ['bc', ['tb', 'bcrt']], main: [0x00, 0x05], test: [0x6f, 0xc4] }),
  litecoin: utxo({ bech32: ['ltc', ['tltc', 'rltc']], main: [0x30, 0x32, 0x05], test: [0x6f, 0x3a, 0xc4] }),
  dogecoin: utxo({ main: [0x1e, 0x16], test: [0x71, 0xc4] }),
  'bitcoin-cash': (address) => cashaddr(address),
  ethereum: evm,
  'bnb-smart-chain': evm,
  polygon: evm,
  tron: (address) => {
    const bytes = base58check.decode(address)
    return bytes.length === 21 && bytes[0] === 0x41 ? 'any' : 'invalid'
  },
  solana: (address) => (base58.decode(address).length === 32 ? 'any' : 'invalid'),
  'xrp-ledger': (address) => {
    const bytes = base58xrp.decode(address)
    const body = bytes.slice(0, 21)
    const checksum = sha256(sha256(body)).slice(0, 4)
    return bytes.length === 25 && bytes[0] === 0 && equal(bytes.slice(21), checksum) ? 'any' : 'invalid'
  },
  stellar: (address) => {
    const bytes = base32nopad.decode(address)
    return bytes.length === 35 && bytes[0] === 6 << 3 && equal(bytes.slice(33), crc16(bytes.slice(0, 33)).reverse())
      ? 'any'
      : 'invalid'
  },
  ton: (address) => {
    const bytes = base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'))
    const flags = bytes[0] ?? 0
    if (bytes.length !== 36 || !equal(bytes.slice(34), crc16(bytes.slice(0, 34)))) return 'invalid'
    if (![0x11, 0x51].includes(flags & 0x7f)) return 'invalid'
    return flags & 0x80 ? 'test' : 'main'
  },
  eos: (address) => (/^(?=.{1,12}$)[a-z1-5]+(?:\.[a-z1-5]+)*$/.test(address) ? 'any' : 'invalid'),
  cosmos: (address) => (bech32.decodeToBytes(address).prefix === 'cosmos' ? 'any' : 'invalid'),
  cardano: (address) => {
    const { prefix } = bech32.decodeToBytes(address)
    return prefix === 'addr' ? 'main' : prefix === 'addr_test' ? 'test' : 'invalid'
  },
  monero: (address) => {
    const bytes = base58xmr.decode(address)
    if (bytes.length !== 69 && bytes.length !== 77) return 'invalid'
    if (!equal(bytes.slice(-4), keccak_256(bytes.slice(0, -4)).slice(0, 4))) return 'invalid'
    const version = bytes[0] ?? 0
    return [18, 19, 42].includes(version) ? 'main' : [53, 54, 63, 24, 25, 36].includes(version) ? 'test' : 'invalid'
  },
}

/**
 * Judges an address. Of networks that are not known to us only the characters are checked.
 *
 * @param network - The service's name of the network.
 */
export function addressForm(address: string, network: string): AddressForm {
  if (!isPlainAddress(address)) return 'invalid'
  const kind = networkKind(network)
  if (kind === undefined) return 'any'
  try {
    return checks[kind](address)
  } catch {
    // The decoders throw on a wrong character, length or checksum: all of them mean that this is no address.
    return 'invalid'
  }
}

/** Bitcoin and its kin: native segwit (BIP-173, BIP-350) or base58check with a version byte of the chain. */
function utxo(chain: { bech32?: [main: string, test: string[]]; main: number[]; test: number[] }): Check {
  return (address) => {
    const lower = address.toLowerCase()
    // In one case throughout: base58 may begin alike, as Litecoin's `LTc1…` does, and mixes both.
    const isOneCase = address === lower || address === address.toUpperCase()
    if (chain.bech32 && isOneCase && chain.bech32.flat().some((prefix) => lower.startsWith(`${prefix}1`))) {
      const prefix = segwitPrefix(address)
      return prefix === chain.bech32[0] ? 'main' : chain.bech32[1].includes(prefix) ? 'test' : 'invalid'
    }
    const bytes = base58check.decode(address)
    const version = bytes[0] ?? -1
    if (bytes.length !== 21) return 'invalid'
    return chain.main.includes(version) ? 'main' : chain.test.includes(version) ? 'test' : 'invalid'
  }
}

/** The human-readable part of a valid segwit address; throws when it is none. */
function segwitPrefix(address: string): string {
  // Version 0 has the first checksum, all later versions the second (BIP-350).
  const isBech32 = bech32.decodeUnsafe(address) !== undefined
  const { prefix, words } = isBech32 ? bech32.decode(checked(address)) : bech32m.decode(checked(address))
  const [version = 99, ...rest] = words
  const program = bech32.fromWords(rest)
  const fits = isBech32
    ? version === 0 && [20, 32].includes(program.length)
    : version >= 1 && version <= 16 && program.length >= 2 && program.length <= 40
  if (!fits) throw new RangeError('Not a witness program')
  return prefix
}

function checked(address: string): `${string}1${string}` {
  const [prefix, ...rest] = address.split('1')
  return `${prefix ?? ''}1${rest.join('1')}`
}

/** EIP-55: a mixed-case address carries its checksum in its case. */
function evm(address: string): AddressForm {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'invalid'
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return 'any'
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits.toLowerCase())))
  const cased = [...digits.toLowerCase()].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return cased.join('') === digits ? 'any' : 'invalid'
}

/** Bitcoin Cash: cashaddr with or without its prefix (its own 40-bit checksum), or a legacy base58 address. */
function cashaddr(address: string): AddressForm {
  if (/^[123mn]/.test(address) && !address.includes(':'))
    return utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4] })(address)
  const [prefix = '', payload = ''] = address.includes(':')
    ? address.toLowerCase().split(':')
    : ['bitcoincash', address.toLowerCase()]
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'invalid'
  const words = [...payload].map((letter) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(letter))
  if (words.includes(-1) || words.length !== 42) return 'invalid'
  if (cashaddrChecksum([...[...prefix].map((letter) => letter.charCodeAt(0) & 31), 0, ...words]) !== 0n)
    return 'invalid'
  return prefix === 'bitcoincash' ? 'main' : prefix === 'bchtest' || prefix === 'bchreg' ? 'test' : 'invalid'
}

function cashaddrChecksum(values: readonly number[]): bigint {
  const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]
  let checksum = 1n
  for (const value of values) {
    const top = checksum >> 35n
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    for (const [bit, generator] of generators.entries()) if ((top >> BigInt(bit)) & 1n) checksum ^= generator
  }
  return checksum ^ 1n
}

/** CRC-16/XMODEM, high byte first: Stellar (which stores it low byte first) and TON. */
function crc16(bytes: Uint8Array): Uint8Array {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return Uint8Array.of(crc >> 8, crc & 0xff)
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at])
}
