import { describe, expect, it } from 'vitest'
import { bitcoin, createTestShop, order, pay, type TestShop, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

describe('following a checkout', () => {
  it('finds the order and notifies payer and merchant of each change once', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    expect((await shop.poll(checkout)).tracked).toBe(true)
    const { id, address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    await shop.pass(3_000)
    expect(await shop.poll(checkout)).toMatchObject({ status: 'pending', phase: 'seen', cart: 'seen' })
    shop.sandbox.payer.confirm(id)
    await shop.pass(3_000)
    const paid = await shop.poll(checkout)
    expect(paid).toMatchObject({ status: 'confirmed', phase: 'paid', cart: 'paid' })
    expect(paid.history.map(({ phase }) => phase)).toEqual(['waiting', 'seen', 'paid'])
    await shop.settle()
    expect(shop.events.map(({ status, eventId }) => [status, eventId])).toEqual([
      ['pending', expect.stringMatching(`^${checkout.id}-pending-\\w{12}$`)],
      ['confirmed', expect.stringMatching(`^${checkout.id}-confirmed-\\w{12}$`)],
    ])
    expect(shop.events[1]).toMatchObject({
      reference: 'cart-42',
      price: { asset: 'USD', amount: '49.90' },
      checkout: { order: { id } },
      alsoPaid: [],
    })
    expect(shop.errors).toEqual([])
  })

  it('notifies the merchant when no browser polls, and repeats it until the callback succeeds', async () => {
    let failures = 3
    const heard: string[] = []
    const shop = createTestShop({
      onStatusChange: ({ status }) => {
        if (failures-- > 0) throw new Error('database down')
        heard.push(status)
      },
    })
    await shop.open()
    await shop.settle()
    const { id, address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
    const watching = shop.paywindow.watch()
    await shop.pass(60_000)
    await shop.run(watching.stop())
    expect(heard).toEqual(['confirmed'])
    expect(shop.errors.map(({ code }) => code)).toEqual(['callback_failed', 'callback_failed', 'callback_failed'])
    expect(await shop.paywindow.checkouts.list({ only: 'untold' })).toEqual([])
  })

  it('gives up delivery after seven days, reports that, and keeps it listed', async () => {
    const shop = createTestShop({
      onStatusChange: () => {
        throw new Error('never works')
      },
    })
    await shop.open()
    await shop.settle()
    shop.sandbox.payer.deposit({ address: order(shop).address ?? '', amount: order(shop).sourceAmount })
    const day = 24 * 3_600_000
    for (let hours = 0; hours < 24 * 8; hours++) {
      await shop.pass(day / 24)
      await shop.run(shop.paywindow.watchOnce())
    }
    const failures = shop.errors.filter(({ code }) => code === 'callback_failed')
    expect(failures.at(-1)?.message).toContain('given up after seven days')
    const [untold] = await shop.paywindow.checkouts.list({ only: 'untold' })
    expect(untold?.untoldEvents).toBe(1)
    await shop.pass(day)
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.errors.filter(({ code }) => code === 'callback_failed')).toHaveLength(failures.length)
  })

  it('gives a paid cart no other checkout, on any device', async () => {
    const shop = createTestShop()
    shop.offer = {
      price: { asset: 'USD', amount: '49.90' },
      methods: [bitcoin, xrp],
      merchant: { name: 'Lantern Books' },
    }
    const bitcoins = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    const ripples = await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })
    await shop.settle()
    const { id, address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
    await shop.pass(3_000)
    await shop.poll(bitcoins)
    expect(await shop.poll(ripples)).toMatchObject({ phase: 'waiting', cart: 'paid' })
    expect((await shop.open({ reference: 'cart-42', asset: 'XRP', network: 'ripple' })).id).toBe(bitcoins.id)
    expect(await shop.send('POST', `/checkouts/${ripples.id}/renew`, { body: {}, key: ripples.key })).toMatchObject({
      status: 409,
      json: { error: { code: 'already_seen' } },
    })
  })

  it('notifies the merchant when a cart is paid twice', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.settle()
    await shop.pass(1_300_000)
    await shop.send('POST', `/checkouts/${old.id}/renew`, { body: {}, key: old.key })
    await shop.settle()
    for (const at of [1, 0]) {
      const { id, address, sourceAmount } = order(shop, at)
      shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
      if (at === 1) shop.sandbox.payer.confirm(id)
      else shop.sandbox.payer.acceptLate(id)
      await shop.pass(3_000)
      for (const { id: checkoutId } of await shop.paywindow.checkouts.list()) {
        const keyed = checkoutId === old.id ? old : await shop.open()
        await shop.poll(keyed)
      }
      await shop.settle()
    }
    expect(shop.events.filter(({ phase }) => phase === 'paid').map(({ alsoPaid }) => alsoPaid.length)).toEqual([0, 1])
    expect(shop.errors.map(({ code }) => code)).toContain('paid_twice')
  })

  it('opens a refunded cart again', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    const { id, address } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'DOGE', network: 'dogecoin', amount: '1' })
    await shop.pass(3_000)
    expect((await shop.poll(checkout)).cart).toBe('seen')
    shop.sandbox.payer.completeRefund(id)
    await shop.pass(3_000)
    expect(await shop.poll(checkout)).toMatchObject({ phase: 'ended', cart: 'open' })
    expect(await shop.send('POST', `/checkouts/${checkout.id}/renew`, { body: {}, key: checkout.key })).toMatchObject({
      status: 200,
      json: { phase: 'waiting' },
    })
  })

  it('reports an unknown status again each hour, because a payment may wait with each order that has it', async () => {
    const shop = createTestShop({
      changeAnswer: (json) => (json.status === 'confirmed' ? { ...json, status: 'completed' } : json),
    })
    const watching = shop.paywindow.watch()
    for (const at of [0, 1, 2, 3]) {
      await shop.open({ reference: `cart-${at}` })
      await shop.pass(60_000)
      pay(shop, at)
      await shop.pass(25 * 60_000)
    }
    await shop.run(watching.stop())
    expect(shop.errors.map(({ code }) => code)).toEqual(['status_unknown', 'status_unknown'])
    expect(shop.errors[1]?.message).toContain('"completed"')
  })

  it('reports at most a hundred unknown statuses in an hour, if each answer has another', async () => {
    let answers = 0
    const shop = createTestShop({
      changeAnswer: (json) => (json.status === 'open' ? { ...json, status: `open ${answers++}` } : json),
    })
    const checkout = await shop.open()
    for (let seconds = 0; seconds < 900; seconds += 3) {
      await shop.pass(3_000)
      await shop.poll(checkout)
    }
    expect(answers).toBeGreaterThan(150)
    expect(shop.errors.filter(({ code }) => code === 'status_unknown')).toHaveLength(100)
  })

  it('distinguishes two equal carts, or leaves them unresolved', async () => {
    const shop = createTestShop()
    const checkouts = await Promise.all(['a', 'b', 'c', 'd'].map((reference) => reference)).then(async (references) => {
      const opened = []
      for (const reference of references) opened.push(await shop.open({ reference }))
      return opened
    })
    await shop.settle()
    for (const { id, address } of checkouts) {
      const known = await shop.paywindow.checkouts.get(id)
      expect(shop.sandbox.orders().find((candidate) => candidate.id === known?.order?.id)?.address).toBe(address)
    }
  })
})

