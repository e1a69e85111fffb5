/** One suite that every store has to pass. */
import { afterEach, describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory.ts'
import { createSqliteStore } from './sqlite.ts'
import type { NewRecord, Store } from './store.ts'

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

const record = (key: string, more: Partial<NewRecord> = {}): NewRecord => ({
  key,
  value: `value of ${key}`,
  due: [],
  labels: [],
  ...more,
})
const keys = (records: readonly { key: string }[]) => records.map(({ key }) => key)

describe.each([
  ['in memory', createMemoryStore],
  ['in SQLite', (now) => createSqliteStore(':memory:', now)],
] satisfies [string, (now: () => number) => Store][])('a store %s', (_, open) => {
  const create = (now: () => number) => {
    const store = open(now)
    stores.push(store)
    return store
  }

  it('creates a record once', async () => {
    const store = create(Date.now)
    expect(await store.create(record('a'))).toBe(true)
    expect(await store.create(record('a', { value: 'other' }))).toBe(false)
    expect(await store.read('a')).toEqual({ key: 'a', value: 'value of a', version: 1 })
    expect(await store.read('b')).toBeUndefined()
  })

  it('replaces only the version that was read', async () => {
    const store = create(Date.now)
    await store.create(record('a'))
    expect(await store.replace(record('a', { value: 'second' }), 1)).toBe(true)
    expect(await store.replace(record('a', { value: 'late' }), 1)).toBe(false)
    expect(await store.replace(record('none'), 1)).toBe(false)
    expect(await store.read('a')).toEqual({ key: 'a', value: 'second', version: 2 })
  })

  it('lets one of many writers of the same version win', async () => {
    const store = create(Date.now)
    await store.create(record('a'))
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.replace(record('a', { value: `${n}` }), 1)),
    )
    expect(wins.filter(Boolean)).toHaveLength(1)
  })

  it('reads many at once, and leaves out what is not there', async () => {
    const store = create(Date.now)
    for (const key of ['a', 'b', "c'"]) await store.create(record(key))
    expect(keys(await store.readMany(["c'", 'none', 'a'])).sort()).toEqual(['a', "c'"])
    expect((await store.readMany(['b']))[0]).toEqual({ key: 'b', value: 'value of b', version: 1 })
    expect(await store.readMany([])).toEqual([])
  })

  it('replaces those of many whose version was read, with their labels and queues', async () => {
    const store = create(Date.now)
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['old'] }))
    await store.replace(record('b', { value: 'in between', labels: ['old'] }), 1)
    const change = (key: string) => ({
      record: record(key, { value: 'new', labels: ['new'], due: [{ queue: 'look', atMs: 1 }] }),
      version: 1,
    })
    expect([...(await store.replaceMany(['a', 'b', 'c', 'none'].map(change)))].sort()).toEqual(['a', 'c'])
    expect(keys(await store.list('new', { limit: 9 }))).toEqual(['c', 'a'])
    expect(keys(await store.list('old', { limit: 9 }))).toEqual(['b'])
    expect(keys(await store.listDue('look', 1, 9))).toEqual(['a', 'c'])
    expect((await store.read('b'))?.value).toBe('in between')
    expect((await store.read('c'))?.version).toBe(2)
  })

  it('removes only the version that was read, with its labels', async () => {
    const store = create(Date.now)
    await store.create(record('a', { labels: ['all'] }))
    expect(await store.remove('a', 2)).toBe(false)
    expect(await store.remove('a', 1)).toBe(true)
    expect(await store.list('all', { limit: 10 })).toEqual([])
  })

  it('reads, lists, replaces and removes an archived record like any other', async () => {
    const store = create(Date.now)
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all'] }))
    const archived = record('b', { value: 'kept \u{1F4B0} '.repeat(99), labels: ['all'], isArchived: true })
    expect(await store.replace(archived, 2)).toBe(false)
    expect([...(await store.replaceMany([{ record: archived, version: 1 }]))]).toEqual(['b'])
    const expected = { key: 'b', value: archived.value, version: 2 }
    expect(await store.read('b')).toEqual(expected)
    expect(await store.readMany(['b', 'c'])).toContainEqual(expected)
    expect(await store.list('all', { limit: 2 })).toEqual([{ key: 'c', value: 'value of c', version: 1 }, expected])
    expect(await store.create(record('b'))).toBe(false)
    expect(await store.replace(archived, 1)).toBe(false)
    expect(await store.replace(archived, 2)).toBe(true)
    const due = [{ queue: 'look', atMs: 1 }]
    expect(await store.replace(record('b', { labels: ['all'], due }), 3)).toBe(true)
    expect(await store.read('b')).toEqual({ key: 'b', value: 'value of b', version: 4 })
    expect(keys(await store.listDue('look', 1, 9))).toEqual(['b'])
    expect(await store.replace(archived, 4)).toBe(true)
    expect(await store.listDue('look', 1, 9)).toEqual([])
    expect(await store.remove('b', 4)).toBe(false)
    expect(await store.remove('b', 5)).toBe(true)
    expect(await store.read('b')).toBeUndefined()
    expect(keys(await store.list('all', { limit: 9 }))).toEqual(['c', 'a'])
  })

  it('lists what is due, the longest due first', async () => {
    const store = create(Date.now)
    await store.create(record('late', { due: [{ queue: 'look', atMs: 30 }] }))
    await store.create(record('first', { due: [{ queue: 'look', atMs: 10 }] }))
    await store.create(
      record('second', {
        due: [
          { queue: 'look', atMs: 20 },
          { queue: 'tell', atMs: 15 },
        ],
      }),
    )
    await store.create(record('never'))
    expect(keys(await store.listDue('look', 20, 10))).toEqual(['first', 'second'])
    expect(keys(await store.listDue('look', 99, 1))).toEqual(['first'])
    await store.replace(record('first', { due: [] }), 1)
    expect(keys(await store.listDue('look', 20, 10))).toEqual(['second'])
  })

  it('lists by label, newest key first, in pages, and follows changed labels', async () => {
    const store = create(Date.now)
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all', `only ${key}`] }))
    expect(keys(await store.list('all', { limit: 2 }))).toEqual(['c', 'b'])
    expect(keys(await store.list('all', { limit: 2, before: 'b' }))).toEqual(['a'])
    await store.replace(record('b', { labels: ['all'] }), 1)
    expect(await store.list('only b', { limit: 2 })).toEqual([])
  })

  it('keeps queues apart', async () => {
    const store = create(Date.now)
    const due = [
      { queue: 'look', atMs: 20 },
      { queue: 'tell', atMs: 10 },
    ]
    await store.create(record('a', { due }))
    expect(keys(await store.listDue('tell', 10, 10))).toEqual(['a'])
    expect(await store.listDue('look', 10, 10)).toEqual([])
    await store.replace(record('a', { due: due.slice(0, 1) }), 1)
    expect(await store.listDue('tell', 99, 10)).toEqual([])
    await store.remove('a', 2)
    expect(await store.listDue('look', 99, 10)).toEqual([])
  })

  it('leases to one holder until it runs out by the clock of the store, or is given back', async () => {
    let nowMs = 100
    const store = create(() => nowMs)
    expect(await store.lease('turn', 'one', 100)).toBe(true)
    nowMs = 150
    expect(await store.lease('turn', 'two', 100)).toBe(false)
    expect(await store.lease('turn', 'one', 150)).toBe(true)
    nowMs = 299
    expect(await store.lease('turn', 'two', 100)).toBe(false)
    nowMs = 300
    expect(await store.lease('turn', 'two', 100)).toBe(true)
    nowMs = 350
    await store.release('turn', 'one')
    expect(await store.lease('turn', 'one', 100)).toBe(false)
    await store.release('turn', 'two')
    expect(await store.lease('turn', 'one', 100)).toBe(true)
  })

  it('does not respect for a day a lease taken by a clock that is a day ahead', async () => {
    const dayMs = 24 * 3_600_000
    let nowMs = dayMs
    const store = create(() => nowMs)
    expect(await store.lease('turn', 'ahead', 60_000)).toBe(true)
    nowMs = 0
    expect(await store.lease('turn', 'right', 60_000)).toBe(true)
    nowMs = -30_000
    expect(await store.lease('turn', 'other', 60_000)).toBe(false)
    nowMs = -60_000
    expect(await store.lease('turn', 'other', 60_000)).toBe(true)
  })
})
