import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, order, type TestShop } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

/** A shop whose service shows, from some moment on, deposited instead of requested amounts. */
function shopWith(shown: object, sandbox: object = {}): TestShop & { change(): void } {
  let changedAtMs = Number.POSITIVE_INFINITY
  const shop = createTestShop({
    sandbox,
    // An earlier request shows an order without a deposit.
    changeAnswer: (json: JsonRecord, sentAtMs) =>
      sentAtMs > changedAtMs && 'created_at' in json ? { ...json, ...shown } : json,
  })
  return Object.assign(shop, {
    change: () => {
      changedAtMs = shop.clock.now()
    },
  })
}

/** The payer sends another coin, and then the requested one. */
async function payTwice(shop: TestShop): Promise<void> {
  // An answer at the moment of the change shows the deposit alone.
  await shop.pass(1)
  const { id, address, sourceAmount } = order(shop)
  shop.sandbox.payer.deposit({ address: address ?? '', amount: '50', asset: 'USDT', network: 'trc-20' })
  await shop.pass(minuteMs)
  shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
  shop.sandbox.payer.confirm(id)
  await shop.pass(5 * minuteMs)
}

describe('an order that shows what was deposited', () => {
  it.each([
    ['another asset, found by its time', { source_asset: 'USDT' }, {}],
    ['another network, found by its time', { network: 'trc-20' }, {}],
    ['both, found by its address', { source_asset: 'USDT', network: 'trc-20' }, { ...mute, listInstructions: true }],
    ['both, found by counting', { source_asset: 'USDT', network: 'trc-20' }, mute],
  ])('%s, stays bound, is told, and is reported once', async (_, shown, sandbox) => {
    const shop = shopWith(shown, sandbox)
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await shop.pass(70_000)
    shop.change()
    await payTwice(shop)
    await shop.run(watching.stop())
    expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    expect(shop.events.map(({ status }) => status)).toEqual(['pending', 'confirmed'])
    expect(shop.errors.map(({ code, message }) => [code, /stays that checkout's/.test(message)])).toEqual([
      ['binding_contradicted', true],
    ])
  })

  it.each([
    ['another asset before any deposit', { source_asset: 'USDT' }, mute],
    ['another network, which the list had not shown', { network: 'trc-20' }, mute],
    ['another asset to be received', { target_asset: 'EUR' }, {}],
    ['another address', { wallet_address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }, {}],
  ])('%s, is released', async (_, shown, sandbox) => {
    const shop = shopWith(shown, sandbox)
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await shop.pass(70_000)
    expect(await boundTo(shop, checkout.id)).not.toBeNull()
    shop.change()
    await shop.pass(2 * minuteMs)
    await shop.run(watching.stop())
    expect(await boundTo(shop, checkout.id)).toBeNull()
  })
})

describe('an order that was taken away because it shows another network', () => {
  async function released() {
    const shop = shopWith({ network: 'trc-20' }, mute)
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await shop.pass(70_000)
    shop.change()
    await shop.pass(2 * minuteMs)
    await shop.run(watching.stop())
    expect(await boundTo(shop, checkout.id)).toBeNull()
    return { shop, checkout, orderId: orderIdAt(shop, checkout.address) }
  }

  it('can be bound again by hand', async () => {
    const { shop, checkout, orderId } = await released()
    await shop.run(shop.paywindow.bind(checkout.id, orderId))
    await payTwice(shop)
    await shop.poll(checkout)
    await shop.settle()
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('cannot be bound by hand to a checkout that never had it', async () => {
    const { shop, orderId } = await released()
    const other = await shop.open({ reference: 'other' })
    await shop.settle()
    await expect(shop.run(shop.paywindow.bind(other.id, orderId))).rejects.toThrow(/its network is trc-20/)
  })
})
