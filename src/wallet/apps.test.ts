import { describe, expect, it } from 'vitest'
import { checkoutFixture, xrpFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { appsFor } from './apps.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const contract = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const hrefs = (changes: Partial<Checkout>) => appsFor(checkoutFixture(changes)).map(({ href }) => href)

describe('the apps of', () => {
  it.each<[string, Partial<Checkout>, readonly string[]]>([
    ['Bitcoin', {}, ['trust://send?asset=c0&address=bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4&amount=0.00123456']],
    [
      'Ethereum',
      { network: 'erc-20', address, amount: '0.012345678', evm: { chainId: 1, decimals: 18 } },
      [
        `trust://send?asset=c60&address=${address}&amount=0.012345678`,
        `https://link.metamask.io/send/${address}@1?value=12345678000000000`,
      ],
    ],
    [
      'a token of Ethereum',
      { network: 'erc-20', address, amount: '49.93', evm: { chainId: 1, decimals: 6, contract } },
      [
        `trust://send?asset=c60_t${contract.toLowerCase()}&address=${address}&amount=49.93`,
        `https://link.metamask.io/send/${contract.toLowerCase()}@1/transfer?address=${address}&uint256=49930000`,
      ],
    ],
    [
      'another chain, which not every MetaMask has',
      { network: 'base', address, amount: '0.5', evm: { chainId: 8453, decimals: 18 } },
      [`trust://send?asset=c8453&address=${address}&amount=0.5`],
    ],
    [
      'an amount that a double does not hold',
      { network: 'erc-20', address, amount: '0.012345678901234567', evm: { chainId: 1, decimals: 18 } },
      [`trust://send?asset=c60&address=${address}&amount=0.012345678901234567`],
    ],
    [
      'an amount that is written with an exponent',
      { network: 'erc-20', address, amount: '1000', evm: { chainId: 1, decimals: 18 } },
      [`trust://send?asset=c60&address=${address}&amount=1000`],
    ],
  ])('%s', (_, changes, links) => expect(hrefs(changes)).toEqual(links))

  it.each<[string, Partial<Checkout>]>([
    ['a coin with a tag', xrpFixture],
    ['a test', { test: true }],
    ['an address with a prefix', { address: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
    ['a chain whose id nobody publishes', { network: 'blast', address, evm: { chainId: 81457, decimals: 18 } }],
    [
      'a token whose contract nobody named',
      { network: 'erc-20', asset: { symbol: 'USDC', name: 'USD Coin' }, address },
    ],
    [
      'an amount that is finer than the token',
      { address, amount: '0.1234567', evm: { chainId: 1, decimals: 6, contract } },
    ],
    ['an address with other signs', { address: 'bc1q&amount=5' }],
  ])('%s are none', (_, changes) => expect(hrefs(changes)).toEqual([]))
})
