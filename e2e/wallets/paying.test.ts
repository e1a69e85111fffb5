/** Payments from wallets, on a real node: what arrives is what the checkout asked for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../../src/checkout/fixture.ts'
import type { Checkout, EvmPayment } from '../../src/contract/checkout.ts'
import { toAtomic } from '../../src/contract/decimal.ts'
import { pay } from '../../src/wallet/pay.ts'
import type { Provider } from '../../src/wallet/provider.ts'
import { balanceCall, transferOf } from '../../src/wallet/transfer.ts'
import { type Node, startNode, tokenCode, walletOf } from './anvil.ts'

const recipient = '0x52908400098527886E0F7030069857D2E4169EE7'
const contract = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const coin: EvmPayment = { chainId: 31337, decimals: 18 }
const token: EvmPayment = { chainId: 31337, decimals: 6, contract }

let node: Node
let account: string
let snapshot: unknown

beforeAll(async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  })
  node = await startNode()
  const accounts = await node.ask('eth_accounts')
  account = Array.isArray(accounts) ? `${accounts[0]}` : ''
  await node.ask('anvil_setCode', contract, tokenCode())
  await node.ask('anvil_setStorageAt', contract, word(BigInt(account)), word(100_000_000n))
})
afterAll(() => node.stop())
beforeEach(async () => {
  if (snapshot) await node.ask('evm_revert', snapshot)
  snapshot = await node.ask('evm_snapshot')
})

let count = 0
async function paid(amount: string, evm: EvmPayment, wallet: Provider = walletOf(node, account)) {
  const checkout: Checkout = checkoutFixture({ amount, network: 'erc-20', address: recipient, evm })
  const transfer = transferOf(checkout)
  if (!transfer) throw new Error('it cannot be paid from a wallet')
  count += 1
  const outcome = await pay(wallet, {
    id: `${count}`,
    cart: `cart${count}`,
    toSend: transfer,
    leftMs: () => 600_000,
    onStep: () => undefined,
  })
  // The node answers a transaction before its block is there.
  await node.ask('evm_mine')
  return { outcome, coins: await coinsOf(recipient), tokens: await tokensOf(recipient) }
}

const coinsOf = async (of: string) => BigInt(`${await node.ask('eth_getBalance', of, 'latest')}`)
const tokensOf = async (of: string) =>
  BigInt(`${await node.ask('eth_call', { to: contract, data: balanceCall(of) }, 'latest')}`)
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

describe('the recipient gets', () => {
  it.each(['0.012345678901234567', '1', '0.000000000000000001', '9000'])('%s of the coin', async (amount) => {
    expect(await paid(amount, coin)).toEqual({ outcome: 'sent', coins: toAtomic(amount, 18), tokens: 0n })
  })

  it.each(['49.93', '100', '0.000001'])('%s of a token with six decimals', async (amount) => {
    expect(await paid(amount, token)).toEqual({ outcome: 'sent', coins: 0n, tokens: toAtomic(amount, 6) })
    expect(await tokensOf(account)).toBe(100_000_000n - toAtomic(amount, 6))
  })

  it('the coin from an account that delegates, as EIP-7702 says', async () => {
    await node.ask('anvil_setCode', account, `0xef0100${'12'.repeat(20)}`)
    expect(await paid('1', coin)).toEqual({ outcome: 'sent', coins: toAtomic('1', 18), tokens: 0n })
  })
})

describe('the recipient gets nothing', () => {
  it.each<[string, string, EvmPayment, string]>([
    ['more than the account has', '10000.1', coin, 'funds'],
    ['all that the account has, which leaves nothing for the fee', '10000', coin, 'funds'],
    ['more of the token than the account has', '100.000001', token, 'funds'],
    ['another chain than the node’s', '1', { ...coin, chainId: 1 }, 'network'],
    ['a contract that is none', '1', { ...token, contract: recipient.toLowerCase() }, 'failed'],
    ['another number of decimals than the token counts', '1', { ...token, decimals: 18 }, 'failed'],
  ])('of %s', async (_, amount, evm, outcome) => {
    expect(await paid(amount, evm)).toEqual({ outcome, coins: 0n, tokens: 0n })
  })

  it('of the coin from a contract', async () => {
    await node.ask('anvil_setCode', account, tokenCode())
    expect((await paid('1', coin)).outcome).toBe('contract')
  })
})

it('a wallet that changes the transaction is found out', async () => {
  const doubled = walletOf(node, account, { value: '0x2' })
  expect(await paid('0.000000000000000001', coin, doubled)).toMatchObject({ outcome: 'other', coins: 2n })
})
