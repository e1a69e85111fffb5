import { describe, expect, it } from 'vitest'
import { storeNoting } from '../../testing/store-around.testing.ts'
import { createTestShop, pay } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord, Store } from '../store/store.ts'
import { someCheckout } from './records.testing.ts'
import { createRepository } from './repository.ts'

const later = '"later":{"of":"open","list":[1]}'

/**
 * A store in which a newer version makes the records of a kind: they have a field that this version
 * does not know.
 */
function madeByNewer(kind: 'cart' | 'checkout'): { store: Store; writes: string[]; values: () => Promise<string[]> } {
  const base = createMemoryStore()
  const keys: string[] = []
  const writes: string[] = []
  const newer = (record: NewRecord) => ({ ...record, value: record.value.replace('"reference":', `${later},$&`) })
  const store: Store = {
    ...storeNoting(base, ({ key }) => writes.push(key)),
    create: (record) => {
      if (!record.key.startsWith(`${kind} `)) return base.create(record)
      keys.push(record.key)
      return base.create(newer(record))
    },
  }
  const values = async () => (await base.readMany(keys)).map(({ value }) => value)
  return { store, writes, values }
}

describe('a field that a newer version has added', () => {
  it.each(['cart', 'checkout'] as const)('to a %s stays through all that this version writes', async (kind) => {
    const { store, writes, values } = madeByNewer(kind)
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    const watching = shop.paywindow.watch()
    await shop.pass(10_000)
    const handover = await shop.send('POST', `/checkouts/${checkout.id}/handover`, { body: {}, key: checkout.key })
    expect(handover.status).toBe(200)
    // Another price is another checkout, which the cart names.
    shop.sells({ price: { asset: 'USD', amount: '60' } })
    expect(await shop.open()).not.toMatchObject({ id: checkout.id })
    pay(shop)
    await shop.pass(60_000)
    await shop.run(watching.stop())
    expect(await shop.poll(checkout)).toMatchObject({ id: checkout.id, phase: 'paid' })
    expect(writes.filter((key) => key.startsWith(`${kind} `))).not.toEqual([])
    for (const value of await values()) expect(value).toContain(later)
    expect(shop.errors).toEqual([])
  })

  it('does not make this version write the checkout where only its look is put off', async () => {
    const { store, writes, values } = madeByNewer('checkout')
    const repository = createRepository(store)
    const { id } = someCheckout()
    await repository.createCheckout(someCheckout({ nextLookAtMs: 1_000 }))
    const before = await values()
    await repository.updateCheckout(id, (checkout) => ({ ...checkout, nextLookAtMs: 2_000 }))
    await repository.updateCheckouts([id], (checkout) => ({ ...checkout, nextLookAtMs: 3_000 }))
    expect(await repository.readCheckout(id)).toMatchObject({ nextLookAtMs: 3_000 })
    expect(writes).toEqual([])
    expect(await values()).toEqual(before)
  })

  it('reaches no browser and no page of the merchant', async () => {
    const { store } = madeByNewer('checkout')
    const shop = createTestShop({ store })
    const { id, key } = await shop.open()
    expect(JSON.stringify((await shop.send('GET', `/checkouts/${id}`, { key })).json)).not.toContain('later')
    expect(JSON.stringify(await shop.paywindow.checkouts.list())).not.toContain('later')
  })
})
