/** The two kinds of lists: labels and queues. */
import assert from 'node:assert/strict'
import { inOrder, keys, record } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

/** By sentences. */
export const listRules: Rules = {
  'reads a record with the queues that it waits in, whichever way': async ({ store }) => {
    const due = [
      { queue: 'look', atMs: 1 },
      { queue: 'tell', atMs: Date.parse('2100-01-01T00:00:00Z') },
    ]
    await store.create(record('a', { labels: ['all'], due }))
    for (const [read] of [
      [await store.read('a')],
      await store.readMany(['a']),
      await store.listDue('look', 2, 9),
      await store.list('all', { limit: 9 }),
    ])
      assert.deepEqual(inOrder(read), { key: 'a', value: 'value of a', version: 1, due })
  },

  'lists what is due, the longest due first, and of those that are due at once the lower key': async ({ store }) => {
    const due = (atMs: number) => [{ queue: 'look', atMs }]
    await store.create(record('late', { due: due(30) }))
    await store.create(record('first', { due: due(10) }))
    await store.create(record('second', { due: [...due(20), { queue: 'tell', atMs: 15 }] }))
    await store.create(record('never'))
    assert.deepEqual(keys(await store.listDue('look', 9, 10)), [])
    assert.deepEqual(keys(await store.listDue('look', 20, 10)), ['first', 'second'])
    assert.deepEqual(keys(await store.listDue('look', 99, 1)), ['first'])
    await store.create(record('also second', { due: due(20) }))
    assert.deepEqual(keys(await store.listDue('look', 99, 10)), ['first', 'also second', 'second', 'late'])
    await store.replace(record('first', { due: [] }), 1)
    assert.deepEqual(keys(await store.listDue('look', 20, 1)), ['also second'])
  },

  'keeps queues apart': async ({ store }) => {
    const due = [
      { queue: 'look', atMs: 20 },
      { queue: 'tell', atMs: 10 },
    ]
    await store.create(record('a', { due }))
    assert.deepEqual(keys(await store.listDue('tell', 10, 10)), ['a'])
    assert.deepEqual(await store.listDue('look', 10, 10), [])
    await store.replace(record('a', { due: due.slice(0, 1) }), 1)
    assert.deepEqual(await store.listDue('tell', 99, 10), [])
    assert.deepEqual(keys(await store.listDue('look', 99, 10)), ['a'])
    await store.remove('a', 2)
    assert.deepEqual(await store.listDue('look', 99, 10), [])
  },

  'lists by label, newest key first, in pages, and follows changed labels': async ({ store }) => {
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all', `only ${key}`] }))
    assert.deepEqual(keys(await store.list('all', { limit: 2 })), ['c', 'b'])
    assert.deepEqual(keys(await store.list('all', { limit: 2, before: 'b' })), ['a'])
    assert.deepEqual(keys(await store.list('all', { limit: 2, before: 'a' })), [])
    await store.replace(record('b', { labels: ['all'] }), 1)
    assert.deepEqual(await store.list('only b', { limit: 2 }), [])
    assert.deepEqual(keys(await store.list('all', { limit: 9 })), ['c', 'b', 'a'])
  },

  'sorts keys by their characters, and not as people do': async ({ store }) => {
    const named = ['a 10', 'a 9', 'A 9', 'a-9', 'a_9', 'a9', 'aa', 'Z', 'z', 'é', '~', ' ']
    for (const key of named) await store.create(record(key, { labels: ['all'] }))
    const expected = [...named].sort().reverse()
    assert.deepEqual(keys(await store.list('all', { limit: 99 })), expected)
    assert.deepEqual(
      keys(await store.list('all', { limit: 99, before: 'a9' })),
      expected.slice(expected.indexOf('a9') + 1),
    )
  },
}
