import { describe, expect, it } from 'vitest'
import { isForgettable } from '../core/looks.ts'
import { createTestShop, pay } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Due, NewRecord, Store } from '../store/store.ts'
import { someCheckout, startMs } from './records.testing.ts'
import { createRepository } from './repository.ts'

const later = '"later":{"of":"open","list":[1]}'

/** A store in which a newer version makes the records of a kind: they have a field that this version does not know. */
function madeByNewer(kind: 'cart' | 'checkout'): { store: Store; writes: string[]; values: () => Promise<string[]> } {
  const base = createMemoryStore()
  const keys: string[] = []
  const writes: string[] = []
  const newer = (record: NewRecord) => ({ ...record, value: record.value.replace('"reference":', `${later},$&`) })
  const store: Store = {
    ...base,
    create: (record) => {
      if (!record.key.startsWith(`${kind} `)) return base.create(record)
      keys.push(record.key)
      return base.create(newer(record))
    },
    replace: (record, version) => {
      writes.push(record.key)
      return base.replace(record, version)
    },
    replaceMany: (replacements) => {
      writes.push(...replacements.map(({ record }) => record.key))
      return base.replaceMany(replacements)
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
    shop.offer = shop.offer && { ...shop.offer, price: { asset: 'USD', amount: '60' } }
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

describe('a checkout that waits in a queue of a newer version', () => {
  const dayMs = 24 * 3_600_000
  const waits = { queue: 'look at once', atMs: 5 }

  /** A paid one, which waits for nothing else. */
  async function setUp() {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    pay(shop)
    await shop.run(shop.paywindow.watchOnce())
    await shop.settle()
    const key = `checkout ${checkout.id}`
    const put = async (due: Due[]) => {
      const { version = 0 } = (await store.read(key)) ?? {}
      await store.reschedule([{ key, due, version }])
    }
    const due = async () => (await store.read(key))?.due
    return { store, repository: createRepository(store), shop, checkout, put, due }
  }

  it('stays there, whatever this version writes, and can be polled', async () => {
    const { repository, shop, checkout, put, due } = await setUp()
    await put([waits])
    expect(await shop.poll(checkout)).toMatchObject({ phase: 'paid' })
    await repository.updateCheckout(checkout.id, (latest) => ({ ...latest, revision: latest.revision + 1 }))
    expect(await due()).toEqual([waits])
    await repository.updateCheckouts([checkout.id], (latest) => ({ ...latest, nextLookAtMs: 7 }))
    expect(await due()).toEqual([{ queue: 'look fresh', atMs: 7 }, waits])
    expect(shop.errors).toEqual([])
  })

  it('is not archived', async () => {
    const { store, repository, shop, checkout, put, due } = await setUp()
    await put([waits, { queue: 'archive', atMs: 5 }])
    await repository.archive([checkout.id])
    await shop.pass(40 * dayMs)
    await shop.run(shop.paywindow.watchOnce())
    expect(await due()).toContainEqual(waits)
    await put([{ queue: 'archive', atMs: 5 }])
    await repository.archive([checkout.id])
    expect(await store.read(`checkout ${checkout.id}`)).toMatchObject({ due: [] })
  })

  it('is not deleted, however long ago it was', () => {
    const phaseOf = { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } as const
    const endMs = startMs + 91 * dayMs
    expect(isForgettable(someCheckout(), endMs, phaseOf)).toBe(true)
    expect(isForgettable(someCheckout({ otherDue: [waits] }), endMs, phaseOf)).toBe(false)
  })
})
