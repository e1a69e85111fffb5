import { beforeEach, expect, it } from 'vitest'
import { createTestShop, pay, type TestShop } from '../shop.testing.ts'

let shop: TestShop
let isDone: boolean

beforeEach(() => {
  isDone = false
  shop = createTestShop()
  const { offer } = shop
  Object.defineProperty(shop, 'offer', { get: () => (isDone ? 'paid' : offer) })
})

const ask = (path: string) => shop.send('POST', path, { body: { reference: 'cart-42' } })

it('a new browser sees that a cart is paid which the shop sells no more', async () => {
  const { id } = await shop.open()
  await shop.settle()
  pay(shop, 0)
  await shop.pass(30_000)
  await shop.run(shop.paywindow.watchOnce())
  isDone = true
  expect((await ask('/checkouts')).json).toMatchObject({ id, phase: 'paid', cart: 'paid' })
  expect((await ask('/offer')).json).toMatchObject({ cart: 'paid', price: { amount: '49.9' }, checkout: { id } })
  expect(shop.creations()).toBe(1)
})

it.each(['/checkouts', '/offer'])(
  'what no payment is known of is refused, and created is nothing: %s',
  async (path) => {
    isDone = true
    expect(await ask(path)).toMatchObject({ status: 404, json: { error: { code: 'not_offered' } } })
    expect(shop.creations()).toBe(0)
  },
)

it('a quote that runs is not renewed once the shop calls its cart paid', async () => {
  const { id, key } = await shop.open()
  await shop.pass(21 * 60_000)
  isDone = true
  expect(await shop.send('POST', `/checkouts/${id}/renew`, { key, body: {} })).toMatchObject({ status: 404 })
  expect(shop.creations()).toBe(1)
})
