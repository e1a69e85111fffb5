/** Addresses in hexadecimal: Ethereum and all networks like it, Aptos, Sui and Starknet. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58xrp, base64urlnopad, bech32, hex } from '@scure/base'
import { type AddressForm, crc16, sameBytes, startsWith, withoutSha256d } from './bytes.ts'

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

/** @see https://docs.eosnetwork.com, naming conventions: other names may have a thirteenth character, those of accounts may not. */
export function eos(account: string): AddressForm {
  return /^[a-z1-5.]{0,11}[a-z1-5]$/.test(account) ? 'any' : 'invalid'
}

/** Named, or of a key: 64 digits, or those of an Ethereum address. @see https://nomicon.io/DataStructures/Account */
export function near(account: string): AddressForm {
  if (account.length < 2 || account.length > 64) return 'invalid'
  if (!/^(?:(?:[a-z\d]+[-_])*[a-z\d]+\.)*(?:[a-z\d]+[-_])*[a-z\d]+$/.test(account)) return 'invalid'
  return account.endsWith('.testnet') ? 'test' : account.endsWith('.near') ? 'main' : 'any'
}

/** An account as `0.0.123`, with the checksum of HIP-15 or without, or its alias in Ethereum's form. */
export function hedera(account: string): AddressForm {
  if (account.startsWith('0x')) return evm(account)
  const [, id, checksum] = /^((?:(?:0|[1-9]\d{0,18})\.){2}(?:0|[1-9]\d{0,18}))(?:-([a-z]{5}))?$/.exec(account) ?? []
  if (id === undefined) return 'invalid'
  if (checksum === undefined) return 'any'
  if (checksum === hederaChecksum(id, 0)) return 'main'
  return [1, 2].some((ledger) => checksum === hederaChecksum(id, ledger)) ? 'test' : 'invalid'
}

/** HIP-15: of the digits, of their sums at even and at odd places, and of the ledger: 0 main, 1 and 2 test. */
function hederaChecksum(id: string, ledger: number): string {
  const [p3, p5] = [26 ** 3, 26 ** 5]
  const digits = [...id].map((digit) => (digit === '.' ? 10 : Number(digit)))
  const weighted = digits.reduce((sum, digit) => (31 * sum + digit) % p3, 0)
  const sumAt = (parity: number) => digits.reduce((sum, digit, at) => (at % 2 === parity ? sum + digit : sum), 0) % 11
  const hash = [ledger, 0, 0, 0, 0, 0, 0].reduce((sum, byte) => (31 * sum + byte) % p5, 0)
  const mixed = ((((id.length % 5) * 11 + sumAt(0)) * 11 + sumAt(1)) * p3 + weighted + hash) % p5
  const code = (mixed * 1_000_003) % p5
  return Array.from({ length: 5 }, (_, at) => String.fromCharCode(97 + (Math.floor(code / 26 ** (4 - at)) % 26))).join(
    '',
  )
}

/** An account of a key has 20 bytes, one of a module or a contract 32. Test chains have the same prefix. */
export function cosmos(account: string): AddressForm {
  const { prefix, bytes } = bech32.decodeToBytes(account)
  return prefix === 'cosmos' && [20, 32].includes(bytes.length) ? 'any' : 'invalid'
}

// TON: the user-friendly form in either alphabet of base64, and the raw form, which has no checksum. See https://docs.ton.org, smart
// contract addresses.

/** The workchain and the hash of an account; masterchain is -1. */
const raw = /^(?:0|-1):[0-9a-fA-F]{64}$/

/** The form of a TON address: 36 bytes in base64 or base64url, or a workchain and 32 bytes in hex. */
export function ton(address: string): AddressForm {
  if (raw.test(address)) return 'any'
  if (/[+/]/.test(address) && /[-_]/.test(address)) return 'invalid'
  const bytes = bytesOf(address)
  const [flags = 0, workchain = 0] = bytes
  if (bytes.length !== 36 || !sameBytes(bytes.slice(34), crc16(bytes.slice(0, 34)))) return 'invalid'
  // Bounceable or not, and 0x80 of test chains.
  if (![0x11, 0x51].includes(flags & 0x7f) || ![0, 0xff].includes(workchain)) return 'invalid'
  return flags & 0x80 ? 'test' : 'main'
}

/** The raw form of a valid address: the same for those that bounce and those that do not. */
export function tonAccount(address: string): string {
  if (raw.test(address)) return address.toLowerCase()
  const bytes = bytesOf(address)
  return `${bytes[1] === 0 ? 0 : -1}:${hex.encode(bytes.slice(2, 34))}`
}

function bytesOf(address: string): Uint8Array {
  return base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'))
}

// The XRP Ledger: classic addresses, and X-addresses, which may carry the destination tag. See
// https://xrpl.org/docs/references/protocol/data-types/base58-encodings and XLS-5.

/** The form of an XRP Ledger address, classic (`r…`) or with the tag in it (`X…`). */
export function xrp(address: string): AddressForm {
  const body = withoutSha256d(base58xrp.decode(address))
  if (body.length === 21 && body[0] === 0) return 'any'
  if (!isXAddress(body)) return 'invalid'
  return startsWith(body, xMain) ? 'main' : 'test'
}

/** The tag in an address that is valid. */
export function xrpTag(address: string): string | null {
  const body = withoutSha256d(base58xrp.decode(address))
  if (!isXAddress(body) || body[22] === 0) return null
  return String(new DataView(body.buffer, body.byteOffset).getUint32(23, true))
}

/** The account of a valid address, in hex: the same in both forms. */
export function xrpAccount(address: string): string {
  const body = withoutSha256d(base58xrp.decode(address))
  return hex.encode(isXAddress(body) ? body.slice(2, 22) : body.slice(1))
}

const xMain = [0x05, 0x44]
const xTest = [0x04, 0x93]

/** Two bytes of the chain, the account's 20, a flag, and a tag of 32 bits in the first four of eight bytes. */
function isXAddress(body: Uint8Array): boolean {
  if (body.length !== 31 || !(startsWith(body, xMain) || startsWith(body, xTest))) return false
  const [flag, unused] = [body[22], body.slice(flagOf(body) === 0 ? 23 : 27)]
  return (flag === 0 || flag === 1) && unused.every((byte) => byte === 0)
}

function flagOf(body: Uint8Array): number {
  return body[22] ?? 0
}
