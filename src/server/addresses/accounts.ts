/** Addresses in hexadecimal, and accounts with names or numbers: EOS, NEAR, Hedera, Cosmos, TON. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base64urlnopad, bech32, hex } from '@scure/base'
import { type AddressForm, crc16, type Format, sameBytes } from './bytes.ts'

/** EIP-55: an address in mixed case carries its checksum in its case. */
export function evm(address: string): AddressForm {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'invalid'
  const digits = address.slice(2)
  return isCased(digits, keccak_256(new TextEncoder().encode(digits.toLowerCase()))) ? 'any' : 'invalid'
}

/** Aptos (AIP-40) and Sui: 32 bytes without a checksum. A shorter text may have lost a digit. */
export function hex32(address: string): AddressForm {
  return /^0x[0-9a-fA-F]{64}$/.test(address) ? 'any' : 'invalid'
}

/**
 * A number below 2^251 - 256, in mixed case with a checksum like that of EIP-55. Up to four zeros
 * at the front may be missing.
 *
 * @see https://docs.starknet.io, addresses; `getChecksumAddress` of starknet.js.
 */
export const starknet: Format = (address) => {
  if (!/^0x[0-9a-fA-F]{60,64}$/.test(address) || BigInt(address) >= 2n ** 251n - 256n) return 'invalid'
  const account = BigInt(address).toString(16)
  const hash = keccak_256(hex.decode(account.padStart(account.length + (account.length % 2), '0')))
  return isCased(address.slice(2).padStart(64, '0'), hash) ? { form: 'any', account } : 'invalid'
}

/** Whether letters have one case, or are upper case exactly where the hash's digit is 8 or more. */
function isCased(digits: string, hash: Uint8Array): boolean {
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hashDigits = hex.encode(hash)
  const cased = [...lower].map((digit, at) => ((hashDigits[at] ?? '0') >= '8' ? digit.toUpperCase() : digit))
  return cased.join('') === digits
}

/** @see https://docs.eosnetwork.com: other names may have a 13th character, accounts may not. */
export function eos(account: string): AddressForm {
  return /^[a-z1-5.]{0,11}[a-z1-5]$/.test(account) ? 'any' : 'invalid'
}

/**
 * A name, 64 hexadecimal digits, or an address like Ethereum's. @see
 * https://nomicon.io/DataStructures/Account
 */
export function near(account: string): AddressForm {
  if (account.length < 2 || account.length > 64) return 'invalid'
  if (!/^(?:(?:[a-z\d]+[-_])*[a-z\d]+\.)*(?:[a-z\d]+[-_])*[a-z\d]+$/.test(account)) return 'invalid'
  return account.endsWith('.testnet') ? 'test' : account.endsWith('.near') ? 'main' : 'any'
}

/**
 * An account such as `0.0.123`, with or without its checksum (HIP-15), or an alias like Ethereum's.
 * An alias may contain the account's number.
 */
export const hedera: Format = (address) => {
  if (address.startsWith('0x')) {
    const [, number] = /^0x0{24}([\da-fA-F]{16})$/.exec(address) ?? []
    return number === undefined ? evm(address) : { form: evm(address), account: `0.0.${BigInt(`0x${number}`)}` }
  }
  const [, account, checksum] =
    /^((?:(?:0|[1-9]\d{0,18})\.){2}(?:0|[1-9]\d{0,18}))(?:-([a-z]{5}))?$/.exec(address) ?? []
  if (account === undefined) return 'invalid'
  if (checksum === undefined) return { form: 'any', account }
  // Ledger 0 is the main one, 1 and 2 are test ledgers.
  const ledger = [0, 1, 2].find((each) => checksum === hederaChecksum(account, each))
  return ledger === undefined ? 'invalid' : { form: ledger === 0 ? 'main' : 'test', account }
}

/** HIP-15: the checksum of an account on a ledger. */
function hederaChecksum(id: string, ledger: number): string {
  const [p3, p5] = [26 ** 3, 26 ** 5]
  const digits = [...id].map((digit) => (digit === '.' ? 10 : Number(digit)))
  const weighted = digits.reduce((sum, digit) => (31 * sum + digit) % p3, 0)
  const sumAt = (parity: number) => digits.reduce((sum, digit, at) => (at % 2 === parity ? sum + digit : sum), 0) % 11
  const hash = [ledger, 0, 0, 0, 0, 0, 0].reduce((sum, byte) => (31 * sum + byte) % p5, 0)
  const mixed = ((((id.length % 5) * 11 + sumAt(0)) * 11 + sumAt(1)) * p3 + weighted + hash) % p5
  const code = (mixed * 1_000_003) % p5
  const letters = [4, 3, 2, 1, 0].map((power) => String.fromCharCode(97 + (Math.floor(code / 26 ** power) % 26)))
  return letters.join('')
}

/** Accounts of keys have 20 bytes, others 32. Test chains have the same prefix. */
export function cosmos(account: string): AddressForm {
  const { prefix, bytes } = bech32.decodeToBytes(account)
  return prefix === 'cosmos' && [20, 32].includes(bytes.length) ? 'any' : 'invalid'
}

/**
 * TON: the raw form, a workchain (-1 is the masterchain) and 32 bytes in hex; or the user-friendly
 * form, 36 bytes with a checksum in either alphabet of base64.
 *
 * @see https://docs.ton.org, smart contract addresses
 */
export const ton: Format = (address) => {
  if (/^(?:0|-1):[0-9a-fA-F]{64}$/.test(address)) return { form: 'any', account: address.toLowerCase() }
  if (/[+/]/.test(address) && /[-_]/.test(address)) return 'invalid'
  const bytes = base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'))
  const [flags = 0, workchain = 0] = bytes
  if (bytes.length !== 36 || !sameBytes(bytes.slice(34), crc16(bytes.slice(0, 34)))) return 'invalid'
  // 0x11 is bounceable, 0x51 is not; 0x80 marks test chains.
  if (![0x11, 0x51].includes(flags & 0x7f) || ![0, 0xff].includes(workchain)) return 'invalid'
  const account = `${workchain === 0 ? 0 : -1}:${hex.encode(bytes.slice(2, 34))}`
  return { form: flags & 0x80 ? 'test' : 'main', account }
}
