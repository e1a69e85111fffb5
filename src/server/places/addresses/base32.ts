/** Addresses in base32: Stellar, Algorand, Filecoin and the Internet Computer. */
import { blake2b } from '@noble/hashes/blake2.js'
import { sha512_256 } from '@noble/hashes/sha2.js'
import { base32nopad, bech32, hex } from '@scure/base'
import { base58check, utxo } from './bitcoin.ts'
import { type AddressForm, type Check, crc16, crc32, sameBytes } from './bytes.ts'

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

// Addresses of a prefix, a colon and base32 with a checksum of 40 bits: Bitcoin Cash, eCash and Kaspa. See
// https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md

interface Prefixes {
  readonly main: string
  readonly test: readonly string[]
}

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const legacy = utxo({ main: [0x00, 0x05], test: [0x6f, 0xc4] })

/** CashAddr with or without its prefix, or the older base58 address. */
export function cashAddr(prefixes: Prefixes): Check {
  return (address) => {
    if (!address.includes(':') && /^[123mn]/.test(address)) return legacy(address)
    // All lower case or all upper case.
    if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'invalid'
    const text = address.toLowerCase()
    const { prefix, payload } = decode(text.includes(':') ? text : `${prefixes.main}:${text}`)
    const [version = 0xff, ...hash] = payload
    // Keys and scripts, and both for tokens (CHIP-2022-02); scripts have 20 bytes or, since 2023, 32.
    const [type, size] = [version >> 3, [20, -1, -1, 32][version & 7]]
    const fits = type <= 3 && hash.length === size && (size === 20 || type === 1 || type === 3)
    return fits ? formOf(prefix, prefixes) : 'invalid'
  }
}

/** What a valid address of a key or a script pays to, in hex: the same with and without prefix, in the older form, and for tokens. */
export function cashAccount(address: string, prefix: string): string {
  const text = address.toLowerCase()
  if (!text.includes(':') && /^[123mn]/.test(address)) {
    const [version = 0, ...hash] = base58check.decode(address)
    return accountOf(version === 0x05 || version === 0xc4 ? 1 : 0, hash)
  }
  const [version = 0, ...hash] = decode(text.includes(':') ? text : `${prefix}:${text}`).payload
  return accountOf((version >> 3) & 1, hash)
}

function accountOf(type: number, hash: readonly number[]): string {
  return `${type === 1 ? 'script' : 'key'} ${hex.encode(Uint8Array.from(hash))}`
}

/** Kaspa: the same, with versions and lengths of its own, and never without its prefix. */
export function kaspa(address: string): AddressForm {
  const { prefix, payload } = decode(address)
  // Of a Schnorr key, of an ECDSA key, of a script.
  const length = { 0: 32, 1: 33, 8: 32 }[payload[0] ?? -1]
  if (payload.length - 1 !== length) return 'invalid'
  return formOf(prefix, { main: 'kaspa', test: ['kaspatest', 'kaspasim', 'kaspadev'] })
}

function formOf(prefix: string, { main, test }: Prefixes): AddressForm {
  return prefix === main ? 'main' : test.includes(prefix) ? 'test' : 'invalid'
}

/** Throws on a wrong character or checksum, and where more than one colon is. */
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
