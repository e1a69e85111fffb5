import { describe, expect, it } from 'vitest'
import { bitcoin, createTestShop, type TestShop } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt, pay } from './binding.testing.ts'

/** Lets time pass as a payer's open page does: polled every five seconds. */
async function watchPage(shop: TestShop, checkout: Awaited<ReturnType<TestShop['open']>>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    await shop.pass(5_000)
    await shop.poll(checkout)
  }
}

/** An order of somebody else, for so many dollars. */
function orderFor(shop: TestShop, targetAmount: string) {
  return shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount })
}

/**
 * A service that names an order in its answer to a creation, as `rename` changes it.
 *
 * @param status - With which it refuses details of an id that begins with b6a4.
 */
function shopWithNames(rename: (id: string) => string, status = 404): TestShop {
  return createTestShop({
    sandbox: {
      ...mute,
      creationId: true,
      faults: ({ url }) => (url.includes('/details/b6a4') ? { kind: 'status', status } : undefined),
    },
    changeAnswer: (json) =>
      'wallet_address' in json && typeof json.id === 'string' ? { ...json, id: rename(json.id) } : json,
  })
}

describe('an id in the answer to a creation', () => {
  it.each([404, 400, 403, 422, 500])(
    'that the service answers with %i is released after three minutes, and the order is found in the list',
    async (status) => {
      const shop = shopWithNames(() => 'b6a4e2f0-0000-4000-8000-000000000000', status)
      const checkout = await shop.open()
      pay(shop, checkout.address, checkout.amount)
      await watchPage(shop, checkout, 170_000)
      expect((await boundTo(shop, checkout.id))?.evidence).toBe('response_id')
      await watchPage(shop, checkout, 90_000)
      expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
      expect((await shop.poll(checkout)).phase).toBe('paid')
      expect(shop.errors.map(({ code }) => code)).toContain('binding_contradicted')
    },
  )

  it.each([400, 403, 404, 500])('is kept while the service refuses everything with %i for minutes', async (status) => {
    let isRefusing = false
    const faults = ({ method }: { readonly method: string }) =>
      isRefusing && method === 'GET' ? ({ kind: 'status', status } as const) : undefined
    const shop = createTestShop({ sandbox: { ...mute, creationId: true, faults } })
    const checkout = await shop.open()
    isRefusing = true
    await watchPage(shop, checkout, 400_000)
    expect(await boundTo(shop, checkout.id)).toMatchObject({ evidence: 'response_id' })
    isRefusing = false
    pay(shop, checkout.address, checkout.amount)
    await watchPage(shop, checkout, 300_000)
    expect((await shop.poll(checkout)).phase).toBe('paid')
    expect(await boundTo(shop, checkout.id)).toMatchObject({ evidence: 'response_id' })
  })

  it('that is the id of a dearer order is released at the first look, without reporting a payment', async () => {
    let other = ''
    const shop = shopWithNames(() => other)
    const dear = orderFor(shop, '500')
    other = dear.id
    pay(shop, dear.address ?? '', dear.sourceAmount)
    const checkout = await shop.open()
    await shop.settle()
    await watchPage(shop, checkout, 90_000)
    expect((await shop.poll(checkout)).phase).toBe('waiting')
    expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    expect(shop.events).toEqual([])
  })
})

