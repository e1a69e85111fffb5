/**
 * Texts that wallets scan. Built by string arithmetic only: no exponent, no grouping, no rounding.
 * Each returns null when the payment cannot be written in that form without losing a digit or
 * guessing.
 */
import type { NetworkInfo } from '../contract/checkout.ts'
import { atomicOrNull, canonicalDecimal } from '../contract/decimal.ts'

/** What a payment text is made of. */
export interface Payment {
  readonly asset: string
  readonly networkInfo?: Pick<NetworkInfo, 'kind'>
  readonly address: string
  readonly amount: string
  readonly tag: string | null
}

/**
 * `bitcoin:…?amount=…` in whole coins, as BIP-321 and its relatives of Litecoin and Dogecoin want
 * it.
 */
export function bip321(scheme: string, { address, amount }: Payment): string {
  return `${scheme}:${lowerCaseBech32(withoutScheme(scheme, address))}?amount=${canonicalDecimal(amount)}`
}

/**
 * `bitcoincash:…?amount=…`. The prefix is part of the address and often there already; test
 * networks have their own.
 */
export function cashAddrUri({ address, amount }: Payment): string {
  const prefixed = address.includes(':') ? address : `bitcoincash:${address}`
  // CashAddr starts with q or p and may be in capitals; the older base58 form starts with a digit,
  // and its capitals count.
  const lower = /:[qp]/i.test(prefixed) ? prefixed.toLowerCase() : prefixed
  return `${lower}?amount=${canonicalDecimal(amount)}`
}

/** `monero:…?tx_amount=…` in whole coins. */
export function moneroUri({ address, amount }: Payment): string {
  return `monero:${withoutScheme('monero', address)}?tx_amount=${canonicalDecimal(amount)}`
}

/**
 * ERC-681 for the native coin, `ethereum:…@1?value=…` in plain whole wei; the `2e18` that the spec
 * allows breaks wallets.
 */
export function erc681(payment: Payment): string | null {
  const wei = atomicOrNull(payment.amount, 18)
  return wei === null ? null : `ethereum:${payment.address}@1?value=${wei}`
}

/** Solana Pay for SOL, `solana:…?amount=…` in whole SOL. */
export function solanaPay({ address, amount }: Payment): string {
  return `solana:${address}?amount=${canonicalDecimal(amount)}`
}

/**
 * `r…?dt=…`: no standard, but what most XRP wallets read. Only for tags that are numbers without
 * leading zeros.
 */
export function xrpWithTag({ address, tag }: Payment): string | null {
  return tag !== null && isUnsigned(tag, 32n) ? `${address}?dt=${tag}` : null
}

/**
 * SEP-7 for XLM. A memo that is a 64-bit number is a MEMO_ID, any other text up to 28 bytes a
 * MEMO_TEXT.
 */
export function sep7({ address, amount, tag }: Payment): string | null {
  if (tag === null) return null
  const isId = isUnsigned(tag, 64n)
  if (!isId && tag.length > 28) return null
  const memo = `memo=${encodeURIComponent(tag)}&memo_type=${isId ? 'MEMO_ID' : 'MEMO_TEXT'}`
  return `web+stellar:pay?destination=${address}&amount=${canonicalDecimal(amount)}&${memo}`
}

/**
 * `ton://transfer/…?amount=…&text=…` in whole nanotons; the text carries the comment. An address
 * may come in either alphabet of base64, of which one belongs into a URL; the raw form (`0:…`) is
 * not used in links.
 */
export function tonTransfer(payment: Payment): string | null {
  const nanotons = atomicOrNull(payment.amount, 9)
  if (nanotons === null || payment.tag === null) return null
  const address = payment.address.replace(/\+/g, '-').replace(/\//g, '_')
  return `ton://transfer/${address}?amount=${nanotons}&text=${encodeURIComponent(payment.tag)}`
}

function withoutScheme(scheme: string, address: string): string {
  return address.toLowerCase().startsWith(`${scheme}:`) ? address.slice(scheme.length + 1) : address
}

/**
 * Bech32 may be written in capitals, which some wallets refuse in a code. Base58 must stay as it
 * is, and may begin alike: Litecoin's `LTc1…`. It mixes capitals with others, which bech32 forbids.
 */
function lowerCaseBech32(address: string): string {
  return /^(?:BC1|TB1|BCRT1|LTC1|TLTC1)[^a-z]+$/.test(address) ? address.toLowerCase() : address
}

function isUnsigned(text: string, bits: bigint): boolean {
  return /^(?:0|[1-9]\d{0,19})$/.test(text) && BigInt(text) < 1n << bits
}
