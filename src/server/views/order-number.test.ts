/** The merchant's number of the order, for people: who gets it, and who does not. */
import { expect, it } from 'vitest'
import { keyHeader } from '../../contract/checkout.ts'
import { createTestShop, order, pay } from '../shop.testing.ts'

function open(orderNumber?: string) {
  const shop = createTestShop()
  if (orderNumber !== undefined) shop.sells({ orderNumber })
  return shop
}

it.each([['2026/0042'], [undefined]])('%s comes to the payer, and with each change to the merchant', async (number) => {
  const shop = open(number)
  const checkout = await shop.open()
  expect(checkout.orderNumber).toBe(number)
  pay(shop)
  await shop.pass(3_000)
  expect((await shop.poll(checkout)).orderNumber).toBe(number)
  await shop.settle()
  expect(shop.events.map(({ orderNumber, checkout }) => [orderNumber, checkout.orderNumber])).toEqual([
    [number, number],
  ])
  expect(order(shop).status).toBe('confirmed')
})

it.each([
  ['2026/0042', '2026/0042'],
  // A signed reference opens the checkout.
  ['cart-42', undefined],
])('%s on another device is %s', async (number, seen) => {
  const shop = open(number)
  const { id, key } = await shop.open()
  const { json } = await shop.send('POST', `/checkouts/${id}/handover`, { key, body: {} })
  const viewed = await shop.send('GET', `/checkouts/${id}`, { headers: { [keyHeader]: `${json.token}` } })
  expect([viewed.status, viewed.json.viewOnly, viewed.json.orderNumber]).toEqual([200, true, seen])
})

it.each([
  ['x'.repeat(65), 'orderNumber has more than 64 characters'],
  ['2026\u2060-7', 'orderNumber has characters that cannot be seen'],
  ['2026\u200d-7', 'orderNumber has characters that cannot be seen'],
])('%j is refused', async (number, why) => {
  const shop = open(number)
  const { status, json } = await shop.send('POST', '/offer', { body: { reference: 'cart-42' } })
  expect([status, json]).toMatchObject([500, { error: { code: 'offer_invalid' } }])
  expect(shop.errors.map(({ message }) => message)).toEqual([`What offer returned cannot be used: ${why}`])
})
