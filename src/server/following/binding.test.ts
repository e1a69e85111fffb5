import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { parseKeyedCheckout } from '../../contract/parsers.ts'
import { withBinding } from '../core/transitions.ts'
import { someCheckout } from '../records/records.testing.ts'
import { bitcoin, createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { boundTo, mute, orderIdAt, pay } from './binding.testing.ts'

const inBitcoin = { sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD' }
const inLitecoin = { sourceAsset: 'LTC', network: 'litecoin', targetAsset: 'USD' }

describe('finding the order of a creation without an id', () => {
  it.each([
    ['an id in the response', { ...mute, creationId: true }, 'response_id'],
    ['the address in the details', { ...mute, detailsInstructions: true }, 'address'],
    ['the address in the list', { ...mute, listInstructions: true }, 'address'],
    ['the time it was created', { ...mute, dateTime: 'created' }, 'timestamp'],
    ['the time it is valid until', { ...mute, dateTime: 'valid-until' }, 'timestamp'],
    ['there being no other', mute, 'only_candidate'],
    [
      'there being no other, in a list that writes amounts at more length',
      { ...mute, targetDecimals: 2 },
      'only_candidate',
    ],
    [
      'there being no other, in a list sorted upwards that counts from 0',
      { ...mute, direction: 'ascending', firstPage: 0 },
      'only_candidate',
    ],
    ['there being no other, when the list shows it late', { ...mute, appearAfterMs: () => 3_000 }, 'only_candidate'],
  ] as const)('goes by %s', async (_, sandbox, evidence) => {
    const shop = createTestShop({ sandbox })
    const checkout = await shop.open()
    await shop.settle()
    expect(await boundTo(shop, checkout.id)).toEqual({ id: orderIdAt(shop, checkout.address), evidence })
    expect((await shop.poll(checkout)).tracked).toBe(true)
  })

  it('lets equal carts of the same second take turns, so that each finds its own', async () => {
    const shop = createTestShop({ sandbox: mute })
    const requests = ['a', 'b', 'c'].map((reference) =>
      shop.paywindow.fetch(
        new Request('https://shop.example/paywindow/checkouts', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ reference }),
        }),
      ),
    )
    const opened = await shop.run(Promise.all(requests.map(async (answer) => (await answer).json())))
    await shop.settle()
    for (const { id, address } of opened) {
      const order = await boundTo(shop, id)
      expect(order === null || order.id === orderIdAt(shop, address)).toBe(true)
    }
  })

  it('leaves it open when somebody else has an equal order, lets the payer pay, and reports it to the merchant', async () => {
    const shop = createTestShop({ sandbox: { ...mute, appearAfterMs: () => 500 } })
    const opening = shop.open()
    const checkout = await opening
    shop.sandbox.addOrder({ ...inBitcoin, targetAmount: '49.90' })
    await shop.settle()
    expect(await boundTo(shop, checkout.id)).toBeNull()
    expect(await shop.poll(checkout)).toMatchObject({ tracked: false, phase: 'waiting', address: checkout.address })
    await shop.pass(120_000)
    await shop.poll(checkout)
    const [unresolved] = await shop.paywindow.checkouts.list({ only: 'unresolved' })
    expect(unresolved).toMatchObject({ id: checkout.id, order: null })
    expect(unresolved?.candidates).toHaveLength(2)
    expect(shop.errors.map(({ code }) => code)).toEqual(['order_unresolved'])
    expect(shop.errors[0]?.message).toContain(`${unresolved?.candidates[0]}`)
  })

  it.each([
    ['another amount, and what that is worth', { source_amount: 0.0001, target_amount: 5 }],
    ['another coin', { source_asset: 'LTC', source_amount: 0.5, target_amount: 44 }],
  ])('takes no other order for its own because its own shows %s: that is the deposit', async (_, shown) => {
    const changeAnswer = (json: JsonRecord) => (json.status === 'pending' ? { ...json, ...shown } : json)
    const shop = createTestShop({ sandbox: { ...mute, appearAfterMs: () => 500 }, changeAnswer })
    const { id, address, amount } = await shop.open()
    const other = shop.sandbox.addOrder({ ...inBitcoin, targetAmount: '49.90' })
    const watching = shop.paywindow.watch()
    await shop.pass(30_000)
    shop.sandbox.payer.deposit({ address, amount })
    await shop.pass(10 * 60_000)
    await shop.run(watching.stop())
    const own = orderIdAt(shop, address)
    const [unresolved] = await shop.paywindow.checkouts.list({ only: 'unresolved' })
    expect(unresolved).toMatchObject({ id, candidates: expect.arrayContaining([own, other.id]) })
    // A person finds it.
    expect(await shop.run(shop.paywindow.bind(id, own))).toMatchObject({ phase: 'seen' })
  })

  it('reports it to the merchant even if the server dies while storing that', async () => {
    const base = createMemoryStore()
    let hasDied = false
    const replace: typeof base.replace = async (record, version) => {
      const isDone = await base.replace(record, version)
      if (hasDied || !record.value.includes('"unresolvedTold":true')) return isDone
      hasDied = true
      throw new Error('The database is gone')
    }
    const shop = createTestShop({ store: { ...base, replace }, sandbox: { ...mute, appearAfterMs: () => 500 } })
    const checkout = await shop.open()
    shop.sandbox.addOrder({ ...inBitcoin, targetAmount: '49.90' })
    for (let minute = 0; minute < 3; minute++) {
      await shop.pass(60_000)
      await shop.send('GET', `/checkouts/${checkout.id}`, { key: checkout.key })
    }
    expect(hasDied).toBe(true)
    expect(shop.errors.filter(({ code }) => code === 'order_unresolved')).toHaveLength(1)
  })

  it("binds an unresolved checkout by hand, but not to an order that is certainly another's", async () => {
    const shop = createTestShop({ sandbox: mute })
    shop.sandbox.faults = (request) =>
      new URL(request.url).pathname === '/v1/order' ? { kind: 'status', status: 500 } : undefined
    const checkout = await shop.open()
    await shop.settle()
    const other = shop.sandbox.addOrder({ ...inLitecoin, targetAmount: '5' })
    await expect(shop.run(shop.paywindow.bind(checkout.id, other.id))).rejects.toThrow(/source asset/)
    await expect(shop.run(shop.paywindow.bind(checkout.id, 'none'))).rejects.toMatchObject({ code: 'not_found' })
    expect(await shop.run(shop.paywindow.bind(checkout.id, orderIdAt(shop, checkout.address)))).toMatchObject({
      order: { evidence: 'merchant' },
    })
    pay(shop, checkout.address, checkout.amount)
    await shop.pass(5_000)
    expect((await shop.poll(checkout)).phase).toBe('paid')
  })

  it('binds by hand what contradicts the checkout once that is confirmed', async () => {
    const shop = createTestShop({ sandbox: mute })
    const checkout = await shop.open()
    await shop.settle()
    const other = shop.sandbox.addOrder({ ...inLitecoin, targetAmount: '49.90' })
    const bind = (options = {}) => shop.run(shop.paywindow.bind(checkout.id, other.id, options))
    await expect(bind()).rejects.toThrow(/its source asset is LTC. If it is the right order anyway.*confirmed: true/)
    expect(await bind({ confirmed: true })).toMatchObject({ order: { id: other.id, evidence: 'merchant' } })
    shop.sandbox.payer.deposit({ address: other.address ?? '', amount: other.sourceAmount })
    shop.sandbox.payer.confirm(other.id)
    await shop.pass(60_000)
    expect((await shop.poll(checkout)).phase).toBe('paid')
  })

  it.each([mute, {}])('follows an order whose coin the service calls by its other name: %j', async (sandbox) => {
    let name = 'BTC'
    const renamed = (text: unknown) => (text === 'BTC' ? name : text)
    const shop = createTestShop({
      sandbox,
      changeAnswer: ({ source_asset, asset, ...json }) => ({
        ...json,
        ...(source_asset !== undefined && { source_asset: renamed(source_asset) }),
        ...(asset !== undefined && { asset: { ...(asset as object), symbol: name } }),
      }),
    })
    const first = await shop.open({ reference: 'before' })
    await shop.settle()
    name = 'XBT'
    shop.offer = { price: { asset: 'USD', amount: '59.90' }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
    const second = await shop.open({ reference: 'after' })
    await shop.pass(90_000)
    for (const checkout of [first, second]) {
      await shop.poll(checkout)
      await shop.settle()
      expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    }
    pay(shop, first.address, first.amount)
    pay(shop, second.address, second.amount)
    await shop.pass(5_000)
    for (const checkout of [first, second]) expect((await shop.poll(checkout)).phase).toBe('paid')
    expect(shop.errors).toEqual([])
  })

  it('binds neither an order that was listed before its request, nor one of another checkout', async () => {
    const shop = createTestShop({ sandbox: mute })
    const first = await shop.open({ reference: 'a' })
    await shop.settle()
    const second = await shop.open({ reference: 'b' })
    await shop.settle()
    expect(await boundTo(shop, first.id)).toMatchObject({ id: orderIdAt(shop, first.address) })
    expect(await boundTo(shop, second.id)).toMatchObject({ id: orderIdAt(shop, second.address) })
  })
})

