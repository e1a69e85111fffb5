import { describe, expect, it } from 'vitest'
import { storeNoting } from '../../testing/store-around.testing.ts'
import { createRepository } from '../records/repository.ts'
import { bitcoin, createTestShop, pay, reverse } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

const dayMs = 24 * 3_600_000

/** A store, and the keys that stand in its archive now. */
function watchedStore(): { store: Store; archived: Set<string> } {
  const archived = new Set<string>()
  const store = storeNoting(createMemoryStore(), ({ key, isArchived }) => {
    if (isArchived) archived.add(key)
    else archived.delete(key)
  })
  return { store, archived }
}

/** A shop, and a way to let days pass in which it is looked after once a day. */
function inDays(options: Parameters<typeof createTestShop>[0] = {}) {
  const { store, archived } = watchedStore()
  const shop = createTestShop({ store, ...options })
  const pass = async (days: number) => {
    for (let day = 0; day < days; day++) {
      await shop.pass(dayMs)
      await shop.run(shop.paywindow.watchOnce())
    }
  }
  return { shop, store, archived, pass }
}

describe('archiving', () => {
  it('archives a paid checkout 30 days after its last change, where it can still be read and listed', async () => {
    const { shop, archived, pass } = inDays()
    const checkout = await shop.open()
    pay(shop)
    await pass(29)
    expect(archived.size).toBe(0)
    const before = await shop.poll(checkout)
    await pass(3)
    expect([...archived]).toEqual([`checkout ${checkout.id}`])
    expect(await shop.poll(checkout)).toEqual({ ...before, expiresInMs: expect.any(Number) })
    expect(await shop.paywindow.checkouts.list({ reference: 'cart-42' })).toHaveLength(1)
    expect(await shop.paywindow.checkouts.get(checkout.id)).toMatchObject({ status: 'confirmed' })
    expect(shop.errors).toEqual([])
  })

  it('brings back a checkout that changes after all, and tells the merchant', async () => {
    const { shop, archived, pass } = inDays()
    const checkout = await shop.open()
    pay(shop)
    await pass(32)
    expect(archived.size).toBe(1)
    expect(await reverse(shop, checkout)).toBe('ended')
    expect(archived.size).toBe(0)
    await shop.settle()
    expect(shop.events.at(-1)?.status).toBe('canceled')
  })

  it('leaves alone what waits: unpaid checkouts until they are forgotten, and changes that nobody accepts', async () => {
    const { shop, archived, pass } = inDays({
      onStatusChange: () => {
        throw new Error('never works')
      },
    })
    await shop.open()
    pay(shop)
    shop.offer = { price: { asset: 'USD', amount: '12' }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
    await shop.open({ reference: 'cart-43' })
    await pass(60)
    expect(archived.size).toBe(0)
    await pass(40)
    expect(archived.size).toBe(0)
    expect(await shop.paywindow.checkouts.list()).toHaveLength(1)
  })

  it('deletes a checkout that never had an order, and keeps its cart, whose versions must go on', async () => {
    const { shop, store, pass } = inDays({
      sandbox: {
        faults: ({ method }) => (method === 'POST' ? { kind: 'status', status: 400, workDone: false } : undefined),
      },
    })
    await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect(await shop.paywindow.checkouts.list()).toHaveLength(1)
    expect(await store.read('cart cart-42')).toBeDefined()
    await pass(32)
    expect(await shop.paywindow.checkouts.list()).toEqual([])
    expect(await createRepository(store).readCart('cart-42')).toMatchObject({ entries: [] })
    expect((await store.read('cart cart-42'))?.version).toBeGreaterThan(1)
  })

  it('looks again at a checkout whose next look was lost, in place of archiving it', async () => {
    const { shop, store, archived, pass } = inDays()
    const { id } = await shop.open()
    await shop.settle()
    pay(shop)
    await createRepository(store).updateCheckout(id, (checkout) => ({ ...checkout, nextLookAtMs: null }))
    await shop.pass(31 * dayMs)
    await pass(2)
    expect(archived.size).toBe(0)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  })
})