describe('what is kept', () => {
  const day = 24 * 3_600_000

  async function watchFor(shop: TestShop, days: number): Promise<void> {
    for (let passed = 0; passed < days; passed++) {
      await shop.pass(day)
      await shop.run(shop.paywindow.watchOnce())
    }
  }

  it('forgets unpaid checkouts after 90 days, but never which checkout an order belonged to', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    await shop.settle()
    await watchFor(shop, 89)
    expect(await shop.paywindow.checkouts.get(checkout.id)).toBeDefined()
    await watchFor(shop, 3)
    expect(await shop.paywindow.checkouts.get(checkout.id)).toBeUndefined()
    expect((await store.read(`order ${order(shop).id}`))?.value).toBe(checkout.id)
    expect(await shop.send('GET', `/checkouts/${checkout.id}`, { key: checkout.key })).toMatchObject({ status: 404 })
    expect((await shop.open()).id).not.toBe(checkout.id)
  })

  it('keeps paid checkouts permanently, and stops polling the service for them after 72 hours', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    const { id, address, sourceAmount } = order(shop)
    shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
    await watchFor(shop, 5)
    shop.sandbox.faults = () => {
      throw new Error('nobody should ask')
    }
    await watchFor(shop, 100)
    expect((await shop.open()).id).toBe(checkout.id)
    expect((await shop.paywindow.checkouts.get(checkout.id))?.phase).toBe('paid')
  })
})
