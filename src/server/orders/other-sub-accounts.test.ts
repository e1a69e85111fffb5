/** A list of a whole account, each of whose sub-accounts numbers its orders from 1. */
import { expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { mute } from '../following/binding.testing.ts'
import { createTestShop, pay } from '../shop.testing.ts'

const minuteMs = 60_000

it.each([
  ['by its time', {}, 1, 'after'],
  ['by counting', mute, 1, 'after'],
  ['by counting, with others', mute, 6, 'after'],
  ['by its time', {}, 1, 'before'],
  ['by counting', mute, 1, 'before'],
  ['by counting, with others', mute, 6, 'before'],
] as const)(
  'an order that is found %s is not told as paid by that of a neighbour, listed %s it',
  async (_, sandbox, count, place) => {
    const shop = createTestShop({
      sandbox,
      changeAnswer: (json: JsonRecord, _, isListed) => {
        if (!isListed) return json
        const neighbours = { ...json, sub_account_id: 'wine', status: 'confirmed' }
        return place === 'after' ? [json, neighbours] : [neighbours, json]
      },
    })
    const watching = shop.paywindow.watch()
    const checkouts = []
    const references = Array.from({ length: count }, (_, at) => `cart-${at}`)
    for (const reference of references) {
      checkouts.push(await shop.open({ reference }))
      await shop.pass(20_000)
    }
    await shop.pass(10 * minuteMs)
    for (const checkout of checkouts)
      expect(await shop.poll(checkout)).toMatchObject({ phase: 'waiting', tracked: true })
    expect(shop.events).toEqual([])
    for (const at of references.keys()) pay(shop, at)
    await shop.pass(3 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.map(({ reference, phase }) => `${reference} ${phase}`).sort()).toEqual(
      references.map((reference) => `${reference} paid`),
    )
  },
)
