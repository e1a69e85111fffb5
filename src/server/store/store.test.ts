/** One suite that every store has to pass. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

function open(path: string, now: () => number = Date.now): Store {
  const store = createSqliteStore(path, now)
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
  due: [],
  labels: [],
  ...more,
})
const keys = (records: readonly { key: string }[]) => records.map(({ key }) => key)

describe.each([
  ['in memory', createMemoryStore],
  ['in SQLite', (now) => open(sqliteFile(), now)],
] satisfies [string, (now: () => number) => Store][])('a store %s', (_, create) => {
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

const firstSchema = `
  CREATE TABLE records (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, due_at_ms INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX records_due ON records (due_at_ms, key) WHERE due_at_ms IS NOT NULL;
  CREATE TABLE labels (label TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (label, key)) STRICT, WITHOUT ROWID;
  CREATE INDEX labels_key ON labels (key);
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1`

describe('the SQLite store', () => {
  it('keeps what was written when it is opened again, also by a second process', async () => {
    const path = sqliteFile()
    const first = open(path)
    await first.create(record('a', { labels: ['all'], due: [{ queue: 'look', atMs: 1 }] }))
    const second = open(path)
    expect(keys(await second.listDue('look', 1, 1))).toEqual(['a'])
    expect(await second.replace(record('a', { value: 'two' }), 1)).toBe(true)
    expect((await first.read('a'))?.value).toBe('two')
  })

  it('uses write-ahead logging with full synchronisation', () => {
    const path = sqliteFile()
    open(path)
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    database.close()
  })

  it('reads the queues of records of the first schema', async () => {
    const path = sqliteFile()
    mkdirSync(dirname(path))
    const database = new DatabaseSync(path)
    database.exec(firstSchema)
    const value = JSON.stringify({
      nextLookAtMs: 30,
      events: [{ nextTryAtMs: null }, { nextTryAtMs: 20 }, { nextTryAtMs: 40 }],
    })
    const insert = database.prepare('INSERT INTO records VALUES (?, 1, ?, ?)')
    insert.run('checkout a', value, 20)
    insert.run('checkout b', JSON.stringify({ nextLookAtMs: 35, events: [] }), 35)
    insert.run('order c', 'not json', null)
    for (const poisoned of ['{', '[]', '{"nextLookAtMs":"soon","events":7}', '{"events":["x",{"nextTryAtMs":{}}]}'])
      insert.run(`checkout poisoned ${poisoned}`, poisoned, 99)
    insert.run('icon d', 'https://cdn.example/d.png', null)
    database.close()
    const store = open(path)
    expect(keys(await store.listDue('look', 30, 10))).toEqual(['checkout a'])
    expect(keys(await store.listDue('look', 35, 10))).toEqual(['checkout a', 'checkout b'])
    expect(keys(await store.listDue('tell', 99, 10))).toEqual(['checkout a'])
    expect(keys(await store.listDue('look', 99, 10))).toEqual(['checkout a', 'checkout b', 'checkout poisoned {'])
    expect(await store.lease('turn', 'one', 10)).toBe(true)
    expect(await store.read('order c')).toBeDefined()
    // Icons are named without records now, and nothing else takes these away.
    expect(await store.read('icon d')).toBeUndefined()
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
