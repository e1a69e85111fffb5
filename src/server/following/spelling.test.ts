import { expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { boundTo, mute, pay } from './binding.testing.ts'

it('an order whose id the list writes with other letters than the creation has one checkout', async () => {
  const shop = createTestShop({
    sandbox: { ...mute, creationId: true },
    changeAnswer: (json) => ('created_at' in json ? { ...json, id: `${json.id}`.toUpperCase() } : json),
  })
  const watching = shop.paywindow.watch()
  const checkouts = []
  for (const reference of ['a', 'b', 'c', 'd', 'e', 'f']) checkouts.push(await shop.open({ reference }))
  await shop.pass(5 * 60_000)
  for (const [at, { address, amount }] of checkouts.entries()) {
    pay(shop, address, amount)
    await shop.pass(60_000)
    for (const checkout of checkouts) await shop.poll(checkout)
    expect(shop.events.map(({ checkout }) => checkout.id)).toEqual(checkouts.slice(0, at + 1).map(({ id }) => id))
  }
  await shop.pass(60 * 60_000)
  await shop.run(watching.stop())
  for (const { id } of checkouts) expect(await boundTo(shop, id)).toMatchObject({ evidence: 'response_id' })
  expect(shop.errors).toEqual([])
})
