/** What goes wrong with a D1 database: batches that fail or race, crashes, lost replies, clocks. */
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createD1Store } from '../../src/server/store/d1.ts'
import { losingReplies } from '../../src/server/store/losing-replies.testing.ts'
import { expectDoneOnce, look, record } from '../../src/server/store/store-cases.testing.ts'
import { databaseOf, describeD1, rows } from './d1-server.ts'

describeD1('a D1 database', (d1) => {
  let opened = 0
  /** One that is empty. */
  const newDatabase = () => databaseOf(() => d1().port(), opened++)

  it('has each batch whole or not at all, whatever fails in it', async () => {
    const store = createD1Store({ database: newDatabase() })
    const named = Array.from({ length: 50 }, (_, index) => `record ${index}`)
    for (const key of named) await store.create(record(key, { labels: ['old'] }))
    const broken = named.map((key, index) => ({
      record: record(key, { labels: ['new'], due: [{ queue: 'look', atMs: index < 49 ? 1 : 0.5 }] }),
      version: 1,
    }))
    await expect(store.replaceMany(broken)).rejects.toThrow(/REAL value in INTEGER column/)
    expect(await store.list('old', { limit: 99 })).toHaveLength(50)
    expect(await store.list('new', { limit: 99 })).toEqual([])
    expect(await store.listDue('look', 9, 99)).toEqual([])
    await expect(store.create(record('a', { due: [{ queue: 'look', atMs: Number.NaN }] }))).rejects.toThrow()
    await expect(store.create(record('a', { value: '支'.repeat(1_000_000) }))).rejects.toThrow(/too big/)
    expect(await store.read('a')).toBeUndefined()
  })

  it('lets one of two batches that race have each record, with all its lists', async () => {
    const database = newDatabase()
    const [one, two] = [createD1Store({ database }), createD1Store({ database })]
    const named = Array.from({ length: 40 }, (_, index) => `record ${index}`)
    for (const key of named) await one.create(record(key))
    for (let version = 1; version <= 20; version++) {
      const batch = (name: string) =>
        named.map((key) => ({
          record: record(key, { value: name, labels: [name], due: [{ queue: name, atMs: version }] }),
          version,
        }))
      const [first, second] = await Promise.all([
        one.replaceMany(batch('one')),
        two.replaceMany([...batch('two')].reverse()),
      ])
      expect([first.size, second.size].sort((a, b) => a - b)).toEqual([0, 40])
      const winner = first.size === 40 ? 'one' : 'two'
      expect(new Set((await one.readMany(named)).map(({ value }) => value))).toEqual(new Set([winner]))
      for (const name of ['one', 'two']) {
        const listed = name === winner ? 40 : 0
        expect(await two.list(name, { limit: 99 })).toHaveLength(listed)
        expect(await two.listDue(name, 99, 99)).toHaveLength(listed)
      }
    }
  })

  it('that is killed while it is written to has all that it has confirmed, and each batch whole or not at all', async () => {
    const store = createD1Store({ database: newDatabase() })
    const named = Array.from({ length: 40 }, (_, index) => `record ${index}`)
    for (const key of named) await store.create(record(key))
    let confirmed = 1
    const writing = (async () => {
      for (let version = 1; ; version++) {
        await store.replaceMany(named.map((key) => ({ record: record(key, { labels: [`${version}`] }), version })))
        confirmed = version + 1
      }
    })()
    const failed = expect(writing).rejects.toThrow()
    await expect.poll(() => confirmed, { interval: 1, timeout: 20_000 }).toBeGreaterThan(10)
    await d1().restart()
    await failed
    const [version = 0, ...others] = new Set((await store.readMany(named)).map((found) => found.version))
    expect(others).toEqual([])
    expect([confirmed, confirmed + 1]).toContain(version)
    expect(await store.list(`${version - 1}`, { limit: 99 })).toHaveLength(named.length)
    expect(await store.list(`${version - 2}`, { limit: 99 })).toEqual([])
  })

  it('does not respect for a day a lease taken when its clock was a day ahead', async () => {
    const database = newDatabase()
    const store = createD1Store({ database })
    expect(await store.lease('turn', 'one', 60_000)).toBe(true)
    const ahead = (ms: number) =>
      rows(database, `UPDATE paywindow_leases SET holder = 'one', taken_at_ms = ${Date.now() + ms}`)
    await ahead(30_000)
    expect(await store.lease('turn', 'two', 60_000)).toBe(false)
    await ahead(24 * 3_600_000)
    expect(await store.lease('turn', 'two', 60_000)).toBe(true)
  })

  it('whose replies are lost has done each change once', async () => {
    const line = await losingReplies(() => connect(d1().port(), '127.0.0.1'))
    const store = createD1Store({ database: databaseOf(() => line.port, opened++) })
    await store.create(record('a', { due: look }))
    await expectDoneOnce(store, line)
    line.close()
  })
})
