import { describe, expect, it } from 'vitest'
import type { CheckoutRecord } from '../core/types.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop, deposit, order, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

const minuteMs = 60_000

/**
 * Opens a checkout and pays it, and delivers what there is; a moment passes between the changes.
 */
async function sell(shop: TestShop): Promise<string> {
  const { id } = await shop.open()
  await shop.settle()
  deposit(shop)
  const watching = shop.paywindow.watch()
  await shop.pass(2 * minuteMs)
  shop.sandbox.payer.confirm(order(shop).id)
  await shop.pass(2 * minuteMs)
  await shop.run(watching.stop())
  return id
}

/** Changes the text of a checkout's record behind the server's back. */
async function rewrite(store: Store, id: string, change: (json: CheckoutRecord) => object): Promise<void> {
  const found = await store.read(`checkout ${id}`)
  if (!found) throw new Error(`The store has no checkout ${id}`)
  const record = { key: found.key, value: JSON.stringify(change(JSON.parse(found.value))), labels: ['all'], due: [] }
  expect(await store.replace(record, found.version)).toBe(true)
}

describe('retell', () => {
  it('calls once more for the last change, with the same eventId, and for no earlier one', async () => {
    const shop = createTestShop()
    const id = await sell(shop)
    expect(shop.events.map(({ status }) => status)).toEqual(['pending', 'confirmed'])
    expect(await shop.run(shop.paywindow.retell(id))).toMatchObject({ status: 'confirmed', untoldEvents: 1 })
    await shop.settle()
    expect(shop.events).toHaveLength(3)
    const { checkout: _, ...first } = shop.events[1] ?? {}
    expect(shop.events[2]).toMatchObject(first)
    expect(await shop.run(shop.paywindow.checkouts.get(id))).toMatchObject({ untoldEvents: 0 })
  })

  it('leaves the call to the process that has the callback', async () => {
    const store = createMemoryStore()
    const web = createTestShop({ store, hasCallback: false })
    const worker = createTestShop({ beside: { shop: web, store } })
    const id = await sell(worker)
    expect(worker.events).toHaveLength(2)
    await web.run(web.paywindow.retell(id))
    await web.run(web.paywindow.retell(id))
    await web.settle()
    await web.run(worker.paywindow.watchOnce())
    expect(worker.events.map(({ eventId }) => eventId)).toHaveLength(3)
    expect(worker.events[2]?.eventId).toBe(worker.events[1]?.eventId)
  })

  it('delivers what was given up, from the oldest on', async () => {
    const store = createMemoryStore()
    const web = createTestShop({ store, hasCallback: false })
    const worker = createTestShop({ beside: { shop: web, store } })
    const id = await sell(web)
    await rewrite(store, id, (checkout) => {
      const [first] = checkout.events
      return { ...checkout, events: [{ ...first, failures: 40, nextTryAtMs: null }] }
    })
    await web.run(worker.paywindow.watchOnce())
    expect(worker.events).toEqual([])
    await web.run(web.paywindow.retell(id))
    await web.run(worker.paywindow.watchOnce())
    expect(worker.events.map(({ status }) => status)).toEqual(['pending', 'confirmed'])
  })

  it('is not undone by a call that was under way, however that ends', async () => {
    const store = createMemoryStore()
    const web = createTestShop({ store, hasCallback: false })
    let isBroken = true
    const told: string[] = []
    const worker = createTestShop({
      beside: { shop: web, store },
      onStatusChange: async ({ status }) => {
        if (!isBroken) return void told.push(status)
        await web.clock.sleep(20_000)
        throw new Error('The shop is down')
      },
    })
    const id = await sell(web)
    const at = new Date(web.clock.now() - 8 * 24 * 60 * minuteMs).toISOString()
    await createRepository(store).updateCheckout(id, (checkout) => ({
      ...checkout,
      events: checkout.events.map((event) => ({ ...event, at, failures: 179, nextTryAtMs: web.clock.now() })),
    }))
    // The last call before it is given up.
    const round = worker.paywindow.watchOnce()
    await web.pass(5_000)
    isBroken = false
    await web.run(web.paywindow.retell(id))
    await web.run(round)
    await web.run(worker.paywindow.watchOnce())
    expect(told).toEqual(['pending', 'confirmed'])
  })

  it('refuses where there is nothing to tell', async () => {
    const shop = createTestShop()
    await expect(shop.run(shop.paywindow.retell('missing'))).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await shop.open({ reference: 'cart-42' })
    await shop.settle()
    await expect(shop.run(shop.paywindow.retell(id))).rejects.toThrow('there is nothing to deliver')
  })
})
