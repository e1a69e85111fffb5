/** Addresses in base58: Bitcoin and chains like it, Tron, Solana, Tezos, Polkadot, Monero, XRP. */
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xmr, base58xrp, bech32, bech32m, hex } from '@scure/base'
import { type AddressForm, base58check, type Format, formOf, type Prefixes, sameBytes } from './bytes.ts'

interface Chain {
  /** Version bytes of main addresses, of a key and of a script. */
  readonly main: readonly number[]
  readonly test: readonly number[]
  /** Human-readable parts of segwit addresses. */
  readonly segwit?: Prefixes
  /** Human-readable parts of stealth addresses of Mimblewimble blocks: two keys of 33 bytes. */
  readonly mweb?: Prefixes
  /** Version bytes that Bitcoin has too, and the bytes that have replaced them. */
  readonly replaced?: Readonly<Record<number, number>>
}

/** Bitcoin and its kin: native segwit (BIP-173, BIP-350), or base58check with a version byte. */
export function utxo({ main, test, segwit, mweb, replaced }: Chain): Format {
  return (address) => {
    const lower = address.toLowerCase()
    // Segwit has one case. Base58 mixes cases and may begin alike, as Litecoin's `LTc1…` does.
    if (address === lower || address === address.toUpperCase()) {
      if (begins(lower, segwit)) return formOf(segwitPrefix(lower), segwit)
      if (begins(lower, mweb)) return formOf(mwebPrefix(lower), mweb)
    }
    const bytes = base58check.decode(address)
    const version = bytes[0] ?? -1
    const form = main.includes(version) ? 'main' : test.includes(version) ? 'test' : 'invalid'
    if (bytes.length !== 21 || form === 'invalid') return 'invalid'
    return replaced ? { form, account: `${replaced[version] ?? version} ${hex.encode(bytes.slice(1))}` } : form
  }
}

function begins(address: string, prefixes: Prefixes | undefined): prefixes is Prefixes {
  return prefixes !== undefined && [prefixes.main, ...prefixes.test].some((each) => address.startsWith(`${each}1`))
}

/** The human-readable part of a segwit address. Throws where it is none. */
function segwitPrefix(address: string): string {
  // Version 0 has the first checksum, all later versions the second (BIP-350).
  const isBech32 = bech32.decodeUnsafe(address) !== undefined
  const { prefix, words } = (isBech32 ? bech32 : bech32m).decode(address)
  const [version = 99, ...rest] = words
  const { length } = bech32.fromWords(rest)
  const fits = isBech32
    ? version === 0 && [20, 32].includes(length)
    : version >= 1 && version <= 16 && length >= 2 && length <= 40
  if (!fits) throw new RangeError('Not a witness program')
  return prefix
}

/** The human-readable part of an MWEB address, which is longer than BIP-173 allows. */
function mwebPrefix(address: string): string {
  const { prefix, words } = bech32.decode(address, false)
  const [version, ...rest] = words
  if (version !== 0 || bech32.fromWords(rest).length !== 66) throw new RangeError('Not an MWEB address')
  return prefix
}

/** The byte 0x41 and the 20 bytes of an Ethereum address. Test chains use the same form. */
export function tron(address: string): AddressForm {
  const bytes = base58check.decode(address)
  return bytes.length === 21 && bytes[0] === 0x41 ? 'any' : 'invalid'
}

/** A key of 32 bytes without a checksum. */
export function solana(address: string): AddressForm {
  return base58.decode(address).length === 32 ? 'any' : 'invalid'
}

/**
 * 20 bytes after a prefix: tz1 to tz4, KT1. Test chains use the same form. @see tezos, base58.ml
 */
export function tezos(address: string): AddressForm {
  const bytes = base58check.decode(address)
  const isKnown = ['06a19f', '06a1a1', '06a1a4', '06a1a6', '025a79'].includes(hex.encode(bytes.slice(0, 3)))
  return bytes.length === 23 && isKnown ? 'any' : 'invalid'
}

/**
 * SS58: a key of 32 bytes, which is the same on each chain, and two bytes of checksum. The first
 * byte names the chain; 42 means any chain or Westend, the test chain.
 *
 * @see https://docs.polkadot.com, SS58; github.com/paritytech/ss58-registry
 */
export function ss58(main: number): Format {
  return (address) => {
    const bytes = base58.decode(address)
    const hashed = Uint8Array.of(...new TextEncoder().encode('SS58PRE'), ...bytes.slice(0, -2))
    if (bytes.length !== 35 || !sameBytes(bytes.slice(-2), blake2b(hashed).slice(0, 2))) return 'invalid'
    const form = bytes[0] === main ? 'main' : bytes[0] === 42 ? 'test' : 'invalid'
    return { form, account: hex.encode(bytes.slice(1, 33)) }
  }
}

/** Lengths by the first byte: a wallet, an account in it, an address with a payment id. */
const moneroLengths: Readonly<Record<'main' | 'test', Readonly<Record<number, number>>>> = {
  main: { 18: 69, 42: 69, 19: 77 },
  test: { 53: 69, 63: 69, 54: 77, 24: 69, 36: 69, 25: 77 },
}

/** @see https://docs.getmonero.org/public-address/standard-address/ */
export function monero(address: string): AddressForm {
  const bytes = base58xmr.decode(address)
  if (!sameBytes(bytes.slice(-4), keccak_256(bytes.slice(0, -4)).slice(0, 4))) return 'invalid'
  const isOf = (chain: 'main' | 'test') => moneroLengths[chain][bytes[0] ?? -1] === bytes.length
  return isOf('main') ? 'main' : isOf('test') ? 'test' : 'invalid'
}

/**
 * The XRP Ledger. Classic addresses (`r…`) have the 20 bytes of the account after a zero.
 * X-addresses have two bytes of the chain, the account, a flag, and the tag in the first four of
 * eight bytes.
 *
 * @see https://xrpl.org/docs/references/protocol/data-types/base58-encodings and XLS-5
 */
export const xrp: Format = (address) => {
  const bytes = base58xrp.decode(address)
  const body = bytes.slice(0, -4)
  if (!sameBytes(bytes.slice(-4), sha256(sha256(body)).slice(0, 4))) return 'invalid'
  if (body.length === 21 && body[0] === 0) return { form: 'any', account: hex.encode(body.slice(1)) }
  const form = formOf(hex.encode(body.slice(0, 2)), { main: '0544', test: ['0493'] })
  const flag = body[22]
  const unused = body.slice(flag === 0 ? 23 : 27)
  if (body.length !== 31 || (flag !== 0 && flag !== 1) || unused.some((byte) => byte !== 0)) return 'invalid'
  const tag = flag === 0 ? null : String(new DataView(body.buffer, body.byteOffset).getUint32(23, true))
  return { form, account: hex.encode(body.slice(2, 22)), tag }
}
