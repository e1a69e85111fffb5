import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { createTestShop, pay } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

/** A shop whose list has an unreadable item while `isOdd` is true. */
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

describe('a list that shows no longer what it has shown', () => {
  it.each<[string, carts: number, isGone: (at: number) => boolean]>([
    ['nothing at all', 1, () => true],
    ['all but one of two equal orders', 2, (at) => at === 0],
    ['all but the middle one of three equal orders', 3, (at) => at === 1],
  ])('and has %s for twelve minutes undoes no binding, and is reported', async (_, carts, isGone) => {
    let isLying = false
    const shop = createTestShop({
      sandbox: mute,
      changeAnswer: (json, _sentAtMs, isListed) =>
        isListed && isLying && isGone(shop.sandbox.orders().findIndex(({ id }) => id === json.id)) ? null : json,
    })
    const checkouts: KeyedCheckout[] = []
    for (let at = 0; at < carts; at++) {
      checkouts.push(await shop.open({ reference: `cart ${at}` }))
      await shop.pass(3_000)
    }
    const watching = shop.paywindow.watch()
    await shop.pass(2_000)
    isLying = true
    for (let at = 0; at < carts; at++) pay(shop, at)
    await shop.pass(12 * minuteMs)
    const isRight = async ({ id, address }: KeyedCheckout) => {
      const bound = await boundTo(shop, id)
      return bound === null || bound.id === orderIdAt(shop, address)
    }
    expect(await Promise.all(checkouts.map(isRight))).not.toContain(false)
    expect(shop.errors.map(({ code }) => code)).toEqual(checkouts.map(() => 'order_unresolved'))
    isLying = false
    await shop.pass(3 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.map(({ reference, status }) => `${reference} ${status}`).sort()).toEqual(
      checkouts.map(({ reference }) => `${reference} confirmed`),
    )
    expect(shop.errors).toHaveLength(carts)
  })
})

it('a time that ends in zeros is certain as soon as no equal request is open', async () => {
  const rough = (time: unknown) => (typeof time === 'string' ? time.replace(/\d{3}Z$/, '200Z') : time)
  const shop = createTestShop({
    changeAnswer: (json) => ({
      ...json,
      ...('date_time' in json && { date_time: rough(json.date_time) }),
      ...('created_at' in json && { created_at: rough(json.created_at) }),
    }),
  })
  let creations = 0
  shop.sandbox.faults = ({ method }) =>
    method === 'POST' && ++creations === 2 ? { kind: 'latency', afterMs: 3_000 } : { kind: 'latency', afterMs: 20 }
  const watching = shop.paywindow.watch()
  await Promise.all([shop.open({ reference: 'cart-1' }), shop.open({ reference: 'cart-2' })])
  await shop.pass(1_000)
  for (const at of [0, 1]) pay(shop, at)
  await shop.pass(20_000)
  await shop.run(watching.stop())
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
})
