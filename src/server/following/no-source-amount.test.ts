import { expect, it } from 'vitest'
import { createTestShop, pay } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

it.each([
  ['of 0, by its time', 0, undefined],
  ['of null, by its time', null, undefined],
  ['of 0, by its address in the list', 0, { ...mute, listInstructions: true }],
  ['of 0, by its address in the details', 0, { ...mute, detailsInstructions: true }],
])('an order with a source amount %s is bound and told', async (_, sourceAmount, sandbox) => {
  const shop = createTestShop({
    sandbox: sandbox ?? {},
    changeAnswer: (json) => ('created_at' in json ? { ...json, source_amount: sourceAmount } : json),
  })
  const checkout = await shop.open()
  const watching = shop.paywindow.watch()
  await shop.pass(70_000)
  pay(shop)
  await shop.pass(2 * 60_000)
  await shop.run(watching.stop())
  expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
  expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  expect(shop.errors).toEqual([])
})

it('the paid order of somebody else, which alone shows its source amount, is not taken for it', async () => {
  const shop = createTestShop({
    sandbox: mute,
    changeAnswer: (json) => ('created_at' in json && json.status === 'open' ? { ...json, source_amount: 0 } : json),
  })
  const checkout = await shop.open()
  const other = shop.sandbox.addOrder({
    sourceAsset: 'BTC',
    network: 'bitcoin',
    targetAsset: 'USD',
    targetAmount: '49.90',
  })
  const watching = shop.paywindow.watch()
  shop.sandbox.payer.deposit({ address: other.address ?? '', amount: other.sourceAmount })
  shop.sandbox.payer.confirm(other.id)
  await shop.pass(3 * 60_000)
  await shop.run(watching.stop())
  expect(await boundTo(shop, checkout.id)).toBeNull()
  expect(shop.events).toEqual([])
})
