/** A list that does not say in known words which orders are paid; the details of orders do. */
import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, pay } from '../shop.testing.ts'
import { mute } from './binding.testing.ts'

const minuteMs = 60_000

const lists: readonly [string, (item: JsonRecord) => object][] = [
  ['shows no status', ({ status: _, ...item }) => item],
  ['calls a paid order completed', (item) => (item.status === 'confirmed' ? { ...item, status: 'completed' } : item)],
]

describe.each(lists)('where the list %s', (_, change) => {
  it.each([
    ['one cart', 1, false, {}],
    ['six carts', 6, false, {}],
    ['six carts, found by counting', 6, false, mute],
    ['six carts that pages poll', 6, true, mute],
  ] as const)('each payment of %s is told', async (_, count, isPolled, sandbox) => {
    const shop = createTestShop({ sandbox, changeAnswer: (json, _, isListed) => (isListed ? change(json) : json) })
    const references = Array.from({ length: count }, (_, at) => `cart-${at}`)
    const watching = shop.paywindow.watch()
    const checkouts: KeyedCheckout[] = []
    for (const [at, reference] of references.entries()) {
      shop.sells({ price: { asset: 'USD', amount: `${at + 10}` } })
      checkouts.push(await shop.open({ reference }))
    }
    const wait = async (ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
        if (isPolled) for (const checkout of checkouts) await shop.poll(checkout)
        await shop.pass(5_000)
      }
    }
    await wait(2 * minuteMs)
    for (const at of references.keys()) pay(shop, at)
    await wait(2 * minuteMs)
    await shop.run(watching.stop())
    const told = shop.events.map(({ reference, phase }) => `${reference} ${phase}`)
    expect(told.sort()).toEqual(references.map((reference) => `${reference} paid`))
  })
})
