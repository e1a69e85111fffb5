import { expect, it } from 'vitest'
import { createTestShop, pay, reverse } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

it('a process whose turn ended while it read the rest of the cart tells nothing: another has told that, and more', async () => {
  const web = createTestShop({ hasCallback: false })
  const store = createMemoryStore(web.clock.now)
  const shared = { shop: web, store }
  let isStuck = false
  const { promise: stuck, resolve: goOn } = Promise.withResolvers<void>()
  const slow: Store = {
    ...store,
    read: async (key) => {
      if (key.startsWith('cart ')) {
        isStuck = true
        await stuck
      }
      return store.read(key)
    },
    lease: async (name, holder, forMs) => {
      if (isStuck) await stuck
      return store.lease(name, holder, forMs)
    },
  }
  const seller = createTestShop({ beside: shared, hasCallback: false })
  const late = createTestShop({ beside: { shop: web, store: slow } })
  const other = createTestShop({ beside: shared })

  const checkout = await seller.open()
  await seller.settle()
  pay(web)
  await web.pass(3_000)
  expect((await seller.poll(checkout)).phase).toBe('paid')
  const delivering = late.paywindow.watchOnce()
  await web.pass(12_000)
  expect(isStuck).toBe(true)
  await web.run(other.paywindow.watchOnce())
  expect(await reverse(seller, checkout)).toBe('ended')
  await web.run(other.paywindow.watchOnce())
  goOn()
  await web.run(delivering)
  await late.settle()
  expect(other.events.map(({ status }) => status)).toEqual(['confirmed', 'canceled'])
  expect(late.events).toEqual([])
})
