/** What a store does with one record. */
import assert from 'node:assert/strict'
import { keys, record } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

/** By sentences. */
export const recordRules: Rules = {
  'creates a record once': async ({ store }) => {
    assert.equal(await store.create(record('a')), true)
    assert.equal(await store.create(record('a', { value: 'other' })), false)
    assert.deepEqual(await store.read('a'), { key: 'a', value: 'value of a', version: 1, due: [] })
    assert.equal(await store.read('b'), undefined)
  },

  'leaves the labels and queues of a record that cannot be created as they are': async ({ store }) => {
    await store.create(record('a', { labels: ['first'], due: [{ queue: 'look', atMs: 1 }] }))
    await store.create(record('a', { labels: ['second'], due: [{ queue: 'tell', atMs: 1 }] }))
    assert.deepEqual(keys(await store.list('first', { limit: 9 })), ['a'])
    assert.deepEqual(await store.list('second', { limit: 9 }), [])
    assert.deepEqual(await store.listDue('tell', 9, 9), [])
    assert.deepEqual((await store.read('a'))?.due, [{ queue: 'look', atMs: 1 }])
  },

  'replaces only the version that was read': async ({ store }) => {
    await store.create(record('a'))
    assert.equal(await store.replace(record('a', { value: 'second' }), 1), true)
    assert.equal(await store.replace(record('a', { value: 'late' }), 1), false)
    assert.equal(await store.replace(record('a', { value: 'early' }), 3), false)
    assert.equal(await store.replace(record('none'), 1), false)
    assert.deepEqual(await store.read('a'), { key: 'a', value: 'second', version: 2, due: [] })
    assert.equal(await store.read('none'), undefined)
  },

  'removes only the version that was read, with its labels and queues': async ({ store }) => {
    await store.create(record('a', { labels: ['all'], due: [{ queue: 'look', atMs: 1 }] }))
    assert.equal(await store.remove('a', 2), false)
    assert.deepEqual(keys(await store.list('all', { limit: 10 })), ['a'])
    assert.equal(await store.remove('a', 1), true)
    assert.equal(await store.remove('a', 1), false)
    assert.equal(await store.read('a'), undefined)
    assert.deepEqual(await store.list('all', { limit: 10 }), [])
    assert.deepEqual(await store.listDue('look', 9, 10), [])
  },

  'creates a record again that was removed, as a new one': async ({ store }) => {
    await store.create(record('a', { labels: ['old'], due: [{ queue: 'look', atMs: 1 }] }))
    await store.replace(record('a', { labels: ['old'], due: [{ queue: 'look', atMs: 1 }] }), 1)
    await store.remove('a', 2)
    assert.equal(await store.create(record('a', { value: 'new' })), true)
    assert.deepEqual(await store.read('a'), { key: 'a', value: 'new', version: 1, due: [] })
    assert.deepEqual(await store.list('old', { limit: 9 }), [])
    assert.deepEqual(await store.listDue('look', 9, 9), [])
  },

  'reads, lists, replaces and removes an archived record like any other': async ({ store }) => {
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all'] }))
    const archived = record('b', { value: 'kept \u{1F4B0} '.repeat(99), labels: ['all'], isArchived: true })
    assert.equal(await store.replace(archived, 2), false)
    assert.deepEqual([...(await store.replaceMany([{ record: archived, version: 1 }]))], ['b'])
    const expected = { key: 'b', value: archived.value, version: 2, due: [] }
    assert.deepEqual(await store.read('b'), expected)
    assert.deepEqual(
      (await store.readMany(['b', 'c'])).find(({ key }) => key === 'b'),
      expected,
    )
    assert.deepEqual(await store.list('all', { limit: 2 }), [
      { key: 'c', value: 'value of c', version: 1, due: [] },
      expected,
    ])
    assert.equal(await store.create(record('b')), false)
    assert.equal(await store.replace(archived, 1), false)
    assert.equal(await store.replace(archived, 2), true)
    const due = [{ queue: 'look', atMs: 1 }]
    assert.equal(await store.replace(record('b', { labels: ['all'], due }), 3), true)
    assert.deepEqual(await store.read('b'), { key: 'b', value: 'value of b', version: 4, due })
    assert.deepEqual(keys(await store.listDue('look', 1, 9)), ['b'])
    assert.equal(await store.replace(archived, 4), true)
    assert.deepEqual(await store.listDue('look', 1, 9), [])
    assert.equal(await store.remove('b', 4), false)
    assert.equal(await store.remove('b', 5), true)
    assert.equal(await store.read('b'), undefined)
    assert.deepEqual(keys(await store.list('all', { limit: 9 })), ['c', 'a'])
  },
}