describe('binding by hand', () => {
  it('replaces a binding that the merchant did not make, and removes the exclusion of its order', async () => {
    const shop = createTestShop({ sandbox: { ...mute, dateTime: 'created' } })
    const checkout = await shop.open()
    await shop.settle()
    const own = orderIdAt(shop, checkout.address)
    const other = orderFor(shop, '49.90')
    await shop.run(shop.paywindow.bind(checkout.id, other.id))
    expect(await boundTo(shop, checkout.id)).toEqual({ id: other.id, evidence: 'merchant' })
    await expect(shop.run(shop.paywindow.bind(checkout.id, own))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    ['the order', 0, 1],
    ['the checkout', 1, 0],
  ])('leaves all as it was where %s is bound by hand already', async (_, boundAt, paidAt) => {
    const shop = createTestShop({
      // Only the time distinguishes the two orders.
      changeAnswer: ({ wallet_address, tag, ...json }) => ('status' in json ? json : { ...json, wallet_address, tag }),
    })
    const checkouts = [await shop.open({ reference: 'D' }), await shop.open({ reference: 'C' })]
    const watching = shop.paywindow.watch()
    await shop.pass(120_000)
    const orders = checkouts.map(({ address }) => orderIdAt(shop, address))
    const idOf = (at: number) => checkouts[at]?.id ?? ''
    await shop.run(shop.paywindow.bind(idOf(boundAt), orders[boundAt] ?? ''))
    pay(shop, checkouts[paidAt]?.address ?? '', checkouts[paidAt]?.amount ?? '')
    await shop.pass(60_000)
    const told = [...shop.events]
    expect(told.map(({ phase }) => phase)).toContain('paid')
    await expect(shop.run(shop.paywindow.bind(idOf(1), orders[0] ?? ''))).rejects.toThrow('already bound by hand')
    await shop.pass(3_600_000)
    expect(shop.events).toEqual(told)
    expect(await boundTo(shop, idOf(paidAt))).toMatchObject({ id: orders[paidAt] })
    await shop.run(watching.stop())
  })

  it.each(['small', 'capital'])(
    'takes the order from its checkout where a person writes %s letters',
    async (letters) => {
      const shop = createTestShop({
        changeAnswer: (json) => ('status' in json ? { ...json, id: `${json.id}`.toUpperCase() } : json),
      })
      const [had, gets] = [await shop.open({ reference: 'C' }), await shop.open({ reference: 'D' })]
      await shop.settle()
      const small = orderIdAt(shop, had.address)
      const written = letters === 'small' ? small : small.toUpperCase()
      expect(await boundTo(shop, had.id)).toMatchObject({ id: small })
      await shop.run(shop.paywindow.bind(gets.id, written))
      expect(await boundTo(shop, gets.id)).toEqual({ id: small, evidence: 'merchant' })
      expect(await boundTo(shop, had.id)).toBeNull()
    },
  )

  it('removes an order from the excluded ones', async () => {
    const shop = shopWithNames(() => other)
    let other = ''
    const inEuro = { sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'EUR', targetAmount: '49.90' }
    const foreign = shop.sandbox.addOrder(inEuro)
    other = foreign.id
    const checkout = await shop.open()
    await shop.settle()
    await watchPage(shop, checkout, 10_000)
    expect(await boundTo(shop, checkout.id)).toBeNull()
    await shop.run(shop.paywindow.bind(checkout.id, foreign.id, { confirmed: true }))
    expect(await boundTo(shop, checkout.id)).toEqual({ id: foreign.id, evidence: 'merchant' })
    await watchPage(shop, checkout, 10_000)
    expect(await boundTo(shop, checkout.id)).toEqual({ id: foreign.id, evidence: 'merchant' })
  })

  it('refuses an order of another sub-account, which the list skips', async () => {
    const shop = createTestShop({
      sandbox: mute,
      changeAnswer: (json) => ('status' in json ? { ...json, sub_account_id: 'another' } : json),
    })
    const checkout = await shop.open()
    await shop.settle()
    await watchPage(shop, checkout, 80_000)
    expect(await boundTo(shop, checkout.id)).toBeNull()
    await expect(shop.run(shop.paywindow.bind(checkout.id, orderIdAt(shop, checkout.address)))).rejects.toThrow(
      /sub-account/,
    )
  })
})

describe('one deposit address for several orders', () => {
  it('binds an expensive cart to no cheap order, even if the list is slightly outdated', async () => {
    let appearAfterMs = 0
    const shop = createTestShop({
      sandbox: { ...mute, listInstructions: true, appearAfterMs: () => appearAfterMs },
      changeAnswer: (json) =>
        'wallet_address' in json ? { ...json, wallet_address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' } : json,
    })
    const cheap = orderFor(shop, '10')
    shop.sandbox.payer.deposit({ address: cheap.address ?? '', amount: cheap.sourceAmount })
    shop.sandbox.payer.confirm(cheap.id)
    appearAfterMs = 20_000
    shop.offer = { price: { asset: 'USD', amount: '500' }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
    const checkout = await shop.open()
    await watchPage(shop, checkout, 90_000)
    expect((await shop.poll(checkout)).phase).toBe('waiting')
    const dear = shop.sandbox.orders().find(({ targetAmount }) => targetAmount === '500')
    expect((await boundTo(shop, checkout.id))?.id).toBe(dear?.id)
    expect(shop.events).toEqual([])
  })
})

describe('an order that the answer names, and that shows other amounts at first', () => {
  it('is reported, and tells of its payment once it shows the amounts of the answer', async () => {
    let isEarly = true
    const shop = createTestShop({
      sandbox: { ...mute, creationId: true },
      changeAnswer: (json) =>
        isEarly && 'created_at' in json ? { ...json, target_amount: 1, source_amount: 0.1 } : json,
    })
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await watchPage(shop, checkout, 30_000)
    expect(await boundTo(shop, checkout.id)).toBeNull()
    expect(shop.errors.map(({ code }) => code)).toEqual(['binding_contradicted'])
    isEarly = false
    pay(shop, checkout.address, checkout.amount)
    await watchPage(shop, checkout, 5 * 60_000)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid'])
  })
})
