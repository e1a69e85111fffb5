/**
 * The files in `released` are what the release of that number wrote. Files are added there, and
 * never changed once they are released: a change of the code that cannot read them needs a default
 * for what they lack, or `v` 2 beside a reader of 1.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord } from '../store/store.ts'
import { writtenRecords } from './released.testing.ts'
import { createRepository } from './repository.ts'

const folder = join(import.meta.dirname, 'released')
const startOf = (kind: string) => `${kind} `

/** The records of a release, in a store. */
async function setUp(release: string) {
  const names = readdirSync(join(folder, release))
  const records = names.map((name): NewRecord => JSON.parse(readFileSync(join(folder, release, name), 'utf8')))
  const store = createMemoryStore()
  for (const record of records) await store.create(record)
  const idsOf = (kind: string) =>
    records.filter(({ key }) => key.startsWith(startOf(kind))).map(({ key }) => key.slice(startOf(kind).length))
  return { names, records, store, idsOf }
}

/** The text without the fields that a later version has added. */
function withFieldsOf(text: string, later: string): string {
  if (!text.startsWith('{')) return later
  const fields: Readonly<Record<string, unknown>> = JSON.parse(later)
  return JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(text)).map((field) => [field, fields[field]])))
}

describe.each(readdirSync(folder))('what %s wrote', (release) => {
  it('is read, and written again with nothing else in it', async () => {
    const { records, store, idsOf } = await setUp(release)
    const repository = createRepository(store)
    for (const id of idsOf('checkout')) await repository.updateCheckout(id, (checkout) => ({ ...checkout }))
    for (const reference of idsOf('cart')) await repository.updateCart(reference, (cart) => ({ ...cart }))
    await repository.updateServers((servers) => ({ ...servers }))
    for (const id of idsOf('order')) {
      const owner = await repository.ownerOf(id)
      expect(idsOf('checkout')).toContain(owner)
      expect(await repository.claimOrder(id, owner ?? '')).toBe(owner)
    }
    for (const { key, value } of records) {
      const later = (await store.read(key))?.value ?? ''
      expect(withFieldsOf(value, later)).toBe(value)
    }
  })

  it('is served and followed', async () => {
    const { store, idsOf } = await setUp(release)
    const shop = createTestShop({ store })
    for (const { id, key, reference, status } of await createRepository(store).readCheckouts(idsOf('checkout')))
      expect(await shop.send('GET', `/checkouts/${id}`, { key })).toMatchObject({
        status: 200,
        json: { reference, status },
      })
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.errors.filter(({ code }) => code === 'record_unreadable' || code === 'internal')).toEqual([])
  })

  it('is what a run for the next release writes, by its names', async () => {
    const { names } = await setUp(release)
    expect([...(await writtenRecords()).keys()].map((name) => `${name}.json`)).toEqual(expect.arrayContaining(names))
  })
})
