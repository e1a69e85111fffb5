import { describe, expect, it } from 'vitest'
import { recording } from '../../testing/store-around.testing.ts'
import { intentLabel } from '../core/types.ts'
import { pay } from '../following/binding.testing.ts'
import { createTestShop, order, watchFor } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { someCheckout, startMs } from './records.testing.ts'
import { createRepository } from './repository.ts'

const minuteMs = 60_000

/**
 * Opens two carts, and makes the first record one of a newer version, with its labels and times.
 */
async function setUp(change: (text: string) => string = (text) => text.replace('"v":1', '"v":2')) {
  const { store: base, written } = recording(createMemoryStore())
  /** Reads of the record are changed; the store keeps the written text. */
  const spoil = { key: '', isOn: true }
  const seen = <Stored extends { key: string; value: string }>(record: Stored): Stored =>
    spoil.isOn && record.key === spoil.key ? { ...record, value: change(record.value) } : record
  const store: Store = {
    ...base,
    read: async (key) => {
      const record = await base.read(key)
      return record && seen(record)
    },
    readMany: async (keys) => (await base.readMany(keys)).map(seen),
    listDue: async (queue, nowMs, limit) => (await base.listDue(queue, nowMs, limit)).map(seen),
    list: async (label, options) => (await base.list(label, options)).map(seen),
  }
  const shop = createTestShop({ store })
  const [first, second] = [await shop.open({ reference: 'cart-1' }), await shop.open({ reference: 'cart-2' })]
  await shop.settle()
  spoil.key = `checkout ${first.id}`
  return { shop, store, first, second, spoil, written }
}

describe('a record that cannot be read', () => {
  it.each([
    ['of a newer version', (text: string) => text.replace('"v":1', '"v":2')],
    [
      'with a field that is out of bounds',
      (text: string) => text.replace('"reference":"', `"reference":"${'x'.repeat(300)}`),
    ],
    ['that is no JSON', (text: string) => text.slice(0, 100)],
    ['that is empty', () => ''],
  ])('%s keeps nobody else from being followed, and is reported once with its key', async (_, change) => {
    const { shop, first, second, written, spoil } = await setUp(change)
    pay(shop, second.address, second.amount)
    await watchFor(shop, 10 * minuteMs)
    expect(shop.events.map(({ reference }) => reference)).toEqual(['cart-2'])
    expect(shop.errors.map(({ code }) => code)).toEqual(['record_unreadable'])
    expect(shop.errors[0]?.message).toContain(`checkout ${first.id}`)
    expect(JSON.stringify(shop.errors)).not.toContain(first.key)
    // Nothing is written to it: a version that can read it may be running beside this one.
    spoil.isOn = true
    const before = written.length
    await watchFor(shop, 2 * minuteMs)
    expect(written.slice(before).map(({ key }) => key)).not.toContain(spoil.key)
  })

  it('is followed again once a version can read it', async () => {
    const { shop, first, spoil, store } = await setUp()
    pay(shop, first.address, first.amount)
    await watchFor(shop, minuteMs)
    expect(shop.events).toEqual([])
    spoil.isOn = false
    const newer = createTestShop({ beside: { shop, store } })
    await watchFor(newer, minuteMs)
    expect(newer.events.map(({ reference, status }) => [reference, status])).toEqual([['cart-1', 'confirmed']])
  })

  it('is answered with 500, without any of its content', async () => {
    const { shop, first } = await setUp()
    const answer = await shop.send('GET', `/checkouts/${first.id}`, { key: first.key })
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'internal' } } })
    expect(JSON.stringify(answer.json)).not.toContain('version')
  })

  it("is omitted from the merchant's lists, which continue", async () => {
    const { shop, second } = await setUp()
    expect((await shop.paywindow.checkouts.list()).map(({ id }) => id)).toEqual([second.id])
    expect((await shop.paywindow.checkouts.list({ limit: 1 })).map(({ id }) => id)).toEqual([second.id])
  })

  it('is still counted by its labels among equal checkouts of its time', async () => {
    const store = createMemoryStore()
    const repository = createRepository(store)
    const open = someCheckout({ id: `${startMs.toString(36).padStart(9, '0')}00000000000a` })
    await repository.createCheckout(open)
    const label = intentLabel(open)
    expect(await repository.hasUnreadable(label, startMs)).toBe(false)
    const [written] = await store.list(label, { limit: 1 })
    if (!written) throw new Error('The checkout has no label of its intent')
    const newer = { key: written.key, value: written.value.replace('"v":1', '"v":2'), due: [], labels: [label] }
    await store.replace(newer, 1)
    expect(await repository.listCheckouts(label, { limit: 10 })).toEqual([])
    expect(await repository.hasUnreadable(label, startMs)).toBe(true)
    expect(await repository.hasUnreadable(label, startMs + 3 * 24 * 60 * minuteMs)).toBe(false)
  })

  it('does not keep a paid sibling in its cart from being delivered', async () => {
    const { shop, first, spoil } = await setUp()
    shop.sells({ price: { asset: 'USD', amount: '60' } })
    const sibling = await shop.open({ reference: 'cart-1' }).catch(() => undefined)
    expect(sibling).toBeUndefined()
    spoil.isOn = false
    const opened = await shop.open({ reference: 'cart-1' })
    await shop.settle()
    spoil.isOn = true
    pay(shop, opened.address, opened.amount)
    await watchFor(shop, 2 * minuteMs)
    expect(shop.events.map(({ reference, status }) => [reference, status])).toEqual([['cart-1', 'confirmed']])
    const [twice] = shop.errors.filter(({ code }) => code === 'paid_twice')
    expect(twice?.message).toContain('may have been paid more than once')
    expect(first.id).not.toBe(opened.id)
  })

  it('does not fill a page of a queue, however many there are', async () => {
    const base = createMemoryStore()
    for (let at = 0; at < 700; at++) {
      const id = `000000000${String(at).padStart(12, '0')}`
      const due = [
        { queue: 'look', atMs: 1 },
        { queue: 'tell', atMs: 1 },
      ]
      await base.create({ key: `checkout ${id}`, value: '{"v":2}', due, labels: ['all'] })
    }
    const shop = createTestShop({ store: base })
    const opened = await shop.open()
    await shop.settle()
    pay(shop, opened.address, opened.amount)
    await watchFor(shop, minuteMs)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(shop.errors).toHaveLength(700)
    expect((await base.read('checkout 000000000000000000000'))?.value).toBe('{"v":2}')
  })
})

describe('what cannot be read back', () => {
  it('is not written, and does not stop other writes', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    await shop.settle()
    const before = await store.read(`checkout ${checkout.id}`)
    const poisoned = createRepository(store).updateCheckout(checkout.id, (current) => ({
      ...current,
      reference: 'x'.repeat(300),
    }))
    await expect(poisoned).rejects.toMatchObject({ code: 'internal' })
    expect(await store.read(`checkout ${checkout.id}`)).toEqual(before)
    await expect(createRepository(store).createCheckout(someCheckout({ key: 'x'.repeat(300) }))).rejects.toMatchObject({
      code: 'internal',
    })
    expect(order(shop).id).not.toBe('')
  })
})
