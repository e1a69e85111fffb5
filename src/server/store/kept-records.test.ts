import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeptRecords } from './kept-records.ts'
import type { StoredRecord } from './store.ts'

/** A database whose reads are counted, and which another connection changes. */
function setUp() {
  const data = new Map<string, number>()
  const reads: (readonly string[])[] = []
  let version = 1
  const kept = createKeptRecords((keys) => {
    reads.push(keys)
    return keys.flatMap((key): StoredRecord[] => {
      const found = data.get(key)
      return found === undefined ? [] : [{ key, value: `${key}${found}`, version: found, due: [] }]
    })
  })
  const change = (key: string) => data.set(key, (data.get(key) ?? 0) + 1)
  return {
    reads,
    data,
    /** Each is a transaction. */
    read: (...keys: string[]) => {
      kept.begin(version)
      return kept.many(keys).map(({ value }) => value)
    },
    changeHere: (key: string) => {
      kept.begin(version)
      kept.changes(key)
      change(key)
    },
    changeElsewhere: (key: string) => {
      change(key)
      version += 1
    },
  }
}

describe('records that are kept', () => {
  it('are read once, until they are changed here, or anything is changed by another connection', () => {
    const { read, reads, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    changeHere('b')
    expect([read('a', 'b'), read('b'), read('a', 'a')]).toEqual([['a1', 'b1'], ['b1'], ['a1']])
    expect(reads).toEqual([['a', 'b']])
    changeHere('a')
    expect(read('a', 'b').sort()).toEqual(['a2', 'b1'])
    expect(reads.at(-1)).toEqual(['a'])
    changeElsewhere('c')
    expect(read('a', 'b')).toEqual(['a2', 'b1'])
    expect(reads.at(-1)).toEqual(['a', 'b'])
  })

  it('are read again where another connection changed them before a change here', () => {
    const { read, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    read('a')
    changeElsewhere('a')
    changeHere('b')
    expect(read('a')).toEqual(['a2'])
  })

  it('are what a read would give, whoever changes what', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('here', 'elsewhere', 'gone here'), key: keys }),
      fc.record({ kind: fc.constant('read'), keys: fc.array(keys, { minLength: 1, maxLength: 4 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { data, read, changeHere, changeElsewhere } = setUp()
        for (const each of steps) {
          if ('keys' in each) {
            const wanted = [...new Set(each.keys)].flatMap((key) => (data.has(key) ? [`${key}${data.get(key)}`] : []))
            expect(read(...each.keys).sort()).toEqual(wanted.sort())
          } else if (each.kind === 'elsewhere') changeElsewhere(each.key)
          else {
            changeHere(each.key)
            if (each.kind === 'gone here') data.delete(each.key)
          }
        }
      }),
    )
  })
})
