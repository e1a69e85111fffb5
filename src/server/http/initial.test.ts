import { describe, expect, it } from 'vitest'
import { bitcoin, createTestShop, type TestShop, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

const target = { reference: 'cart-42' }
const reads = () => new Request('https://shop.example/checkout')
const posts = () => new Request('https://shop.example/checkout', { method: 'POST' })

function shopWith(methods = [bitcoin, xrp]): TestShop {
  const shop = createTestShop()
  shop.sells({ methods })
  return shop
}
const open = (shop: TestShop, request: Request, more: object = {}) =>
  shop.run(shop.paywindow.open(request, { ...target, ...more }))

describe('a request that only reads', () => {
  it('creates nothing, however often it comes', async () => {
    const shop = shopWith()
    for (let at = 0; at < 20; at += 1)
      for (const method of ['GET', 'HEAD']) {
        const initial = await open(shop, new Request('https://shop.example/checkout', { method }))
        expect(initial).toMatchObject({ v: 1, offer: { methods: [{ asset: 'BTC' }, { asset: 'XRP' }] } })
      }
    expect(shop.creations()).toBe(0)
  })

  it('gets nothing where the widget needs no choice', async () => {
    const shop = shopWith([bitcoin])
    expect(await open(shop, reads())).toBeUndefined()
    expect(await open(shopWith(), reads(), { asset: 'XRP', network: 'ripple' })).toBeUndefined()
    expect(shop.creations()).toBe(0)
  })

  it('gets the checkout that there is, without its key', async () => {
    const shop = shopWith()
    const { key, address } = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    const initial = await open(shop, reads())
    expect(initial).toMatchObject({ writtenAtMs: shop.clock.now(), checkout: { address } })
    expect(JSON.stringify(initial)).not.toContain(key)
    expect(await open(shop, reads(), bitcoin)).toMatchObject({ checkout: { address } })
    expect(await open(shop, reads(), { asset: 'XRP', network: 'ripple' })).toBeUndefined()
  })

  it('of a cart with a deposit gets the checkout that has it, whatever was chosen later', async () => {
    const shop = shopWith()
    const first = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })
    shop.sandbox.payer.deposit({ address: first.address, amount: first.amount })
    await shop.pass(60_000)
    await shop.poll(first)
    expect(await open(shop, reads())).toMatchObject({ checkout: { id: first.id, phase: 'seen' } })
  })

  it('gets nothing where the shop refuses: the widget asks, and says why', async () => {
    const shop = shopWith()
    shop.offer = null
    expect(await open(shop, reads())).toBeUndefined()
    expect(await open(shop, posts())).toBeUndefined()
  })
})

it('where the store fails gets nothing, which is reported, and the page of the shop comes all the same', async () => {
  const memory = createMemoryStore()
  let isAway = false
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const readMany: typeof memory.readMany = (keys) => (isAway ? Promise.reject(cause) : memory.readMany(keys))
  const shop = createTestShop({ store: { ...memory, readMany } })
  await shop.open()
  isAway = true
  for (const request of [reads(), posts()]) expect(await open(shop, request)).toBeUndefined()
  expect(shop.errors).toEqual(Array.from({ length: 2 }, () => expect.objectContaining({ code: 'internal', cause })))
})

describe('a POST', () => {
  it.each([[{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }], [{ 'sec-purpose': 'prefetch' }]])(
    'with %j only reads',
    async (headers) => {
      const shop = shopWith([bitcoin])
      const request = new Request('https://shop.example/checkout', {
        method: 'POST',
        headers: headers as Record<string, string>,
      })
      expect(await open(shop, request)).toBeUndefined()
      expect(shop.creations()).toBe(0)
    },
  )

  it.each(['', 'a\u202eb', 'x'.repeat(5_000), undefined, 42])('for %j asks nobody', async (reference) => {
    const shop = shopWith([bitcoin])
    expect(await open(shop, posts(), { reference })).toBeUndefined()
    expect(shop.creations()).toBe(0)
  })

  it('creates the checkout of the only method, once', async () => {
    const shop = shopWith([bitcoin])
    const initial = await open(shop, posts())
    expect(initial).toMatchObject({ checkout: { asset: { symbol: 'BTC' } } })
    expect(initial?.checkout).not.toHaveProperty('key')
    expect(await open(shop, posts())).toMatchObject({ checkout: { id: initial?.checkout?.id } })
    expect(shop.creations()).toBe(1)
  })

  it('of a method that the page has fixed creates that', async () => {
    const initial = await open(shopWith(), posts(), { asset: 'XRP', network: 'ripple' })
    expect(initial).toMatchObject({ checkout: { network: 'ripple' } })
  })

  it('where the payer has to choose creates nothing', async () => {
    const shop = shopWith()
    expect(await open(shop, posts())).toMatchObject({ offer: { reference: 'cart-42' } })
    expect(shop.creations()).toBe(0)
  })
})

it.each([
  [{ 'sec-ch-ua-mobile': '?1' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' }, false],
  [{}, false],
])('a device that says %j is held in the hand: %s', async (headers, isHeld) => {
  const request = new Request('https://shop.example/checkout', { headers })
  expect(await open(shopWith(), request)).toMatchObject({ isHeld })
})
