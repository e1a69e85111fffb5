import { expect, it } from 'vitest'
import { askOffer, pickMethod } from './offers.ts'

it.each([
  ['JPY', '1000.50', 'price.amount is 1000.5, and JPY has no decimals'],
  ['krw', '0.5', 'price.amount is 0.5, and KRW has no decimals'],
])('a price in %s of %s is refused with the reason', async (asset, amount, reason) => {
  const offer = (price: string) => () => ({
    price: { asset, amount: price },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  })
  const request = new Request('https://shop.example/paywindow/offer')
  await expect(askOffer(offer(amount), 'cart-42', request)).rejects.toMatchObject({
    code: 'offer_invalid',
    message: expect.stringContaining(reason),
  })
  expect((await askOffer(offer('1000.00'), 'cart-42', request)).terms.price.amount).toBe('1000')
})

it('a method that is not offered is named with some that are, however many there are', () => {
  const methods = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ asset: `A${at}`, network: 'erc-20', name: `Asset ${at}` }))
  const tried = (count: number) => () => pickMethod(methods(count), 'BTC', 'bitcoin')
  expect(tried(2)).toThrow('This cart cannot be paid with BTC on bitcoin: choose A0 on erc-20, A1 on erc-20')
  expect(tried(500)).toThrow(/A9 on erc-20 and others$/)
})
