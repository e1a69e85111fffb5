/**
 * A reply that is lost: the change was made, and its caller does it again. And a server that is
 * started again.
 */
import assert from 'node:assert/strict'
import { inOrder, keys, record, sorted } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

const minuteMs = 60_000
const look = [{ queue: 'look', atMs: 1 }]

/** By sentences. */
export const faultRules: Rules = {
  'says no to a creation that is repeated, and keeps the first': async ({ store }) => {
    await store.create(record('a', { labels: ['all'], due: look }))
    assert.equal(await store.create(record('a', { labels: ['all'], due: look })), false)
    assert.deepEqual(await store.read('a'), { key: 'a', value: 'value of a', version: 1, due: look })
    assert.deepEqual(keys(await store.list('all', { limit: 9 })), ['a'])
    assert.deepEqual(keys(await store.listDue('look', 1, 9)), ['a'])
  },

  'says no to a replacement that is repeated, and has made it once': async ({ store }) => {
    for (const key of ['a', 'b']) await store.create(record(key))
    const changed = (key: string) => record(key, { value: 'new', labels: ['all'], due: look })
    await store.replace(changed('a'), 1)
    assert.equal(await store.replace(changed('a'), 1), false)
    const batch = ['a', 'b'].map((key) => ({ record: changed(key), version: 1 }))
    assert.deepEqual(sorted(await store.replaceMany(batch)), ['b'])
    assert.deepEqual(sorted(await store.replaceMany(batch)), [])
    for (const key of ['a', 'b']) assert.deepEqual(await store.read(key), { key, value: 'new', version: 2, due: look })
    assert.deepEqual(keys(await store.list('all', { limit: 9 })), ['b', 'a'])
  },

  'puts off again what was put off, with the same result': async ({ store }) => {
    await store.create(record('a', { due: look }))
    const later = [{ key: 'a', version: 1, due: [{ queue: 'look', atMs: 7 }] }]
    for (let time = 0; time < 2; time++) assert.deepEqual(sorted(await store.reschedule(later)), ['a'])
    assert.deepEqual(await store.read('a'), {
      key: 'a',
      value: 'value of a',
      version: 1,
      due: [{ queue: 'look', atMs: 7 }],
    })
    assert.deepEqual(keys(await store.listDue('look', 9, 9)), ['a'])
  },

  'says no to a removal that is repeated': async ({ store }) => {
    await store.create(record('a'))
    await store.remove('a', 1)
    assert.equal(await store.remove('a', 1), false)
  },

  'says yes to the holder of a lease who asks again': async ({ store, another }) => {
    await store.lease('turn', 'one', minuteMs)
    assert.equal(await store.lease('turn', 'one', minuteMs), true)
    await store.release('turn', 'one')
    await store.release('turn', 'one')
    assert.equal(await (await another()).lease('turn', 'two', minuteMs), true)
  },

  'does no harm when a release arrives late, after another has the lease': async ({ store, another }) => {
    const other = await another()
    await store.lease('turn', 'one', minuteMs)
    await store.release('turn', 'one')
    await other.lease('turn', 'two', minuteMs)
    await store.release('turn', 'one')
    assert.equal(await store.lease('turn', 'three', minuteMs), false)
  },

  'has everything after a restart': async ({ store, restart }) => {
    const due = [...look, { queue: 'tell', atMs: 2 }]
    await store.create(record('a', { labels: ['all'], due }))
    await store.create(record('b', { labels: ['all'] }))
    await store.create(record('c'))
    await store.replace(record('b', { value: 'kept', labels: ['all'], isArchived: true }), 1)
    await store.remove('c', 1)
    await store.lease('turn', 'one', minuteMs)
    const again = await restart()
    assert.deepEqual(inOrder(await again.read('a')), { key: 'a', value: 'value of a', version: 1, due })
    assert.deepEqual(await again.read('b'), { key: 'b', value: 'kept', version: 2, due: [] })
    assert.equal(await again.read('c'), undefined)
    assert.deepEqual(keys(await again.list('all', { limit: 9 })), ['b', 'a'])
    assert.deepEqual(keys(await again.listDue('tell', 2, 9)), ['a'])
    assert.equal(await again.lease('turn', 'two', minuteMs), false)
    assert.equal(await again.replace(record('a'), 1), true)
  },

  'has what one server wrote when it ends and another goes on': async ({ store, another, end }) => {
    const other = await another()
    await store.create(record('a'))
    await end(store)
    assert.equal(await other.replace(record('a', { value: 'second' }), 1), true)
    assert.equal((await other.read('a'))?.value, 'second')
  },
}
