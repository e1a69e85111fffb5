import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeptRecords } from './kept-records.ts'
import type { StoredRecord } from './store.ts'

/** A database whose reads are counted, and which another connection changes whenever `beforeRead` says so. */
function setUp() {
  const data = new Map<string, number>()
  const reads: (readonly string[])[] = []
  const world = { version: 1, beforeRead: () => {} }
  const kept = createKeptRecords({
    many: (keys) => {
      world.beforeRead()
      reads.push(keys)
      return keys.flatMap((key): StoredRecord[] => {
        const version = data.get(key)
        return version === undefined ? [] : [{ key, value: `${key}${version}`, version, due: [] }]
      })
    },
    version: () => world.version,
  })
  const change = (key: string) => data.set(key, (data.get(key) ?? 0) + 1)
  return {
    reads,
    world,
    data,
    read: (...keys: string[]) => kept.many(keys).records.map(({ value }) => value),
    readWhole: (...keys: string[]) => kept.many(keys),
    /** All records, the last key first. */
    list: () => {
      const keys = () => [...data.keys()].sort().reverse()
      const records = () => keys().map((key) => ({ key, value: `${key}${data.get(key)}`, version: 1, due: [] }))
      return kept.listed({ keys, records }).records.map(({ value }) => value)
    },
    changeHere: (key: string) => {
      kept.changes(key)
      change(key)
    },
    changeElsewhere: (key: string) => {
      change(key)
      world.version += 1
    },
  }
}

describe('records that are kept', () => {
  it('are read once, until they are changed here, or anything is changed by another connection', () => {
    const { read, reads, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    changeHere('b')
    expect([read('a', 'b'), read('b'), read('a')]).toEqual([['a1', 'b1'], ['b1'], ['a1']])
    expect(reads).toEqual([['a', 'b']])
    changeHere('a')
    expect(read('a', 'b').sort()).toEqual(['a2', 'b1'])
    expect(reads.at(-1)).toEqual(['a'])
    changeElsewhere('c')
    expect(read('a', 'b')).toEqual(['a2', 'b1'])
    expect(reads.at(-1)).toEqual(['a', 'b'])
  })

  it('are of the same moment as those that are read', () => {
    const { read, world, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    changeHere('b')
    read('a')
    world.beforeRead = () => {
      world.beforeRead = () => {}
      changeElsewhere('a')
      changeElsewhere('b')
    }
    expect(read('a', 'b')).toEqual(['a2', 'b2'])
    expect(read('a', 'b')).toEqual(['a2', 'b2'])
  })

  it('are not kept where another connection commits while they are read', () => {
    const { read, world, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    world.beforeRead = () => {
      world.beforeRead = () => {}
      changeElsewhere('b')
    }
    expect(read('a')).toEqual(['a1'])
    changeElsewhere('a')
    expect(read('a')).toEqual(['a2'])
  })

  it('are in the order of a list, and of the moment of the list', () => {
    const { list, reads, world, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    changeHere('c')
    expect([list(), list()]).toEqual([
      ['c1', 'a1'],
      ['c1', 'a1'],
    ])
    expect(reads).toEqual([['c', 'a']])
    changeHere('b')
    world.beforeRead = () => {
      world.beforeRead = () => {}
      changeElsewhere('c')
      changeElsewhere('d')
    }
    expect(list()).toEqual(['d1', 'c2', 'b1', 'a1'])
  })

  it('come with the version that they were read from, or a later one', () => {
    const { readWhole, world, changeHere, changeElsewhere } = setUp()
    changeHere('a')
    world.beforeRead = () => changeElsewhere('b')
    const { version } = readWhole('a')
    expect(version).toBe(world.version)
  })

  it('are what a read would give, whoever changes what', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('here', 'elsewhere', 'gone here'), key: keys }),
      fc.record({ kind: fc.constant('list') }),
      fc.record({ kind: fc.constant('read'), keys: fc.array(keys, { minLength: 1, maxLength: 4 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { data, read, list, changeHere, changeElsewhere } = setUp()
        for (const each of steps) {
          if (!('key' in each) && !('keys' in each)) {
            const all = [...data].map(([key, version]) => `${key}${version}`)
            expect(list()).toEqual(all.sort().reverse())
          } else if ('keys' in each) {
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
