import { describe, expect, it } from 'vitest'
import { createTestShop, order, type TestShop } from '../shop.testing.ts'

const webhookSecret = 'a-secret_of.24~characters'

/** A shop that counts the requests which reach the service. */
function createHookedShop(options: Parameters<typeof createTestShop>[0] = {}) {
  const shop = createTestShop({ webhookSecret, ...options })
  const asked: string[] = []
  shop.sandbox.faults = ({ url }) => {
    asked.push(new URL(url).pathname)
    return undefined
  }
  return { shop, asked }
}

async function post({ paywindow, run }: TestShop, orderIds: readonly string[], words: object = {}): Promise<void> {
  const send = (order_id: string) =>
    paywindow.webhook(
      new Request(`https://shop.example/hooks/${webhookSecret}`, {
        method: 'POST',
        body: JSON.stringify({ event: 'order.confirmed', data: { order_id, ...words } }),
      }),
    )
  const answers = await run(Promise.all(orderIds.map(send)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
}

async function openBound(shop: TestShop) {
  const checkout = await shop.open()
  await shop.settle()
  return checkout
}

const repeated = (count: number, id: (at: number) => string) => Array.from({ length: count }, (_, at) => id(at))

describe('a hint', () => {
  it.each([
    ['', (id: string) => id],
    [', also in capitals', (id: string) => id.toUpperCase()],
  ])('makes the server look at the order now, however short ago it was looked at%s', async (_, written) => {
    const { shop } = createHookedShop()
    const checkout = await openBound(shop)
    await shop.poll(checkout)
    const { id, address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
    const atMs = shop.clock.now()
    await post(shop, [written(id)])
    await shop.settle()
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(shop.clock.now() - atMs).toBeLessThanOrEqual(1_000)
  })

  it('is not believed', async () => {
    const { shop } = createHookedShop()
    await openBound(shop)
    await post(shop, [order(shop).id], { status: 'confirmed' })
    await shop.settle()
    expect([shop.events, shop.errors]).toEqual([[], []])
  })

  it('costs two requests where it comes a thousand times at once, and one a second where it goes on', async () => {
    const { shop, asked } = createHookedShop()
    await openBound(shop)
    const { id } = order(shop)
    asked.length = 0
    await post(
      shop,
      repeated(1_000, () => id),
    )
    await shop.settle()
    // One for the first of them, and one for those that came after it.
    expect(asked).toHaveLength(2)
    for (let at = 0; at < 100; at += 1) {
      await post(shop, [id])
      await shop.pass(100)
    }
    expect(asked.length).toBeLessThanOrEqual(2 + 11)
    expect(new Set(asked)).toEqual(new Set([`/v1/orders/details/${id}`]))
  })

  it('looks once more after a hint that came while it looked', async () => {
    const { shop, asked } = createHookedShop()
    await openBound(shop)
    const { id } = order(shop)
    asked.length = 0
    await post(shop, [id])
    await shop.pass(10)
    await post(shop, [id, id])
    await shop.settle()
    expect(asked).toHaveLength(2)
  })

  it('of an unknown order costs nothing where every order is known', async () => {
    const { shop, asked } = createHookedShop()
    await openBound(shop)
    asked.length = 0
    await post(
      shop,
      repeated(1_000, (at) => `forged-${at}`),
    )
    await shop.settle()
    expect(asked).toEqual([])
  })

  it('of an unknown order makes the server search, once in ten seconds', async () => {
    const { shop, asked } = createHookedShop({ sandbox: { appearAfterMs: () => 5_000 } })
    await openBound(shop)
    await shop.pass(6_000)
    const { id } = order(shop)
    asked.length = 0
    await post(shop, [...repeated(500, (at) => `forged-${at}`), id, ...repeated(500, (at) => `forged-${at}`)])
    await shop.settle()
    // One page of the list, and the details of the order that it shows.
    expect(asked.length).toBeLessThanOrEqual(2)
    const [checkout] = await shop.run(shop.paywindow.checkouts.list({ reference: 'cart-42' }))
    expect(checkout?.order?.id).toBe(id)
  })

  it('searches no more than that while nothing is found', async () => {
    const { shop, asked } = createHookedShop({ sandbox: { appearAfterMs: () => 3_600_000 } })
    await openBound(shop)
    await shop.pass(60_000)
    asked.length = 0
    for (let second = 0; second < 60; second += 1) {
      await post(
        shop,
        repeated(20, (at) => `forged-${second}-${at}`),
      )
      await shop.pass(1_000)
    }
    expect(asked.length).toBeGreaterThan(0)
    // Seven searches at most, and an empty list is read with two requests.
    expect(asked.length).toBeLessThanOrEqual(14)
  })

  it('waits in line where many come at once, and leaves the rest of the budget to others', async () => {
    const { shop, asked } = createHookedShop({ serviceRequestsPerSecond: 10 })
    for (let at = 0; at < 8; at += 1) {
      if (shop.offer) shop.offer = { ...shop.offer, price: { asset: 'USD', amount: `${at + 10}` } }
      await shop.open({ reference: `cart-${at}` })
      await shop.pass(5_000)
    }
    asked.length = 0
    await post(
      shop,
      shop.sandbox.orders().map(({ id }) => id),
    )
    await shop.pass(990)
    expect(asked).toHaveLength(2)
    await shop.settle()
    expect(asked).toHaveLength(8)
  })

  it('does nothing while the service refuses', async () => {
    const { shop } = createHookedShop()
    await openBound(shop)
    const { id } = order(shop)
    let refused = 0
    shop.sandbox.faults = () => {
      refused += 1
      return { kind: 'status', status: 429, retryAfter: '60' }
    }
    for (let second = 0; second < 30; second += 1) {
      await post(shop, [id])
      await shop.pass(1_000)
    }
    expect(refused).toBe(1)
  })
})
