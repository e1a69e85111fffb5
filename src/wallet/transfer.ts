/** The one transaction that pays a checkout, and the check that a transaction is this one. */
import type { Checkout } from '../contract/checkout.ts'
import { toAtomic } from '../contract/decimal.ts'
import { address, bytes, isObject, quantity } from './provider.ts'

/** A transfer of a chain's own coin, or of a token, in the smallest unit. */
export interface Transfer {
  readonly chainId: bigint
  /** Who is paid, in lower case. */
  readonly recipient: string
  readonly amount: bigint
  /** Null for the chain's own coin. */
  readonly token: { readonly contract: string; readonly decimals: number } | null
}

/** Null where a wallet in a browser cannot pay this checkout, or not without losing a digit. */
export function transferOf({ evm, address: to, amount, tag }: Checkout): Transfer | null {
  const recipient = address(to)
  if (!evm || recipient === null || tag !== null) return null
  try {
    const { chainId, decimals, contract } = evm
    return {
      chainId: BigInt(chainId),
      recipient,
      amount: toAtomic(amount, decimals),
      token: contract === undefined ? null : { contract: contract.toLowerCase(), decimals },
    }
  } catch {
    return null
  }
}

/** What `eth_sendTransaction` gets. The wallet adds nonce and fee. */
export interface TransactionRequest {
  readonly chainId: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly data: string
}

/** The transfer as a transaction: without data, or a call of `transfer(address,uint256)`. */
export function requestOf({ chainId, recipient, amount, token }: Transfer, from: string): TransactionRequest {
  const common = { chainId: hexOf(chainId), from }
  if (token === null) return { ...common, to: recipient, value: hexOf(amount), data: '0x' }
  return { ...common, to: token.contract, value: '0x0', data: `0xa9059cbb${word(BigInt(recipient))}${word(amount)}` }
}

/** The call of a token's contract that says how much an account has. */
export function balanceCall(account: string): string {
  return `0x70a08231${word(BigInt(account))}`
}

/** The call of a token's contract that says its decimals. */
export const decimalsCall = '0x313ce567'

/**
 * Whether a transaction, as a node shows it, is the one that was asked for: chain, recipient,
 * value, data.
 */
export function isTransaction(shown: unknown, asked: TransactionRequest): boolean {
  if (!isObject(shown)) return false
  // Transactions of before EIP-155 have no chain; the node that shows it was asked for its own.
  const chainId = shown.chainId === undefined ? asked.chainId : shown.chainId
  return (
    quantity(chainId) === quantity(asked.chainId) &&
    address(shown.to) === asked.to &&
    quantity(shown.value) === quantity(asked.value) &&
    bytes(shown.input ?? shown.data) === asked.data
  )
}

function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** 32 bytes without `0x`. */
function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
