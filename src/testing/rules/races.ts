/**
 * Two servers at once. Each rule is tried several times, because a race has more than one way to go
 * wrong.
 */
import assert from 'node:assert/strict'
import type { Store } from '../../server/store/store.ts'
import { inOrder, keys, queuesWith, record, sorted } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

const rounds = 10
const minuteMs = 60_000

/** By sentences. */
export const raceRules: Rules = {
  'lets one of many that create the same record win': async ({ store, another }) => {
    const servers = [store, await another()]
    for (let round = 0; round < rounds; round++) {
      const key = `record ${round}`
      const create = (server: Store, index: number) => server.create(record(key, { value: `${index}` }))
      const wins = await Promise.all([...servers, ...servers].map(create))
      assert.equal(wins.filter(Boolean).length, 1)
      assert.equal((await store.read(key))?.value, `${wins.indexOf(true)}`)
    }
  },

  'lets one of many that replace the same version win': async ({ store, another }) => {
    const servers = [store, await another()]
    await store.create(record('a'))
    for (let version = 1; version <= rounds; version++) {
      const replace = (index: number) =>
        servers[index % 2]?.replace(record('a', { value: `${version} ${index}`, labels: [`by ${index}`] }), version)
      const wins = await Promise.all(Array.from({ length: 10 }, (_, index) => replace(index)))
      assert.equal(wins.filter(Boolean).length, 1)
      const winner = wins.indexOf(true)
      const expected = { key: 'a', value: `${version} ${winner}`, version: version + 1, due: [] }
      assert.deepEqual(await store.read('a'), expected)
      for (let index = 0; index < 10; index++)
        assert.equal((await store.list(`by ${index}`, { limit: 1 })).length, index === winner ? 1 : 0)
    }
  },

  'replaces each record of two batches once, in whatever order they name them': async ({ store, another }) => {
    const other = await another()
    const named = ['a', 'b', 'c', 'd', 'e']
    for (const key of named) await store.create(record(key))
    const batch = (order: readonly string[], version: number, value: string) =>
      order.map((key) => ({
        record: record(key, { value, labels: [value], due: [{ queue: 'look', atMs: 1 }] }),
        version,
      }))
    for (let version = 1; version <= rounds; version++) {
      const [mine, theirs] = await Promise.all([
        store.replaceMany(batch(named, version, 'mine')),
        other.replaceMany(batch([...named].reverse(), version, 'theirs')),
      ])
      assert.deepEqual(sorted([...mine, ...theirs]), named)
      const read = await store.readMany(named)
      for (const { key, value, version: now } of read)
        assert.deepEqual([value, now], [mine.has(key) ? 'mine' : 'theirs', version + 1])
      assert.deepEqual(keys(await store.list('mine', { limit: 9 })), sorted(mine).reverse())
    }
  },

  'never shows a batch that is half stored': async ({ store, another }) => {
    const other = await another()
    const named = ['a', 'b', 'c']
    for (const key of named) await store.create(record(key, { value: '0' }))
    let isWritten = false
    const writing = (async () => {
      for (let version = 1; version <= rounds; version++)
        await store.replaceMany(named.map((key) => ({ record: record(key, { value: `${version}` }), version })))
    })().finally(() => {
      isWritten = true
    })
    while (!isWritten) {
      const values = new Set((await other.readMany(named)).map(({ value }) => value))
      assert.equal(values.size, 1, `a batch was seen half stored: ${[...values]}`)
      // A store in this process answers at once, and would never let the writer go on.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    assert.deepEqual(
      sorted((await other.readMany(named)).map(({ value }) => value)),
      named.map(() => `${rounds}`),
    )
  },

  'leaves a record in the queues of the replacement when another server puts it off meanwhile': async (stores) => {
    const servers = [stores.store, await stores.another()] as const
    const queues = ['look', 'tell', 'tell again', 'archive']
    for (let round = 0; round < rounds * 3; round++) {
      const key = `record ${round}`
      const [putOff, replace] = round % 2 === 0 ? servers : [servers[1], servers[0]]
      await putOff.create(record(key, { due: [{ queue: 'look', atMs: 1 }] }))
      const later = ['tell', 'tell again'].map((queue) => ({ queue, atMs: 2 }))
      const [, isReplaced] = await Promise.all([
        putOff.reschedule([{ key, version: 1, due: later }]),
        replace.replace(record(key, { due: [{ queue: 'archive', atMs: 3 }] }), 1),
      ])
      assert.equal(isReplaced, true, 'putting a record off does not change its version')
      assert.deepEqual(inOrder(await putOff.read(key)).due, [{ queue: 'archive', atMs: 3 }])
      assert.deepEqual(await queuesWith(putOff, key, queues), ['archive'])
    }
  },

  'removes a record from all lists when another server puts it off meanwhile': async ({ store, another }) => {
    const other = await another()
    for (let round = 0; round < rounds; round++) {
      await store.create(record('a', { labels: ['all'] }))
      const [isRemoved] = await Promise.all([
        store.remove('a', 1),
        other.reschedule([{ key: 'a', version: 1, due: [{ queue: 'look', atMs: 1 }] }]),
      ])
      assert.equal(isRemoved, true)
      assert.deepEqual(await queuesWith(store, 'a', ['look']), [])
      assert.deepEqual(await store.list('all', { limit: 9 }), [])
    }
  },

  'lets either a removal or a replacement win': async ({ store, another }) => {
    const other = await another()
    for (let round = 0; round < rounds; round++) {
      const key = `record ${round}`
      await store.create(record(key, { labels: ['old'] }))
      const wins = await Promise.all([
        store.remove(key, 1),
        other.replace(record(key, { labels: [`new ${round}`] }), 1),
      ])
      assert.equal(wins.filter(Boolean).length, 1)
      assert.equal((await store.list(`new ${round}`, { limit: 1 })).length, wins[1] ? 1 : 0)
      assert.equal((await store.read(key))?.version, wins[1] ? 2 : undefined)
    }
  },

  'leases to one of many that ask at once': async ({ store, another }) => {
    const servers = [store, await another()]
    for (let round = 0; round < rounds; round++) {
      const ask = (_: unknown, index: number) => servers[index % 2]?.lease(`turn ${round}`, `${index}`, minuteMs)
      const taken = await Promise.all(Array.from({ length: 6 }, ask))
      assert.equal(taken.filter(Boolean).length, 1)
    }
  },
}
