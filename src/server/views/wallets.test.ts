/** The fields of a checkout for a wallet in the payer's browser. */
import { expect, it } from 'vitest'
import type { Method } from '../offers.ts'
import { createTestShop, xrp } from '../shop.testing.ts'

const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ether = { asset: 'ETH', network: 'erc-20', name: 'Ether' }
const dollar = { asset: 'USDC', network: 'erc-20', name: 'USD Coin' }

async function evmOf(method: Method, test = false) {
  const shop = createTestShop({ test })
  shop.sells({ methods: [method] })
  const checkout = await shop.open({ reference: 'cart-42' })
  const polled = await shop.poll(checkout)
  expect(polled.evm).toEqual(checkout.evm)
  return checkout.evm
}

it.each<[string, Method, object | undefined]>([
  ['a coin of an EVM chain', ether, { chainId: 1, decimals: 18 }],
  [
    'a token that the merchant named',
    { ...dollar, token: { contract, decimals: 6 } },
    { chainId: 1, decimals: 6, contract },
  ],
  ['any other token', dollar, undefined],
  ['a coin of another chain', xrp, undefined],
])('of %s', async (_, method, evm) => expect(await evmOf(method)).toEqual(evm))

it('nothing of a test, because a wallet sends real money', async () => {
  expect(await evmOf(ether, true)).toBeUndefined()
})
