import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt, pay } from './binding.testing.ts'

const minuteMs = 60_000

describe.each([
  ['no time', () => null],
  ['times without seconds', (time: unknown) => `${String(time).slice(0, 16)}Z`],
  ['times that cannot be read', () => 'this morning'],
])('orders that show %s', (_, shown) => {
  it.each([0, 3_000, 20_000])('are told as paid for two equal carts, %i ms apart', async (apartMs) => {
    const shop = createTestShop({
      sandbox: mute,
      changeAnswer: (json) =>
        'created_at' in json ? { ...json, created_at: shown(json.created_at), valid_until: null } : json,
    })
    const watching = shop.paywindow.watch()
    const opening = ['a', 'b'].map(async (reference, at) => {
      await shop.pass(at * apartMs)
      return shop.open({ reference })
    })
    const checkouts = await Promise.all(opening)
    await shop.pass(3 * minuteMs)
    for (const { address, amount } of checkouts) pay(shop, address, amount)
    await shop.pass(5 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.map(({ reference, phase }) => `${reference} ${phase}`).sort()).toEqual(['a paid', 'b paid'])
    const bound = await Promise.all(checkouts.map(async ({ id }) => (await boundTo(shop, id))?.id))
    expect(bound.sort()).toEqual(checkouts.map(({ address }) => orderIdAt(shop, address)).sort())
    expect(shop.errors).toEqual([])
  })
})
