/** Claims that were left behind by a checkout that is not bound to the order. */
import { describe, expect, it } from 'vitest'
import { someCheckout } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

/** Two checkouts, the second's order not found yet and claimed by the first, which has its own. */
async function withOrphan(sandbox: object, hidden: readonly string[] = []) {
  const store = createMemoryStore()
  const isShown = ([name]: [string, unknown]) => !hidden.includes(name)
  const shop = createTestShop({
    store,
    sandbox,
    changeAnswer: (json) => ('created_at' in json ? Object.fromEntries(Object.entries(json).filter(isShown)) : json),
  })
  const first = await shop.open({ reference: 'first' })
  await shop.pass(120_000)
  await shop.poll(first)
  await shop.settle()
  expect(await boundTo(shop, first.id)).toMatchObject({ id: orderIdAt(shop, first.address) })
  shop.sandbox.faults = ({ method }) => (method === 'GET' ? { kind: 'status', status: 500 } : undefined)
  const second = await shop.open({ reference: 'second' })
  await shop.settle()
  shop.sandbox.faults = undefined
  const orderId = orderIdAt(shop, second.address)
  await store.create({ key: `order ${orderId}`, value: first.id, due: [], labels: [] })
  return { store, shop, first, second, orderId }
}

async function watch(shop: TestShop, ms: number): Promise<void> {
  const watching = shop.paywindow.watch()
  await shop.pass(ms)
  await shop.run(watching.stop())
}

describe('an order that a checkout has claimed and is not bound to', () => {
  it.each([
    ['its time', { ...mute, dateTime: 'created' }, []],
    ['its address', { ...mute, listInstructions: true }, []],
    ['there being no other', mute, []],
    ['its address, without its price', { ...mute, listInstructions: true }, ['target_amount']],
    ['its time, without its assets', { ...mute, dateTime: 'created' }, ['source_asset', 'target_asset']],
    ['there being no other, without its assets', mute, ['source_asset', 'target_asset']],
  ])('is bound to the checkout that it belongs to by %s', async (_, sandbox, hidden) => {
    const { store, shop, first, second, orderId } = await withOrphan(sandbox, hidden)
    await watch(shop, 10 * 60_000)
    expect((await boundTo(shop, second.id))?.id).toBe(orderId)
    expect(await createRepository(store).ownerOf(orderId)).toBe(second.id)
    expect((await boundTo(shop, first.id))?.id).toBe(orderIdAt(shop, first.address))
    expect(shop.errors.map(({ code }) => code)).not.toContain('order_unresolved')
  })

  it('is bound by hand', async () => {
    const { shop, second, orderId } = await withOrphan(mute)
    await shop.run(shop.paywindow.bind(second.id, orderId))
    expect(await boundTo(shop, second.id)).toEqual({ id: orderId, evidence: 'merchant' })
  })

  it('is bound by hand also where it was the checkout’s before and shows another deposit now', async () => {
    const store = createMemoryStore()
    let orderId = ''
    const shop = createTestShop({
      store,
      sandbox: mute,
      changeAnswer: (json) => (json.id === orderId ? { ...json, source_asset: 'ETH' } : json),
    })
    const first = await shop.open({ reference: 'first' })
    const second = await shop.open({ reference: 'second' })
    await shop.settle()
    orderId = orderIdAt(shop, second.address)
    const repository = createRepository(store)
    const { revision } = (await repository.readCheckout(second.id)) ?? someCheckout()
    const before = { binding: null, excluded: [orderId], revision: revision + 1 }
    await repository.updateCheckout(second.id, (checkout) => ({ ...checkout, ...before }))
    await repository.disownOrder(orderId, second.id)
    await repository.claimOrder(orderId, first.id)
    await shop.run(shop.paywindow.bind(second.id, orderId))
    expect(await boundTo(shop, second.id)).toEqual({ id: orderId, evidence: 'merchant' })
  })
})
