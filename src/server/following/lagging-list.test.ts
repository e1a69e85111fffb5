import { expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { createTestShop, pay, type TestShop } from '../shop.testing.ts'

const lagMs = 20_000

/**
 * A shop whose list shows the status that each order had some seconds ago, as a replica or a cache
 * does.
 */
function laggingShop(): TestShop {
  const seen = new Map<string, { readonly status: unknown; readonly atMs: number }[]>()
  return createTestShop({
    changeAnswer: (json, sentAtMs) => {
      if (!('id' in json) || 'message' in json) return json
      const past = seen.get(String(json.id)) ?? []
      seen.set(String(json.id), [...past, { status: json.status, atMs: sentAtMs }])
      const old = past.findLast(({ atMs }) => atMs <= sentAtMs - lagMs)
      return { ...json, status: old?.status ?? 'open' }
    },
  })
}

/** Six carts that browsers poll: their orders are read from the list. */
async function polledShop() {
  const shop = laggingShop()
  const { offer } = shop
  const checkouts: KeyedCheckout[] = []
  for (let at = 0; at < 6; at++) {
    shop.offer = offer && { ...offer, price: { asset: 'USD', amount: `${at + 10}` } }
    checkouts.push(await shop.open({ reference: `cart ${at}` }))
    await shop.settle()
  }
  // The server reads details for the first few, and the list for the others: here for the first
  // cart.
  const poll = () => Promise.all([...checkouts].reverse().map((checkout) => shop.poll(checkout)))
  return { shop, checkouts, poll }
}

it('a list that is some seconds behind the details takes no payment back', async () => {
  const { shop, checkouts, poll } = await polledShop()
  const [first] = checkouts
  if (!first) throw new Error('Nothing was opened')
  for (let at = 0; at < 10; at++) {
    await poll()
    await shop.pass(5_000)
  }
  pay(shop)
  const seen = [(await shop.poll(first)).status]
  for (let at = 0; at < 12; at++) {
    await shop.pass(5_000)
    seen.push((await poll()).at(-1)?.status ?? 'open')
  }
  const paid = seen.slice(seen.indexOf('confirmed'))
  expect(new Set(paid)).toEqual(new Set(['confirmed']))
  await shop.settle()
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
})

it('what the service really takes back, and what was seen too early, is looked at again a minute after the payment, and once more', async () => {
  let isTakenBack = false
  const shop = createTestShop({
    changeAnswer: (json) => (isTakenBack && json.status === 'confirmed' ? { ...json, status: 'canceled' } : json),
  })
  const checkout = await shop.open()
  const watching = shop.paywindow.watch()
  await shop.pass(30_000)
  pay(shop)
  for (let at = 0; at < 60 && shop.events.length === 0; at++) await shop.pass(1_000)
  isTakenBack = true
  await shop.pass(10_000)
  expect((await shop.poll(checkout)).status).toBe('confirmed')
  // From now on no browser asks.
  await shop.pass(105_000)
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  await shop.pass(20_000)
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed', 'canceled'])
  await shop.run(watching.stop())
})
