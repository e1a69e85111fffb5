/** Base32: Stellar, Algorand, Filecoin, Internet Computer, Bitcoin Cash, eCash, Kaspa. */
import { blake2b } from '@noble/hashes/blake2.js'
import { sha512_256 } from '@noble/hashes/sha2.js'
import { base32nopad, bech32, hex } from '@scure/base'
import {
  type AddressForm,
  base58check,
  crc16,
  crc32,
  type Format,
  formOf,
  type Prefixes,
  type ReadAddress,
  sameBytes,
} from './bytes.ts'

/** Bytes of a key (`G…`), and of a muxed account (`M…`), which is a key with a number. */
const strkeyLengths: Readonly<Record<number, number>> = { [6 << 3]: 35, [12 << 3]: 43 }

/** Stellar. The number of a muxed account is its tag. @see SEP-23 */
export const stellar: Format = (address) => {
  const bytes = base32nopad.decode(address)
  const { length } = bytes
  const fits = length === strkeyLengths[bytes[0] ?? -1]
  if (!fits || !sameBytes(bytes.slice(-2), crc16(bytes.slice(0, -2)).reverse())) return 'invalid'
  const tag = length === 43 ? String(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(33)) : null
  return { form: 'any', account: hex.encode(bytes.slice(1, 33)), tag }
}

/** A key and a part of its hash. @see https://developer.algorand.org/docs/get-details/accounts */
export function algorand(address: string): AddressForm {
  const bytes = base32nopad.decode(address)
  const checksum = sha512_256(bytes.slice(0, 32)).slice(-4)
  return bytes.length === 36 && sameBytes(bytes.slice(32), checksum) ? 'any' : 'invalid'
}

/** Bytes of a secp256k1 key, an actor, a BLS key. */
const filecoinLengths: Readonly<Record<string, number>> = { 1: 20, 2: 20, 3: 48 }

/**
 * The first letter is the chain's; the rest is the account on each.
 *
 * @see https://spec.filecoin.io/appendix/address/
 */
export const filecoin: Format = (address) => ({ form: filecoinForm(address), account: `f${address.slice(1)}` })

function filecoinForm(address: string): AddressForm {
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

/** A whole number in groups of seven bits, the lowest first. */
function leb128(value: bigint): readonly number[] {
  const low = Number(value & 0x7fn)
  return value < 0x80n ? [low] : [low | 0x80, ...leb128(value >> 7n)]
}

/**
 * The ledger's account identifiers, principals, and principals with a number of an account
 * (ICRC-1).
 *
 * @see https://internetcomputer.org/docs/references/ic-interface-spec
 */
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

/** Version bytes of the older base58 addresses: of a key and of a script. */
const legacyForms: Readonly<Record<number, AddressForm>> = { 0: 'main', 5: 'main', 111: 'test', 196: 'test' }

/**
 * CashAddr: a prefix, which may be left out, a colon, and base32 with a checksum of 40 bits; or the
 * older base58 address. Both name the same account, as do addresses for tokens.
 *
 * @see https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md
 */
export function cashAddr(prefixes: Prefixes): Format {
  return (address) => {
    if (!address.includes(':') && /^[123mn]/.test(address)) {
      const [version = -1, ...hash] = base58check.decode(address)
      if (hash.length !== 20) return 'invalid'
      return hashed(legacyForms[version] ?? 'invalid', version === 5 || version === 196, hash)
    }
    // All lower case or all upper case.
    if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'invalid'
    const text = address.toLowerCase()
    const { prefix, payload } = decode(text.includes(':') ? text : `${prefixes.main}:${text}`)
    const [version = 0xff, ...hash] = payload
    // Keys and scripts, and both for tokens (CHIP-2022-02). Since 2023 scripts may have 32 bytes.
    const [type, size] = [version >> 3, [20, -1, -1, 32][version & 7]]
    const isScript = (type & 1) === 1
    const fits = type <= 3 && hash.length === size && (size === 20 || isScript)
    return fits ? hashed(formOf(prefix, prefixes), isScript, hash) : 'invalid'
  }
}

function hashed(form: AddressForm, isScript: boolean, hash: readonly number[]): ReadAddress {
  return { form, account: `${isScript ? 'script' : 'key'} ${hex.encode(Uint8Array.from(hash))}` }
}

/** Kaspa: like CashAddr, with other versions and lengths, and never without its prefix. */
export function kaspa(address: string): AddressForm {
  const { prefix, payload } = decode(address)
  // Bytes of a Schnorr key, an ECDSA key, a script.
  const length = { 0: 32, 1: 33, 8: 32 }[payload[0] ?? -1]
  if (payload.length - 1 !== length) return 'invalid'
  return formOf(prefix, { main: 'kaspa', test: ['kaspatest', 'kaspasim', 'kaspadev'] })
}

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Throws on a wrong character or checksum, and on a second colon. */
function decode(address: string): { readonly prefix: string; readonly payload: Uint8Array } {
  const [prefix = '', text = '', ...more] = address.split(':')
  const values = [...text].map((letter) => alphabet.indexOf(letter))
  if (more.length > 0 || values.includes(-1)) throw new RangeError('Not in the form of a CashAddr')
  const readable = [...prefix].map((letter) => letter.charCodeAt(0) & 31)
  if (checksum([...readable, 0, ...values]) !== 0n) throw new RangeError('Wrong checksum')
  return { prefix, payload: bech32.fromWords(values.slice(0, -8)) }
}

function checksum(values: readonly number[]): bigint {
  const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]
  let sum = 1n
  for (const value of values) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    for (const [bit, generator] of generators.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator
  }
  return sum ^ 1n
}
