import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { createTestShop, requestOf } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

const body = { reference: 'cart-42' }
const opens = () => requestOf('POST', '/checkouts', { body })
const renews = ({ id, key }: KeyedCheckout) => requestOf('POST', `/checkouts/${id}/renew`, { body, key })

/**
 * A shop with an `offer` of a set duration, and a store that may stand still before a change of a
 * cart.
 */
function setUp() {
  const memory = createMemoryStore(() => shop.clock.now())
  let still: Promise<void> | undefined
  const store: Store = {
    ...memory,
    replace: async (...args) => {
      const waits = still
      still = undefined
      await waits
      return memory.replace(...args)
    },
  }
  const shop: ReturnType<typeof createTestShop> = createTestShop({ store })
  const { offer } = shop
  const at = (amount: string) => offer && { ...offer, price: { asset: 'USD', amount } }
  return {
    shop,
    at,
    slowly: () => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      shop.offer = promise as never
      return (amount: string) => resolve(at(amount))
    },
    /** The next change of a record waits. */
    stand: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      still = promise
      return resolve
    },
  }
}

describe('the price that was asked for last is the cart’s', () => {
  it.each([
    ['the first of a cart', []],
    ['another', ['30']],
    ['two others', ['30', '40']],
  ])('where an older answer of offer comes later, after %s', async (_, earlier) => {
    const { shop, at, slowly } = setUp()
    for (const amount of earlier) {
      shop.offer = at(amount)
      await shop.open()
    }
    const answer = slowly()
    const older = shop.paywindow.fetch(opens())
    await shop.settle()
    shop.offer = at('20')
    const newer = await shop.open()
    answer(earlier.at(-1) ?? '10')
    const refused = await shop.run(older)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await shop.poll(newer)).toMatchObject({ phase: 'waiting', price: { amount: '20' } })
    expect((await shop.poll(newer)).expiresInMs).toBeGreaterThan(0)
    const again = await shop.open()
    expect([again.id, again.price.amount]).toEqual([newer.id, '20'])
  })

  it('where a new quote is asked for at the older price', async () => {
    const { shop, at, slowly } = setUp()
    shop.offer = at('10')
    const quote = await shop.open()
    const answer = slowly()
    const older = shop.paywindow.fetch(renews(quote))
    await shop.settle()
    shop.offer = at('20')
    const newer = await shop.open()
    answer('10')
    expect((await shop.run(older)).status).toBe(503)
    expect((await shop.poll(newer)).expiresInMs).toBeGreaterThan(0)
  })

  it('where the store stood still', async () => {
    const { shop, at, stand } = setUp()
    shop.offer = at('30')
    await shop.open()
    shop.offer = at('10')
    const goOn = stand()
    const older = shop.paywindow.fetch(opens())
    await shop.settle()
    shop.offer = at('20')
    const newer = await shop.open()
    goOn()
    expect((await shop.run(older)).status).toBe(503)
    expect((await shop.poll(newer)).expiresInMs).toBeGreaterThan(0)
  })

  it('and equal prices refuse nobody', async () => {
    const { shop, at, slowly } = setUp()
    shop.offer = at('10')
    const quote = await shop.open()
    const answer = slowly()
    const two = [shop.paywindow.fetch(renews(quote)), shop.paywindow.fetch(opens())]
    await shop.settle()
    answer('10.00')
    const statuses = await shop.run(Promise.all(two.map(async (each) => (await each).status)))
    expect(statuses).toEqual([200, 200])
  })
})
