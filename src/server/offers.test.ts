import { expect, it } from 'vitest'
import { askOffer, parseMethod, pickMethod } from './offers.ts'
import { cartOffer, requestOf } from './shop.testing.ts'

const contract = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
type TokenCase = { readonly asset?: string; readonly network?: string }

it.each([
  ['JPY', '1000.50', 'price.amount is 1000.5, and JPY has no decimals'],
  ['krw', '0.5', 'price.amount is 0.5, and KRW has no decimals'],
  ['USD', '10.005', 'price.amount is 10.005, and USD has 2 decimals'],
  ['bhd', '1.2345', 'price.amount is 1.2345, and BHD has 3 decimals'],
  [' USD ', '10.00', 'price.asset has a space around it'],
])('a price in %s of %s is refused with the reason', async (asset, amount, reason) => {
  const offer = () => ({ ...cartOffer, price: { asset, amount } })
  await expect(askOffer(offer, 'cart-42', requestOf('GET', '/offer'))).rejects.toMatchObject({
    code: 'offer_invalid',
    message: expect.stringContaining(reason),
  })
})

it.each([
  ['JPY', '1000.00'],
  ['KWD', '1.234'],
  ['USD', '49.899'],
  ['USD', '33.333'],
  ['USDT', '1.2345678'],
  ['MNT', '1.234567890123456789'],
])('a price in %s of %s is taken', async (asset, amount) => {
  const offer = () => ({ ...cartOffer, price: { asset, amount } })
  expect(await askOffer(offer, 'cart-42', requestOf('GET', '/offer'))).toMatchObject({ offeredAmount: amount })
})

it('a method that is not offered is named with some that are, however many there are', () => {
  const methods = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ asset: `A${at}`, network: 'erc-20', name: `Asset ${at}` }))
  const tried = (count: number) => () => pickMethod(methods(count), 'BTC', 'bitcoin')
  expect(tried(2)).toThrow('This cart cannot be paid with BTC on bitcoin: choose A0 on erc-20, A1 on erc-20')
  expect(tried(500)).toThrow(/A9 on erc-20 and others$/)
})

it.each<[string, object, string]>([
  ['no address', { contract: '0x12', decimals: 6 }, 'no address of Ethereum'],
  [
    'a wrong checksum',
    { contract: '0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
    'its checksum is wrong',
  ],
  ['other decimals than known', { contract, decimals: 18 }, 'decimals is 18, and USDC on base has 6'],
  ['no decimals', { contract }, 'method.token.decimals'],
  ['a coin', { asset: 'ETH', contract, decimals: 18 }, 'ETH is the coin of base'],
  ['another kind of chain', { network: 'trc-20', contract, decimals: 6 }, 'not for trc-20'],
])(
  'a token with %s is refused with the reason',
  (_, { asset = 'USDC', network = 'base', ...token }: TokenCase, reason) => {
    expect(() => parseMethod({ asset, network, name: 'USD Coin', token })).toThrow(reason)
  },
)

it('a token is taken as its issuer writes it', () => {
  const method = { asset: 'USDC', network: 'base', name: 'USD Coin', token: { contract, decimals: 6 } }
  expect(parseMethod(method)).toEqual(method)
  expect(
    parseMethod({ ...method, asset: 'NEW', token: { contract: contract.toLowerCase(), decimals: 0 } }).token?.decimals,
  ).toBe(0)
})
