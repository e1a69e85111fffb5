import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { bitcoin, createTestShop, order, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

describe('a poll without changes', () => {
  async function setUp() {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    const poll = (tag?: string | null, key = checkout.key) =>
      shop.send('GET', `/checkouts/${checkout.id}`, { key, headers: tag ? { 'if-none-match': tag } : {} })
    return { shop, checkout, poll }
  }

  it('is answered with 304, and in full as soon as something changed', async () => {
    const { shop, poll } = await setUp()
    const tag = (await poll()).headers.get('etag')
    await shop.pass(5_000)
    const same = await poll(tag)
    expect([same.status, same.headers.get('etag')]).toEqual([304, tag])
    // RFC 9110, section 8.8.3.
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    // As proxies write it that compress: nginx, Apache of either version.
    for (const changed of [`W/${tag}`, tag?.replace(/"$/, '-gzip"'), tag?.replace(/"$/, ';gzip"')])
      expect((await poll(changed)).status, changed).toBe(304)
    expect((await poll(tag?.replace(/"$/, '-other"'))).status).toBe(200)
    const { address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    await shop.pass(5_000)
    const changed = await poll(tag)
    expect(changed).toMatchObject({ status: 200, json: { status: 'pending' } })
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('is answered in full when another quote of the cart ends, whose address a payer may have paid', async () => {
    const shop = createTestShop()
    shop.offer = shop.offer && { ...shop.offer, methods: [bitcoin, xrp] }
    const first = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    await shop.pass(600_000)
    const { id, key } = await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })
    await shop.settle()
    const poll = (tag = '') => shop.send('GET', `/checkouts/${id}`, { key, headers: { 'if-none-match': tag } })
    const before = await poll()
    expect(before.json.earlier).toBeUndefined()
    await shop.pass(700_000)
    expect(await poll(before.headers.get('etag') ?? '')).toMatchObject({
      status: 200,
      json: { phase: 'waiting', earlier: first.address },
    })
  })

  it('is answered in full after a change of the cart alone', async () => {
    const { shop, poll } = await setUp()
    const tag = (await poll()).headers.get('etag')
    shop.offer = shop.offer && { ...shop.offer, price: { asset: 'USD', amount: '59.90' } }
    await shop.open()
    expect(await poll(tag)).toMatchObject({ status: 200, json: { expiresInMs: 0 } })
  })

  it('is kept by no service worker as the answer to a poll with another tag', async () => {
    const { poll } = await setUp()
    const full = await poll()
    const same = await poll(full.headers.get('etag'))
    // The Cache API compares the headers that `vary` names, and refuses `*`.
    expect([full, same].map(({ headers }) => headers.get('vary'))).toEqual(['if-none-match', '*'])
  })

  it('reveals nothing without the key', async () => {
    const { poll } = await setUp()
    const tag = (await poll()).headers.get('etag')
    expect((await poll(tag, 'wrong')).status).toBe(404)
  })
})

describe('a poll', () => {
  it('costs the store at most six calls in five polls, with all that goes on beside it, while many are open', async () => {
    const calls: string[] = []
    const memory = createMemoryStore(() => shop.clock.now())
    const store = new Proxy(memory, {
      get: (target, name: keyof Store) => {
        calls.push(name)
        return target[name]
      },
    })
    const shop: ReturnType<typeof createTestShop> = createTestShop({ store })
    const checkouts: KeyedCheckout[] = []
    for (let cart = 0; cart < 25; cart++) {
      checkouts.push(await shop.open({ reference: `cart-${cart}` }))
      await shop.settle()
    }
    const pollAll = async () => {
      await shop.pass(5_000)
      for (const checkout of checkouts) await shop.poll(checkout)
      await shop.settle()
    }
    await pollAll()
    calls.length = 0
    for (let round = 0; round < 10; round++) await pollAll()
    expect(calls.filter((name) => name === 'readMany').length).toBeGreaterThanOrEqual(250)
    expect(calls.length / 250).toBeLessThanOrEqual(1.2)
  })
})

describe('a body that arrives slowly', () => {
  it('has to be sent again after ten seconds', async () => {
    const shop = createTestShop()
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"reference":')) })
    const request = new Request('https://shop.example/paywindow/checkouts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)
    const beganMs = shop.clock.now()
    const answer = await shop.run(shop.paywindow.fetch(request))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.text()).toContain('did not arrive within 10 seconds')
    expect(shop.clock.now() - beganMs).toBe(10_000)
  })
})
