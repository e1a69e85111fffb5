import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import type { Fault } from '../../sandbox/index.ts'
import { createTestShop, pay, type TestShop } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

type World = NonNullable<Parameters<typeof createTestShop>[0]>

const isDetails = (json: JsonRecord) => 'id' in json && 'message' in json && !('wallet_address' in json)

/** A shop whose service changes only the details of orders. */
const changing =
  (change: (details: JsonRecord) => object) =>
  (sandbox: World['sandbox']): TestShop =>
    createTestShop({ sandbox: sandbox ?? {}, changeAnswer: (json) => (isDetails(json) ? change(json) : json) })

/** A shop whose service does not give the details of any order. */
const failing =
  (fault: Fault) =>
  (sandbox: World['sandbox']): TestShop =>
    createTestShop({
      sandbox: { ...sandbox, faults: ({ url }) => (url.includes('/details/') ? fault : undefined) },
    })

const useless: readonly [string, (sandbox: World['sandbox']) => TestShop][] = [
  ['cannot be read', changing((json) => ({ ...json, source_asset: { symbol: json.source_asset } }))],
  ['are forbidden', failing({ kind: 'status', status: 403 })],
  ['are refused', failing({ kind: 'status', status: 400 })],
  ['are not found', failing({ kind: 'status', status: 404 })],
  ['always fail', failing({ kind: 'status', status: 500 })],
  ['have no status', changing(({ status: _, ...json }) => json)],
  [
    'call a paid order something unknown',
    changing((json) => (json.status === 'confirmed' ? { ...json, status: 'completed' } : json)),
  ],
]

describe.each(useless)('where the details of orders %s', (_, shopOf) => {
  it.each([
    ['by counting', mute],
    ['by its time', undefined],
  ])('an order that is found %s is followed in the list, and the details are reported', async (_, sandbox) => {
    const shop = shopOf(sandbox)
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await shop.pass(70_000)
    pay(shop)
    await shop.pass(3 * minuteMs)
    await shop.run(watching.stop())
    expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    expect(await shop.poll(checkout)).toMatchObject({ status: 'confirmed', phase: 'paid' })
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(shop.errors.length).toBeGreaterThan(0)
    for (const { message } of shop.errors) expect(message).not.toContain('The order list could not be read')
  })

  it('a payment long after the quote is found, too', async () => {
    const shop = shopOf(undefined)
    const checkout = await shop.open()
    await shop.settle()
    await shop.pass(60 * minuteMs)
    await shop.run(shop.paywindow.watchOnce())
    const [order] = shop.sandbox.orders()
    shop.sandbox.payer.deposit({ address: checkout.address, amount: order?.sourceAmount ?? '' })
    shop.sandbox.payer.acceptLate(order?.id ?? '')
    await shop.pass(15 * minuteMs)
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.events.at(-1)).toMatchObject({ status: 'confirmed' })
  })

  it('a browser that polls shows the payment without a watcher', async () => {
    const shop = shopOf(mute)
    const checkout = await shop.open()
    for (let at = 0; at < 14; at++) {
      await shop.pass(5_000)
      await shop.poll(checkout)
    }
    pay(shop)
    for (let at = 0; at < 14; at++) {
      await shop.pass(5_000)
      await shop.poll(checkout)
    }
    expect((await shop.poll(checkout)).phase).toBe('paid')
  })

  it('an unresolved checkout is bound by hand to an order of the list', async () => {
    const shop = shopOf({ ...mute, appearAfterMs: () => 500 })
    const checkout = await shop.open()
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    await shop.pass(2 * minuteMs)
    expect(await boundTo(shop, checkout.id)).toBeNull()
    const orderId = orderIdAt(shop, checkout.address)
    expect(await shop.run(shop.paywindow.bind(checkout.id, orderId))).toMatchObject({ order: { id: orderId } })
  })
})

describe('where no details can be read', () => {
  it('six checkouts that are polled are told of, and nobody is kept from opening another', async () => {
    const shop = createTestShop({
      sandbox: {
        ...mute,
        faults: ({ url }) => (url.includes('/details/') ? { kind: 'status', status: 403 } : undefined),
      },
    })
    const { offer } = shop
    const checkouts = []
    for (let at = 0; at < 6; at++) {
      shop.offer = offer && { ...offer, price: { asset: 'USD', amount: `${at + 10}` } }
      checkouts.push(await shop.open({ reference: `cart ${at}` }))
      await shop.settle()
    }
    const watching = shop.paywindow.watch()
    for (let at = 0; at < 15; at++) {
      await shop.pass(5_000)
      for (const checkout of checkouts) await shop.poll(checkout)
    }
    for (const { address } of checkouts) {
      const order = shop.sandbox.orders().find((each) => each.address === address)
      shop.sandbox.payer.deposit({ address, amount: order?.sourceAmount ?? '' })
      shop.sandbox.payer.confirm(order?.id ?? '')
    }
    await shop.pass(30_000)
    await shop.run(watching.stop())
    expect(shop.events.map(({ status }) => status)).toEqual(checkouts.map(() => 'confirmed'))
    shop.offer = offer
    expect(await shop.open({ reference: 'another' })).toMatchObject({ phase: 'waiting' })
  })
})
