/** Carts whose price changes, by cents or more, before and after they are paid. */
import { describe, expect, it } from 'vitest'
import { createTestShop, pay, type TestShop } from '../shop.testing.ts'

function priceOf(shop: TestShop, amount: string): void {
  shop.sells({ price: { asset: 'USD', amount } })
}

async function paidCart() {
  const shop = createTestShop()
  const checkout = await shop.open()
  await shop.settle()
  pay(shop)
  await shop.pass(3_000)
  await shop.poll(checkout)
  return { shop, checkout }
}

describe('a price that is converted anew with each call of offer', () => {
  it('keeps the quote that runs', async () => {
    const shop = createTestShop()
    const first = await shop.open()
    for (let reload = 0; reload < 24; reload++) {
      priceOf(shop, (49.9 + Math.sin(reload) / 3).toFixed(2))
      expect(await shop.open()).toMatchObject({ id: first.id, address: first.address, price: first.price })
    }
    expect(shop.creations()).toBe(1)
  })

  it.each(['50.41', '49.39', '59.90'])('makes another quote for %s, which is more than 1 % away', async (amount) => {
    const shop = createTestShop()
    const first = await shop.open()
    priceOf(shop, amount)
    const second = await shop.open()
    expect(second.id).not.toBe(first.id)
    expect(second.price.amount).toBe(String(Number(amount)))
  })

  it('stays paid', async () => {
    const { shop, checkout } = await paidCart()
    priceOf(shop, '50.02')
    expect(await shop.open()).toMatchObject({ id: checkout.id, phase: 'paid' })
  })
})

describe('a reference that is used for another purchase', () => {
  it('shows neither that it is paid nor an address, and the merchant is told once', async () => {
    const { shop, checkout } = await paidCart()
    priceOf(shop, '120.00')
    for (const [method, path] of [
      ['POST', '/checkouts'],
      ['GET', '/offer?reference=cart-42'],
      ['POST', '/checkouts'],
    ] as const) {
      const body = method === 'POST' ? { body: { reference: 'cart-42' } } : {}
      const answer = await shop.send(method, path, body)
      expect(answer).toMatchObject({ status: 404, json: { error: { code: 'not_offered' } } })
      expect(JSON.stringify(answer.json)).not.toMatch(/paid"|wallet|address/)
    }
    expect(shop.creations()).toBe(1)
    expect(shop.errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^offer_invalid: A cart was paid by checkout .* for 49.9 USD, and offer names 120 USD now/),
    ])
    // The key of the paid checkout still shows it.
    expect((await shop.poll(checkout)).phase).toBe('paid')
  })
})
