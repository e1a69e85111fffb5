/** What a store does with many records at once. */
import assert from 'node:assert/strict'
import { inOrder, keys, record, sorted } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

/** By sentences. */
export const batchRules: Rules = {
  'reads many at once, each once however often it is named, and leaves out what is not there': async ({ store }) => {
    for (const key of ['a', 'b', "c'"]) await store.create(record(key))
    assert.deepEqual(sorted(keys(await store.readMany(["c'", 'none', 'a', 'a', 'none']))), ['a', "c'"])
    assert.deepEqual(await store.readMany(['b']), [{ key: 'b', value: 'value of b', version: 1, due: [] }])
    assert.deepEqual(await store.readMany([]), [])
  },

  'replaces those of many whose version was read, with their labels and queues': async ({ store }) => {
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['old'] }))
    await store.replace(record('b', { value: 'in between', labels: ['old'] }), 1)
    const change = (key: string) => ({
      record: record(key, { value: `new ${key}`, labels: ['new'], due: [{ queue: 'look', atMs: 1 }] }),
      version: 1,
    })
    assert.deepEqual(sorted(await store.replaceMany(['a', 'b', 'c', 'none'].map(change))), ['a', 'c'])
    assert.deepEqual(keys(await store.list('new', { limit: 9 })), ['c', 'a'])
    assert.deepEqual(keys(await store.list('old', { limit: 9 })), ['b'])
    assert.deepEqual(keys(await store.listDue('look', 1, 9)), ['a', 'c'])
    assert.equal((await store.read('b'))?.value, 'in between')
    assert.deepEqual(await store.read('c'), {
      key: 'c',
      value: 'new c',
      version: 2,
      due: [{ queue: 'look', atMs: 1 }],
    })
    assert.deepEqual(sorted(await store.replaceMany([])), [])
  },

  'changes the queues of those of many whose version was read, and nothing else': async ({ store }) => {
    const [soon, later] = [[{ queue: 'look', atMs: 1 }], [{ queue: 'look', atMs: 9 }]]
    for (const key of ['a', 'b', 'c']) await store.create(record(key, { labels: ['all'], due: soon }))
    await store.replace(record('b', { labels: ['all'], due: soon }), 1)
    await store.replace(record('c', { labels: ['all'], due: soon, isArchived: true }), 1)
    const changed = await store.reschedule([
      { key: 'a', version: 1, due: later },
      { key: 'b', version: 1, due: later },
      { key: 'c', version: 2, due: later },
      { key: 'none', version: 1, due: later },
    ])
    assert.deepEqual(sorted(changed), ['a', 'c'])
    assert.deepEqual(await store.read('a'), { key: 'a', value: 'value of a', version: 1, due: later })
    assert.deepEqual(await store.read('c'), { key: 'c', value: 'value of c', version: 2, due: later })
    assert.deepEqual(keys(await store.listDue('look', 8, 9)), ['b'])
    assert.deepEqual(keys(await store.listDue('look', 9, 9)), ['b', 'a', 'c'])
    assert.deepEqual(keys(await store.list('all', { limit: 9 })), ['c', 'b', 'a'])
    assert.deepEqual(sorted(await store.reschedule([])), [])
  },

  'takes a record out of some queues and puts it into others, without replacing it': async ({ store }) => {
    const at = (queue: string, atMs: number) => ({ queue, atMs })
    await store.create(record('a', { due: [at('look', 1), at('tell', 2)] }))
    await store.reschedule([{ key: 'a', version: 1, due: [at('archive', 3), at('tell', 4)] }])
    assert.deepEqual(inOrder(await store.read('a')).due, [at('archive', 3), at('tell', 4)])
    assert.deepEqual(await store.listDue('look', 9, 9), [])
    assert.deepEqual(await store.listDue('tell', 3, 9), [])
    await store.reschedule([{ key: 'a', version: 1, due: [] }])
    assert.deepEqual((await store.read('a'))?.due, [])
    assert.equal(await store.replace(record('a'), 1), true)
  },

  'stores none of a batch when one of them cannot be stored': async ({ store }) => {
    for (const key of ['a', 'b']) await store.create(record(key))
    const unfit = [{ queue: 'look', atMs: 'soon' as unknown as number }]
    const batch = [
      { record: record('a', { value: 'new' }), version: 1 },
      { record: record('b', { value: 'new', due: unfit }), version: 1 },
    ]
    await store.replaceMany(batch).catch(() => undefined)
    const read = await store.readMany(['a', 'b'])
    assert.equal(new Set(read.map(({ version }) => version)).size, 1, 'one was stored without the other')
  },
}
