/** Details that a gateway or a cache answers for another order. */
import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, order, pay, type TestShopOptions } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

const isDetails = (json: JsonRecord, isListed: boolean) => 'created_at' in json && !isListed

/** A shop whose service answers, once the order is bound, all details like this, without an id. */
async function confused(other: object, sandbox: TestShopOptions['sandbox'], afterMs = 80_000) {
  let answered: JsonRecord | undefined
  const shop = createTestShop({
    sandbox: sandbox ?? {},
    changeAnswer: (json, _, isListed) => {
      if (!answered || !isDetails(json, isListed)) return json
      const { id: _id, ...rest } = answered
      return rest
    },
  })
  const checkout = await shop.open({ reference: 'A' })
  const watching = shop.paywindow.watch()
  await shop.pass(afterMs)
  expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
  const { id, status, createdAt, ...amounts } = order(shop)
  answered = {
    id,
    status: 'confirmed',
    source_asset: amounts.sourceAsset,
    source_amount: Number(amounts.sourceAmount),
    target_asset: amounts.targetAsset,
    target_amount: Number(amounts.targetAmount),
    created_at: createdAt,
    ...other,
  }
  await shop.pass(3 * minuteMs)
  return { shop, checkout, watching }
}

describe('details without an id', () => {
  const later = { created_at: '2026-01-01T00:00:00.000Z' }
  it.each<[string, object, TestShopOptions['sandbox']]>([
    ['of another order with the same price', later, mute],
    ['of another order with the same price, where the time shows whose is whose', later, {}],
    ['of another order with a smaller price', { ...later, target_amount: 5, source_amount: 0.0001 }, mute],
    ['of another order with a greater price', { ...later, target_amount: 500, source_amount: 0.1 }, mute],
    ['of another order with another coin', { ...later, source_asset: 'USDT' }, {}],
    ['of another order with another target', { target_asset: 'EUR' }, {}],
    ['of another order with another address', { wallet_address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }, {}],
  ])('%s, change nothing, and are reported', async (_, other, sandbox) => {
    const { shop, checkout, watching } = await confused(other, sandbox)
    expect(shop.events).toEqual([])
    expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    expect(shop.errors.map(({ code }) => code)).toContain('service_invalid')
    // The list still tells of the payment.
    pay(shop)
    await shop.pass(3 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid'])
  })

  it('undo no binding that is not certain yet', async () => {
    const { shop, checkout, watching } = await confused(later, mute, 30_000)
    expect(shop.errors.map(({ code }) => code)).not.toContain('binding_contradicted')
    expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
    pay(shop)
    await shop.pass(3 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid'])
  })

  it('tell of a deposit of another amount if they show when the order was created', async () => {
    const { shop, watching } = await confused({ target_amount: 5 }, mute)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid_less'])
  })
})