describe('equal checkouts that cannot be distinguished', () => {
  /**
   * A shop whose service names the order of the first creation only, so that nobody takes turns for
   * the next ones.
   */
  function untoldShop(options: Parameters<typeof createTestShop>[0] = {}) {
    let creations = 0
    return createTestShop({
      ...options,
      sandbox: { ...mute, creationId: true },
      changeAnswer: ({ id, ...json }, ...about) => {
        if ('wallet_address' in json && !('status' in json)) return creations++ > 0 ? json : { id, ...json }
        return options.changeAnswer?.({ id, ...json }, ...about) ?? { id, ...json }
      },
    })
  }

  /**
   * Opens two equal carts at once. Neither is answered before the other is sent, and the list
   * cannot be read.
   */
  async function openTwo(shop: TestShop) {
    const { offer } = shop
    shop.offer = offer && { ...offer, price: { asset: 'USD', amount: '10' } }
    await shop.open({ reference: 'named' })
    await shop.settle()
    shop.offer = offer
    shop.sandbox.faults = ({ method }) =>
      method === 'GET' ? { kind: 'status', status: 500 } : { kind: 'latency', afterMs: 2_000 }
    const opened = await shop.run(Promise.all(['cart-a', 'cart-b'].map((name) => shop.paywindow.fetch(creation(name)))))
    const [one, two] = await Promise.all(opened.map(async (answer) => parseKeyedCheckout(await answer.json())))
    await shop.settle()
    shop.sandbox.faults = undefined
    if (!one || !two) throw new Error('Two requests were sent')
    return [one, two] as const
  }

  const creation = (reference: string) =>
    new Request('https://shop.example/paywindow/checkouts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference }),
    })

  it('are all paid when as many equal orders are', async () => {
    const shop = untoldShop()
    const checkouts = await openTwo(shop)
    const [one, two] = checkouts
    pay(shop, one.address, one.amount)
    const watching = shop.paywindow.watch()
    await shop.pass(30_000)
    for (const { id, address } of checkouts)
      expect((await boundTo(shop, id))?.id ?? null).toBeOneOf([null, orderIdAt(shop, address)])
    pay(shop, two.address, two.amount)
    await shop.pass(120_000)
    await shop.run(watching.stop())
    expect((await shop.paywindow.checkouts.get(one.id))?.phase).toBe('paid')
    expect((await shop.paywindow.checkouts.get(two.id))?.phase).toBe('paid')
    expect(shop.events.filter(({ phase }) => phase === 'paid')).toHaveLength(2)
  })

  it('are not told as paid where the service confirms one of their orders for less: a person settles it', async () => {
    let less = ''
    const shop = untoldShop({
      changeAnswer: (json) =>
        json.id === less && json.status === 'confirmed'
          ? { ...json, source_amount: Number(json.source_amount) * 0.9 }
          : json,
    })
    const checkouts = await openTwo(shop)
    const [one, two] = checkouts
    less = orderIdAt(shop, two.address)
    for (const { address, amount } of checkouts) pay(shop, address, amount)
    const watching = shop.paywindow.watch()
    await shop.pass(30 * 60_000)
    expect(shop.events).toEqual([])
    expect(shop.errors.map(({ code }) => code)).toContain('order_unresolved')
    await shop.run(shop.paywindow.bind(two.id, less))
    await shop.run(shop.paywindow.bind(one.id, orderIdAt(shop, one.address)))
    await shop.pass(60_000)
    await shop.run(watching.stop())
    const told = shop.events.map(({ checkout, phase }) => [checkout.id, phase])
    expect(told).toEqual(
      expect.arrayContaining([
        [one.id, 'paid'],
        [two.id, 'paid_less'],
      ]),
    )
  })

  it('are not told as paid where details alone show less, which were read before the payments', async () => {
    let less = ''
    const shop = untoldShop({
      changeAnswer: (json, _, isListed) =>
        !isListed && json.id === less && json.status === 'confirmed'
          ? { ...json, source_amount: Number(json.source_amount) * 0.1, target_amount: 4.99 }
          : json,
    })
    const checkouts = await openTwo(shop)
    less = orderIdAt(shop, checkouts[1].address)
    const watching = shop.paywindow.watch()
    await shop.pass(130_000)
    for (const { address, amount } of checkouts) pay(shop, address, amount)
    await shop.pass(30 * 60_000)
    await shop.run(watching.stop())
    expect(shop.events).toEqual([])
    expect(shop.errors.map(({ code }) => code)).toContain('order_unresolved')
  })

  it('are none of them told that one of their orders was canceled: both are named, and a person settles it', async () => {
    const shop = untoldShop()
    const checkouts = await openTwo(shop)
    const [one, two] = checkouts
    for (const { address, amount } of checkouts) pay(shop, address, amount)
    const watching = shop.paywindow.watch()
    await shop.pass(120_000)
    for (const { id } of checkouts) expect((await boundTo(shop, id))?.evidence).toBe('all_paid')
    const canceled = orderIdAt(shop, two.address)
    shop.sandbox.payer.cancel(canceled)
    await shop.pass(45 * 60_000)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
    const named = shop.errors.filter(({ code }) => code === 'order_unresolved').map(({ message }) => message)
    expect(named).toEqual([expect.stringContaining(`order ${canceled} is canceled`)])
    for (const { id, reference } of checkouts) {
      expect(named[0]).toContain(`checkout ${id}`)
      // A signed reference opens the cart.
      expect(named[0]).not.toContain(reference)
    }
    await shop.run(shop.paywindow.bind(two.id, canceled))
    await shop.run(shop.paywindow.bind(one.id, orderIdAt(shop, one.address)))
    // The cart with the other order learns of the cancellation as usual: once details and list
    // agree for a minute.
    await shop.pass(5 * 60_000)
    await shop.run(watching.stop())
    for (const [{ id }, status] of [
      [one, 'confirmed'],
      [two, 'canceled'],
    ] as const) {
      expect(await shop.paywindow.checkouts.get(id)).toMatchObject({ status, order: { evidence: 'merchant' } })
      expect(shop.events.filter(({ checkout }) => checkout.id === id).at(-1)?.status).toBe(status)
    }
  })

  it('may be reported again once they are bound: nobody knows which is whose', () => {
    const told = someCheckout({ unresolvedTold: true })
    const bound = (isCertain: boolean) => withBinding(told, { orderId: 'order-1', evidence: 'all_paid', isCertain }, 0)
    expect([bound(true).unresolvedTold, bound(false).unresolvedTold]).toEqual([false, true])
  })

  it('are not identified by each other when a server dies while it settles them', async () => {
    const base = createMemoryStore()
    let [isDying, tries] = [true, 0]
    const store: Store = {
      ...base,
      replace: async (record, version) => {
        if (isDying && record.value.includes('"all_paid"') && tries++ > 0) throw new Error('The server died')
        return base.replace(record, version)
      },
    }
    const shop = untoldShop({ store })
    const checkouts = await openTwo(shop)
    for (const { address, amount } of checkouts) pay(shop, address, amount)
    const watching = shop.paywindow.watch()
    await shop.pass(120_000)
    isDying = false
    await shop.pass(20 * 60_000)
    await shop.run(watching.stop())
    expect(tries).toBeGreaterThan(1)
    for (const { id } of checkouts) expect((await boundTo(shop, id))?.evidence).toBe('all_paid')
  })
})
