/** Texts of every kind and size that Paywindow writes. */
import assert from 'node:assert/strict'
import { keys, record, sorted } from '../helpers.ts'
import type { Rules } from '../test-stores.ts'

/** What breaks a statement, a pattern, a path, a number or a list where a text is put into one. */
const odd = [
  "it's",
  '"quoted"',
  'back\\slash \\u0000 \\n',
  '100 % _ * ?',
  "'; DROP TABLE records; --",
  '$1 :name @p {tag} ?',
  ' spaces ',
  'line\nbreak\ttab\rreturn',
  'null',
  '__proto__',
  '[1,2]',
  '{"json":"{}"}',
  '007',
  '1e3',
  'a/b\\c:d',
  'UPPER',
  'upper',
  '\u00e9 in one',
  'e\u0301 in two',
  '\u{1F4B0} \u{10FFFD}',
  '\u05e9\u05dc\u05d5\u05dd \u202e',
  'a \ufeff\u200b\u00a0',
]

/**
 * Bytes in UTF-8 are three times as many, and no two are alike, so that no compression makes them
 * fewer.
 */
const long = (length: number) => Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('')

/** By sentences. */
export const textRules: Rules = {
  'stores odd texts as they are, as keys, values, labels and names of queues': async ({ store }) => {
    for (const text of odd)
      assert.equal(
        await store.create({ key: text, value: text, labels: [text], due: [{ queue: text, atMs: 1 }] }),
        true,
      )
    assert.deepEqual(sorted(keys(await store.readMany(odd))), sorted(odd))
    for (const text of odd) {
      const expected = { key: text, value: text, version: 1, due: [{ queue: text, atMs: 1 }] }
      assert.deepEqual(await store.read(text), expected)
      assert.deepEqual(await store.list(text, { limit: 99 }), [expected])
      assert.deepEqual(await store.listDue(text, 1, 99), [expected])
    }
    const replaced = odd.map((text) => ({ record: record(text, { value: `new ${text}` }), version: 1 }))
    assert.deepEqual(sorted(await store.replaceMany(replaced)), sorted(odd))
    for (const text of odd) assert.equal(await store.remove(text, 2), true)
  },

  'leases under odd names, to odd holders': async ({ store }) => {
    for (const text of odd) assert.equal(await store.lease(text, text, 60_000), true)
    for (const text of odd) {
      assert.equal(await store.lease(text, `not ${text}`, 60_000), false)
      await store.release(text, text)
      assert.equal(await store.lease(text, `not ${text}`, 60_000), true)
    }
  },

  'stores a value of a million characters, and one without any': async ({ store }) => {
    const large = JSON.stringify({ text: '\u0000 \u{1F4B0} é "\\ '.repeat(100_000) }).slice(0, 1_000_000)
    await store.create(record('large', { value: large }))
    await store.create(record('empty', { value: '' }))
    assert.ok((await store.read('large'))?.value === large, 'the large value has changed')
    assert.equal(await store.replace(record('large', { value: `${large}!`, isArchived: true }), 1), true)
    assert.ok((await store.readMany(['large']))[0]?.value === `${large}!`, 'the large value has changed')
    assert.equal((await store.read('empty'))?.value, '')
  },

  'stores keys of 205 characters and labels of 500': async ({ store }) => {
    const [key, other, label] = [long(205), `${long(204)}!`, long(500)]
    for (const each of [key, other])
      assert.equal(await store.create(record(each, { labels: [label], due: [{ queue: 'look', atMs: 1 }] })), true)
    assert.deepEqual(sorted(keys(await store.list(label, { limit: 9 }))), sorted([key, other]))
    assert.equal((await store.listDue('look', 1, 9)).length, 2)
    assert.equal(await store.lease(label, key, 60_000), true)
    assert.equal(await store.lease(label, other, 60_000), false)
  },

  'reads a thousand records at once, and writes two hundred': async ({ store }) => {
    const named = Array.from({ length: 1_000 }, (_, index) => `record ${String(index).padStart(4, '0')}`)
    for (let at = 0; at < named.length; at += 50)
      await Promise.all(named.slice(at, at + 50).map((key) => store.create(record(key, { labels: ['all'] }))))
    assert.deepEqual(sorted(keys(await store.readMany(named))), named)
    assert.deepEqual(keys(await store.list('all', { limit: 1_000 })), [...named].reverse())
    const batch = named.slice(0, 200).map((key) => ({
      record: record(key, { value: 'x'.repeat(5_000), labels: ['all', key], due: [{ queue: 'look', atMs: 5 }] }),
      version: 1,
    }))
    assert.equal((await store.replaceMany(batch)).size, 200)
    assert.equal((await store.listDue('look', 5, 1_000)).length, 200)
  },
}
