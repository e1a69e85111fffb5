import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { createTestShop, deposit, order, type TestShop } from '../shop.testing.ts'

const minuteMs = 60_000

async function openThree(shop: TestShop): Promise<KeyedCheckout[]> {
  const opened: KeyedCheckout[] = []
  for (let at = 0; at < 3; at++) {
    shop.sells({ price: { asset: 'USD', amount: `${at + 10}` } })
    opened.push(await shop.open({ reference: `cart-${at}` }))
    await shop.settle()
    await shop.pass(5 * minuteMs)
  }
  return opened
}

/** The orders that the server asks for, in sequence, when all three are polled at once. */
async function askedFor(shop: TestShop, checkouts: readonly KeyedCheckout[]): Promise<readonly number[]> {
  const asked: number[] = []
  const ids = shop.sandbox.orders().map(({ id }) => id)
  shop.sandbox.faults = ({ url }) => {
    const at = ids.findIndex((id) => url.includes(id))
    if (at >= 0) asked.push(at)
    return undefined
  }
  await Promise.all([2, 0, 1].map((at) => checkouts[at]).map((each) => each && shop.poll(each)))
  return asked
}

describe('of orders that wait for the budget', () => {
  it('one that was paid a moment ago comes first', async () => {
    const shop = createTestShop({ serviceRequestsPerSecond: 1 })
    const checkouts = await openThree(shop)
    deposit(shop, 1)
    for (const checkout of checkouts) await shop.poll(checkout)
    await shop.pass(10_000)
    expect(await askedFor(shop, checkouts)).toEqual([2, 1, 0])
  })

  it('one with less than two minutes left comes first', async () => {
    const shop = createTestShop({ serviceRequestsPerSecond: 1 })
    const checkouts = await openThree(shop)
    // The quote of the first one has been over for a while.
    await shop.pass(order(shop, 1).createdAtMs + 19 * minuteMs - shop.clock.now())
    expect(await askedFor(shop, checkouts)).toEqual([2, 1, 0])
  })
})
