import { expect, it } from 'vitest'
import { createTestShop, pay } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

/** A shop whose list has an item that cannot be read, for as long as `isOdd` says so. */
function oddShop() {
  const state = { isOdd: true }
  const shop = createTestShop({
    sandbox: { ...mute, listInstructions: true },
    changeAnswer: (json) => (state.isOdd && json.target_amount === 7 ? { ...json, id: { odd: true } } : json),
  })
  shop.sandbox.addOrder({ sourceAsset: 'LTC', network: 'litecoin', targetAsset: 'USD', targetAmount: '7' })
  return { shop, state }
}

it('a binding that the list never lets be confirmed is reported after ten minutes, once', async () => {
  const { shop, state } = oddShop()
  const checkout = await shop.open()
  const watching = shop.paywindow.watch()
  await shop.pass(70_000)
  pay(shop, 1)
  await shop.pass(8 * minuteMs)
  expect(shop.errors).toEqual([])
  await shop.pass(20 * minuteMs)
  const orderId = orderIdAt(shop, checkout.address)
  expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderId, evidence: 'address' })
  expect(shop.events).toEqual([])
  expect(shop.errors.map(({ code }) => code)).toEqual(['order_unresolved'])
  expect(shop.errors[0]?.message).toContain(`paywindow.bind('${checkout.id}', '${orderId}')`)
  // Once the list can be read, the payment is told as ever.
  state.isOdd = false
  await shop.pass(10 * minuteMs)
  await shop.run(watching.stop())
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  expect(shop.errors).toHaveLength(1)
})

it('the merchant can settle it by hand', async () => {
  const { shop } = oddShop()
  const checkout = await shop.open()
  await shop.settle()
  pay(shop, 1)
  await shop.run(shop.paywindow.bind(checkout.id, orderIdAt(shop, checkout.address)))
  await shop.settle()
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
})
