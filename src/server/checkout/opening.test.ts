import { describe, expect, it } from 'vitest'
import { bitcoin, createTestShop, deposit, order, requestOf, type TestShop, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

/** What a server answers with, while something else moves time on. */
async function openedAt({ paywindow }: TestShop) {
  return (await paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference: 'cart-42' } }))).json()
}

describe('opening a checkout', () => {
  it("shows the service's instructions unchanged, to the digit", async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    expect(checkout).toMatchObject({
      reference: 'cart-42',
      status: 'open',
      phase: 'waiting',
      cart: 'open',
      test: true,
      amount: order(shop).sourceAmount,
      address: order(shop).address,
      tag: null,
      network: 'bitcoin',
      price: { asset: 'USD', amount: '49.9' },
      description: 'Order 42',
      methodCount: 1,
    })
    expect(checkout.expiresInMs).toBe(1_200_000)
    expect(checkout.key).toHaveLength(32)
  })

  it('keeps the tag', async () => {
    const shop = createTestShop()
    shop.sells({ methods: [xrp] })
    expect((await shop.open()).tag).toBe(order(shop).tag)
  })

  it('answers a reload, a second tab and a double click with the same checkout', async () => {
    const shop = createTestShop()
    const answers = await shop.run(Promise.all(Array.from({ length: 8 }, () => openedAt(shop))))
    const again = await shop.open()
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([again.id]))
    expect(shop.sandbox.orders()).toHaveLength(1)
  })

  it('creates one order for two servers with one store', async () => {
    const store = createMemoryStore()
    const one = createTestShop({ store })
    const two = createTestShop({ beside: { shop: one, store } })
    const [a, b] = await one.run(Promise.all([one, two].map(openedAt)))
    expect(a.id).toBe(b.id)
    expect(one.sandbox.orders()).toHaveLength(1)
  })

  it('asks the payer to choose among several methods, and includes the offer', async () => {
    const shop = createTestShop()
    shop.sells({ methods: [bitcoin, xrp] })
    const answer = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect(answer).toMatchObject({
      status: 200,
      json: { v: 1, offer: { methods: [bitcoin, xrp], cart: 'open' } },
    })
    expect(shop.creations()).toBe(0)
    const chosen = await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })
    const other = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    expect((await shop.open()).id).toBe(other.id)
    expect((await shop.open({ reference: 'cart-42', asset: 'xrp', network: 'XRP' })).id).toBe(chosen.id)
    expect((await shop.open()).id).toBe(chosen.id)
    expect((await shop.readOffer()).checkout?.id).toBe(chosen.id)
  })

  it('makes a new checkout when the price changes, and ends the old one', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    shop.sells({ price: { asset: 'USD', amount: '59.90' } })
    const fresh = await shop.open()
    expect(fresh.id).not.toBe(old.id)
    expect(fresh.price.amount).toBe('59.9')
    expect((await shop.poll(old)).expiresInMs).toBeLessThanOrEqual(0)
  })

  it('accepts no price from a browser, for a first quote, a repeated one or a new one', async () => {
    const price = { asset: 'USD', amount: '0.01' }
    const amounts = { amount: '0.00000001', sourceAmount: '0.00000001', targetAmount: '0.01' }
    const wish = { price, offer: { price }, merchant: { name: 'Mallory' }, description: 'Free', ...amounts }
    const honest = { price: { asset: 'USD', amount: '49.9' }, merchant: { name: 'Lantern Books' } }
    const shop = createTestShop()
    const first = await shop.open({ reference: 'cart-42', ...wish })
    expect(first).toMatchObject({ ...honest, description: 'Order 42', amount: order(shop).sourceAmount })
    expect(order(shop).targetAmount).toBe('49.9')
    expect(await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin', ...wish })).toEqual(first)

    await shop.pass(1_300_000)
    const renewed = await shop.send('POST', `/checkouts/${first.id}/renew`, { body: wish, key: first.key })
    expect(renewed).toMatchObject({ status: 200, json: { ...honest, amount: order(shop, 1).sourceAmount } })
    expect(order(shop, 1).targetAmount).toBe('49.9')
    expect(shop.sandbox.orders()).toHaveLength(2)
  })

  it('keeps the method that was chosen when the price changes', async () => {
    const shop = createTestShop()
    shop.sells({ methods: [bitcoin, xrp] })
    await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })
    shop.sells({ price: { asset: 'USD', amount: '59.90' } })
    expect(await shop.open()).toMatchObject({ network: 'ripple', price: { amount: '59.9' } })
  })

  it.each([
    ['MNT', 'mantle'],
    ['RON', 'ronin'],
    ['SCR', 'scroll'],
    ['RON', 'erc-20'],
  ])('takes %s on %s for a coin, although a currency is called so', async (asset, network) => {
    const shop = createTestShop()
    shop.sells({ methods: [{ asset, network, name: asset }] })
    await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect(shop.errors.map(({ code }) => code)).not.toContain('asset_not_crypto')
    expect(shop.creations()).toBeGreaterThan(0)
  })

  it('refuses a fiat source before anything is created', async () => {
    const shop = createTestShop()
    shop.sells({ methods: [{ asset: 'BRL', network: 'pix', name: 'Real' }] })
    const answer = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect(answer).toMatchObject({ status: 422, json: { error: { code: 'asset_not_crypto' } } })
    expect(shop.creations()).toBe(0)
  })

  it('limits the quotes of a cart', async () => {
    const shop = createTestShop({ creationsPerCart: 2 })
    const first = await shop.open()
    await shop.send('POST', `/checkouts/${first.id}/renew`, { body: {}, key: first.key })
    const second = await shop.open()
    const answer = await shop.send('POST', `/checkouts/${second.id}/renew`, { body: {}, key: second.key })
    expect(answer).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await shop.open()).id).toBe(second.id)
  })

  it('limits the checkouts that one client may create', async () => {
    const shop = createTestShop({ creationsPerClient: 2, clientKey: () => '203.0.113.7' })
    await shop.open({ reference: 'a' })
    await shop.open({ reference: 'b' })
    expect(await shop.send('POST', '/checkouts', { body: { reference: 'c' } })).toMatchObject({ status: 429 })
  })
})

