/** The D1 store on real D1 databases, held to the contract of all stores. */
import { describe, expect, it } from 'vitest'
import type { D1StoreDatabase } from '../../src/server/store/d1.ts'
import { createD1Store } from '../../src/server/store/d1.ts'
import { everyVerb, look, record } from '../../src/server/store/store-cases.testing.ts'
import { testStore } from '../../src/testing/index.ts'
import { databaseOf, describeD1, recorded, rows } from './d1-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

describeD1('a D1 database', (d1) => {
  const places = new Map<string, number>()
  /** The database of a place: of the same name the same one. */
  function databaseAt(place: string): D1StoreDatabase {
    const at = places.get(place) ?? places.size
    places.set(place, at)
    return databaseOf(() => d1().port(), at)
  }

  testStore('with two Workers', (place) => createD1Store({ database: databaseAt(place) }), {
    describe,
    // A thousand creations go through one process that writes to the disk after each.
    it: (name, test) => it(name, test, 60_000),
  })

  it('is told from a session of it by what only a session has', async () => {
    const response = await fetch(`http://127.0.0.1:${d1().port()}/`)
    expect(await response.json()).toEqual({ binding: false, session: true })
  })

  it('gets one batch for each verb, after those that make the tables', async () => {
    const { database, batches } = recorded(databaseAt('counted'))
    const store = createD1Store({ database })
    await store.read('a')
    expect(batches.splice(0)).toHaveLength(3)
    for (const [verb, call] of everyVerb(store)) {
      await call()
      expect(batches.splice(0), verb).toHaveLength(1)
    }
    await createD1Store({ database }).read('a')
    expect(batches).toHaveLength(2)
    expect(await store.readMany([])).toEqual([])
    expect(await store.replaceMany([])).toEqual(new Set())
    expect(batches).toHaveLength(2)
  })

  it('is asked within its limits, however many records there are', async () => {
    const { database, batches } = recorded(databaseAt('many'))
    const store = createD1Store({ database })
    // As long as keys may be, and three bytes a unit.
    const named = Array.from({ length: 6_000 }, (_, index) => `${index} `.padEnd(205, '支'))
    await store.create(record(named[5_999] ?? ''))
    batches.splice(0)
    expect(await store.readMany(named)).toHaveLength(1)
    const due = named.map((key) => ({ key, version: 1, due: look }))
    expect(await store.reschedule(due)).toEqual(new Set([named[5_999]]))
    const batch = named.slice(5_900).map((key) => ({ record: record(key, { labels: ['all'] }), version: 1 }))
    expect(await store.replaceMany(batch)).toEqual(new Set([named[5_999]]))
    expect(batches.map((each) => each.length)).toEqual([3, 3, 5])
    for (const { text, values } of batches.flat()) {
      expect(Buffer.byteLength(text)).toBeLessThan(100_000)
      expect(values.length).toBeLessThanOrEqual(100)
      for (const value of values) expect(Buffer.byteLength(String(value))).toBeLessThan(2_000_000)
    }
  })

  it('is made ready once by Workers that start at once', async () => {
    const database = databaseAt('together')
    const stores = Array.from({ length: 8 }, () => createD1Store({ database }))
    expect((await Promise.all(stores.map((store) => store.create(record('a'))))).filter(Boolean)).toHaveLength(1)
    const versions = await rows(database, 'SELECT version FROM paywindow_versions')
    expect(versions).toEqual([{ version: 2 }])
  })

  it('of a newer version is refused and left as it is, unless it allows it', async () => {
    const newer = async (oldest: string) => {
      const database = databaseAt(`newer ${oldest}`)
      await createD1Store({ database }).create(record('a'))
      await rows(database, `INSERT INTO paywindow_versions (version, oldest) VALUES (99, ${oldest})`)
      return database
    }
    for (const oldest of ['99', '3', 'NULL']) {
      const database = await newer(oldest)
      await expect(createD1Store({ database }).remove('a', 1)).rejects.toThrow(/newer version of Paywindow \(99/)
      expect(await rows(database, 'SELECT key FROM paywindow_records')).toEqual([{ key: 'a' }])
    }
    const database = await newer('2')
    expect(await createD1Store({ database }).remove('a', 1)).toBe(true)
    const versions = await rows(database, 'SELECT version FROM paywindow_versions')
    expect(versions).toEqual([{ version: 2 }, { version: 99 }])
  })

  it('says which versions may use it', async () => {
    const database = databaseAt('oldest')
    await createD1Store({ database }).read('a')
    expect(await rows(database, 'SELECT * FROM paywindow_versions')).toEqual([{ version: 2, oldest: 2 }])
  })

  it('whose table of records has another name fails Workers that are running, as a version that they may not use has to', async () => {
    const database = databaseAt('renamed')
    const store = createD1Store({ database })
    await store.create(record('a', { labels: ['x'], due: look }))
    await rows(database, 'ALTER TABLE paywindow_records RENAME TO paywindow_records_3')
    for (const [verb, call] of everyVerb(store))
      if (!/lease/.test(verb)) await expect(call(), verb).rejects.toThrow(/no such table: paywindow_records/)
  })

  it('has nothing left of a record that was removed and a lease that was released', async () => {
    const database = databaseAt('empty')
    const store = createD1Store({ database })
    await store.create(record('a', { labels: ['x', '', 'x'], due: [...look, { queue: '', atMs: -5 }] }))
    expect((await store.list('', { limit: 9 }))[0]?.due).toEqual([...look, { queue: '', atMs: -5 }])
    await store.lease('turn', 'one', 9)
    await store.remove('a', 1)
    await store.release('turn', 'one')
    for (const table of ['records', 'labels', 'due', 'leases'])
      expect(await rows(database, `SELECT * FROM paywindow_${table}`), table).toEqual([])
  })

  it('writes rows of labels only where these change', async () => {
    const database = databaseAt('labels')
    const store = createD1Store({ database })
    await store.create(record('a', { labels: ['all', 'open'] }))
    await rows(database, 'CREATE TABLE seen (what TEXT) STRICT')
    for (const [when, row, sign] of [
      ['INSERT', 'new', '+'],
      ['DELETE', 'old', '-'],
    ])
      await rows(
        database,
        `CREATE TRIGGER see_${when} AFTER ${when} ON paywindow_labels BEGIN INSERT INTO seen VALUES ('${sign}' || ${row}.label); END`,
      )
    const seen = async () => (await rows(database, 'DELETE FROM seen RETURNING what')).map(({ what }) => what).sort()
    await store.replace(record('a', { value: 'two', labels: ['open', 'all'] }), 1)
    await store.reschedule([{ key: 'a', version: 2, due: look }])
    expect(await seen()).toEqual([])
    await store.replace(record('a', { labels: ['all', 'paid'] }), 2)
    expect(await seen()).toEqual(['+paid', '-open'])
  })

  it('serves two servers: each order is created once, shown as paid by both, and told once', async () => {
    const open = () => createD1Store({ database: databaseAt('two servers') })
    await sellOnTwoServers([open(), open()])
  }, 60_000)

  it('looks up what it changes and lists by key', async () => {
    const { database, batches } = recorded(databaseAt('plans'))
    const store = createD1Store({ database })
    await store.read('a')
    batches.splice(0)
    for (const [, call] of everyVerb(store)) await call()
    for (const { text, values } of batches.flat()) {
      const [plan] = await databaseAt('plans').batch([database.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...values)])
      const steps = (plan?.results ?? []).map((row) => String((row as { detail: unknown }).detail))
      expect(
        steps.filter((step) => /SCAN (?!c\b|json_each|CONSTANT|\d+ CONSTANT)|TEMP B-TREE/.test(step)),
        text,
      ).toEqual([])
    }
  })
})

describe('createD1Store', () => {
  it('refuses a session, which may read what is out of date', () => {
    const session = {
      prepare: () => ({ bind: () => session.prepare() }),
      batch: async () => [],
      getBookmark: () => null,
    }
    expect(() => createD1Store({ database: session })).toThrow(/D1 session/)
  })

  it('refuses what is no D1 database', async () => {
    const statement = { bind: () => statement }
    const store = createD1Store({ database: { prepare: () => statement, batch: async () => [] } })
    await expect(store.read('a')).rejects.toThrow(/must be a D1 database/)
  })
})
