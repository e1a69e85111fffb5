/** Accounts that have names or numbers instead of addresses: EOS, NEAR, Hedera; and Cosmos. */
import { bech32 } from '@scure/base'
import type { AddressForm } from './bytes.ts'
import { evm } from './hex.ts'

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