describe('a new quote', () => {
  it('has one successor, however often and from however many tabs it is asked for', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.pass(1_300_000)
    expect((await shop.poll(old)).expiresInMs).toBeLessThan(0)
    const renew = () => shop.send('POST', `/checkouts/${old.id}/renew`, { body: {}, key: old.key })
    const [one, two] = [await renew(), await renew()]
    expect(one.json.id).toBe(two.json.id)
    expect(one.json.id).not.toBe(old.id)
    expect(one.json.expiresInMs).toBe(1_200_000)
    expect(shop.sandbox.orders()).toHaveLength(2)
    expect((await shop.open()).id).toBe(one.json.id)
  })

  it.each([false, true])('comes at the new price, also after a quote that was refused: %s', async (isRefused) => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.pass(1_300_000)
    const renew = () => shop.send('POST', `/checkouts/${old.id}/renew`, { body: {}, key: old.key })
    if (isRefused)
      shop.sandbox.faults = ({ method }) => (method === 'POST' ? { kind: 'status', status: 400 } : undefined)
    expect((await renew()).status).toBe(isRefused ? 502 : 200)
    shop.sandbox.faults = undefined
    shop.sells({ price: { asset: 'USD', amount: '60' } })
    const renewed = await renew()
    expect(renewed).toMatchObject({ status: 200, json: { price: { amount: '60' }, expiresInMs: 1_200_000 } })
    expect((await renew()).json.id).toBe(renewed.json.id)
  })

  it('shows a payment to the old address with the next poll', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.settle()
    await shop.pass(1_300_000)
    await shop.poll(old)
    await shop.send('POST', `/checkouts/${old.id}/renew`, { body: {}, key: old.key })
    const now = await shop.open()
    await shop.settle()
    await shop.pass(5_000)
    expect(await shop.poll(now)).toMatchObject({ phase: 'waiting', cart: 'open', earlier: old.address })
    deposit(shop)
    await shop.pass(5_000)
    expect(await shop.poll(now)).toMatchObject({ id: now.id, phase: 'waiting', cart: 'seen' })
    await shop.settle()
    expect(shop.events.at(-1)).toMatchObject({ phase: 'seen', checkout: { id: old.id } })
  })

  it('names the old address at once where it was asked for before the end', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.settle()
    await shop.pass(1_000_000)
    const { json } = await shop.send('POST', `/checkouts/${old.id}/renew`, { body: {}, key: old.key })
    expect(json).toMatchObject({ phase: 'waiting', earlier: old.address })
  })

  it('is refused with the key of another checkout and on a view-only device', async () => {
    const shop = createTestShop()
    const mine = await shop.open({ reference: 'a' })
    const other = await shop.open({ reference: 'b' })
    expect(await shop.send('POST', `/checkouts/${mine.id}/renew`, { body: {}, key: other.key })).toMatchObject({
      status: 404,
    })
    const handover = await shop.send('POST', `/checkouts/${mine.id}/handover`, { body: {}, key: mine.key })
    const token = String(handover.json.token)
    expect(await shop.send('GET', `/checkouts/${mine.id}`, { key: token })).toMatchObject({
      status: 200,
      json: { id: mine.id, viewOnly: true },
    })
    expect(await shop.send('POST', `/checkouts/${mine.id}/renew`, { body: {}, key: token })).toMatchObject({
      status: 404,
    })
    await shop.pass(1_200_001)
    expect(await shop.send('GET', `/checkouts/${mine.id}`, { key: token })).toMatchObject({ status: 404 })
  })
})
