/** One suite that every store has to pass. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory.ts'
import { createSqliteStore } from './sqlite.ts'
import type { NewRecord, Store } from './store.ts'

const folders: string[] = []
const stores: Store[] = []

function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-store-'))
  folders.push(folder)
  return join(folder, 'deep', 'store.sqlite')
}

function open(path: string): Store {
  const store = createSqliteStore(path)
  stores.push(store)
  return store
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const record = (key: string, more: Partial<NewRecord> = {}): NewRecord => ({
  key,
  value: `value of ${key}`,
  dueAtMs: null,
  labels: [],
  ...more,
})
const keys = (records: readonly { key: string }[]) => records.map(({ key }) => key)

describe.each([
  ['in memory', createMemoryStore],
  ['in SQLite', () => open(sqliteFile())],
])('a store %s', (_, create) => {
  it('creates a record once', async () => {
    const store = create()
    expect(await store.create(record('a'))).toBe(true)
    expect(await store.create(record('a', { value: 'other' }))).toBe(false)
    expect(await store.read('a')).toEqual({ key: 'a', value: 'value of a', version: 1 })
    expect(await store.read('b')).toBeUndefined()
  })

  it('replaces only the version that was read', async () => {
    const store = create()
    await store.create(record('a'))
    expect(await store.replace(record('a', { value: 'second' }), 1)).toBe(true)
    expect(await store.replace(record('a', { value: 'late' }), 1)).toBe(false)
    expect(await store.replace(record('none'), 1)).toBe(false)
    expect(await store.read('a')).toEqual({ key: 'a', value: 'second', version: 2 })
  })

  it('lets one of many writers of the same version win', async () => {
    const store = create()
    await store.create(record('a'))
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.replace(record('a', { value: `${n}` }), 1)),
    )
    expect(wins.filter(Boolean)).toHaveLength(1)
  })

  it('removes only the version that was read, with its labels', async () => {
    const store = create()
    await store.create(record('a', { labels: ['all'] }))
    expect(await store.remove('a', 2)).toBe(false)
    expect(await store.remove('a', 1)).toBe(true)
    expect(await store.list('all', { limit: 10 })).toEqual([])
  })

  it('lists what is due, the longest due first', async () => {
    const store = create()
    await store.create(record('late', { dueAtMs: 30 }))
    await store.create(record('first', { dueAtMs: 10 }))
    await store.create(record('second', { dueAtMs: 20 }))
    await store.create(record('never'))
    expect(keys(await store.listDue(20, 10))).toEqual(['first', 'second'])
    expect(keys(await store.listDue(99, 1))).toEqual(['first'])
    await store.replace(record('first', { dueAtMs: null }), 1)
    expect(keys(await store.listDue(20, 10))).toEqual(['second'])
  })

  it('lists by label, newest key first, in pages, and follows changed labels', async () => {
    const store = create()
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all', `only ${key}`] }))
    expect(keys(await store.list('all', { limit: 2 }))).toEqual(['c', 'b'])
    expect(keys(await store.list('all', { limit: 2, before: 'b' }))).toEqual(['a'])
    await store.replace(record('b', { labels: ['all'] }), 1)
    expect(await store.list('only b', { limit: 2 })).toEqual([])
  })

  it('leases to one holder until it runs out or is given back', async () => {
    const store = create()
    expect(await store.lease('turn', 'one', 100, 200)).toBe(true)
    expect(await store.lease('turn', 'two', 150, 250)).toBe(false)
    expect(await store.lease('turn', 'one', 150, 300)).toBe(true)
    expect(await store.lease('turn', 'two', 299, 400)).toBe(false)
    expect(await store.lease('turn', 'two', 300, 400)).toBe(true)
    await store.release('turn', 'one')
    expect(await store.lease('turn', 'one', 350, 450)).toBe(false)
    await store.release('turn', 'two')
    expect(await store.lease('turn', 'one', 350, 450)).toBe(true)
  })
})

describe('the SQLite store', () => {
  it('keeps what it was told when it is opened again, by a second process too', async () => {
    const path = sqliteFile()
    const first = open(path)
    await first.create(record('a', { labels: ['all'], dueAtMs: 1 }))
    const second = open(path)
    expect(keys(await second.listDue(1, 1))).toEqual(['a'])
    expect(await second.replace(record('a', { value: 'two' }), 1)).toBe(true)
    expect((await first.read('a'))?.value).toBe('two')
  })

  it('writes ahead with full synchronisation', () => {
    const path = sqliteFile()
    open(path)
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    database.close()
  })

  it('refuses a file of a newer version and leaves it as it is', () => {
    const path = sqliteFile()
    open(path)
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    expect(() => createSqliteStore(path)).toThrow(/newer version/)
  })
})
