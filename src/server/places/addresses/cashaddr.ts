/**
 * Addresses of a prefix, a colon and base32 with a checksum of 40 bits: Bitcoin Cash, eCash and Kaspa.
 *
 * @see https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md
 */
import { bech32, hex } from '@scure/base'
import { base58check, utxo } from './bitcoin.ts'
import type { AddressForm, Check } from './form.ts'

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
