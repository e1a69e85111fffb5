import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredRecord } from './store.ts'
import { createSharedReads } from './store-calls.ts'

/** A database whose reads end when the test says so, and a clock that the test moves. */
function setUp() {
  const reads: { readonly keys: readonly string[]; end(): void; fail(reason: Error): void }[] = []
  const versions = new Map<string, number>()
  const sleeps: { readonly ms: number; end(): void }[] = []
  const clock = { nowMs: 0 }
  const readMany = createSharedReads(
    (keys) => {
      // As they were when the read began.
      const records = [...new Set(keys)].flatMap((key): StoredRecord[] => {
        const version = versions.get(key)
        return version === undefined ? [] : [{ key, value: `${key}${version}`, version, due: [] }]
      })
      return new Promise((resolve, reject) =>
        reads.push({ keys, end: () => resolve(records), fail: (reason) => reject(reason) }),
      )
    },
    { now: () => clock.nowMs, sleep: (ms) => new Promise((resolve) => sleeps.push({ ms, end: resolve })) },
  )
  return {
    reads,
    read: (...keys: string[]) => readMany(keys).then((records) => records.map(({ value }) => value)),
    change: (...keys: string[]) => {
      for (const key of keys) versions.set(key, (versions.get(key) ?? 0) + 1)
    },
    clock,
    sleeps,
    passWait: () => {
      for (const { end } of sleeps.splice(0)) end()
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('reads of a few keys', () => {
  it('begin at once where none is under way, and share the next one where one is', async () => {
    const { reads, read, change } = setUp()
    change('a', 'b', 'c')
    const first = read('a')
    await turn()
    const others = [read('a', 'b'), read('b', 'c', 'c'), read('none')]
    await turn()
    expect(reads.map(({ keys }) => keys)).toEqual([['a']])
    reads[0]?.end()
    expect(await first).toEqual(['a1'])
    await turn()
    expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b', 'c', 'none']])
    reads[1]?.end()
    expect(await Promise.all(others)).toEqual([['a1', 'b1'], ['b1', 'c1'], []])
  })

  it('leave a database that takes its time as much time again', async () => {
    const { reads, read, change, clock, sleeps } = setUp()
    change('a')
    void read('a')
    const others = [read('a')]
    clock.nowMs = 7
    reads[0]?.end()
    await turn()
    others.push(read('a'))
    await turn()
    expect(reads).toHaveLength(1)
    sleeps.find(({ ms }) => ms === 7)?.end()
    await turn()
    reads[1]?.end()
    expect(await Promise.all(others)).toEqual([['a1'], ['a1']])
  })

  it('give nobody what was true before they were asked for', async () => {
    const { reads, read, change } = setUp()
    change('a')
    void read('a')
    await turn()
    change('a')
    const later = read('a')
    reads[0]?.end()
    await turn()
    reads[1]?.end()
    expect(await later).toEqual(['a2'])
  })

  it('wait 25 milliseconds for one that does not end', async () => {
    const { reads, read, change, passWait } = setUp()
    change('a')
    void read('a')
    const later = read('a')
    await turn()
    expect(reads).toHaveLength(1)
    passWait()
    await turn()
    reads[1]?.end()
    expect(await later).toEqual(['a1'])
  })

  it('fail together, and the next ones are made anew', async () => {
    const { reads, read, change } = setUp()
    change('a')
    const first = read('a')
    const others = [read('a'), read('b')]
    reads[0]?.fail(new Error('one'))
    await expect(first).rejects.toThrow('one')
    await turn()
    reads[1]?.fail(new Error('other'))
    for (const each of others) await expect(each).rejects.toThrow('other')
    const next = read('a')
    reads[2]?.end()
    expect(await next).toEqual(['a1'])
  })

  it('are no more than 500 keys together', async () => {
    const { reads, read } = setUp()
    void read('a')
    for (let at = 0; at < 1_200; at++) void read(`${at}`)
    reads[0]?.end()
    await turn()
    const sizes = reads.slice(1).map(({ keys }) => keys.length)
    expect(sizes.reduce((sum, each) => sum + each)).toBe(1_200)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  })

  it('do not wait for a read of many keys', async () => {
    const { reads, read } = setUp()
    void read(...Array.from({ length: 21 }, (_, at) => `${at}`))
    void read('a')
    await turn()
    expect(reads.map(({ keys }) => keys.length)).toEqual([21, 1])
  })

  it('give what was stored when they were asked for or later, whoever asks when', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('read'), keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }) }),
      fc.record({ kind: fc.constant('change'), keys: fc.array(fc.constantFrom('a', 'b', 'c')) }),
      fc.record({ kind: fc.constantFrom('end', 'pass'), keys: fc.constant([]) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { reads, read, change, passWait } = setUp()
        const stored = new Map<string, number>()
        const checks: Promise<void>[] = []
        for (const { kind, keys } of steps) {
          if (kind === 'change') {
            change(...keys)
            for (const key of keys) stored.set(key, (stored.get(key) ?? 0) + 1)
          } else if (kind === 'read') {
            const least = new Map(keys.map((key) => [key, stored.get(key) ?? 0]))
            checks.push(
              read(...keys).then((values) => {
                const found = new Map(values.map((value) => [value.slice(0, 1), Number(value.slice(1))]))
                expect(values).toHaveLength(found.size)
                for (const [key, version] of least) expect(found.get(key) ?? 0).toBeGreaterThanOrEqual(version)
                for (const key of found.keys()) expect(keys).toContain(key)
              }),
            )
          } else if (kind === 'pass') passWait()
          else reads.at(-1)?.end()
          await turn()
        }
        for (let ended = 0; ended < reads.length; ) {
          ended = reads.length
          for (const each of reads) each.end()
          await turn()
        }
        await Promise.all(checks)
      }),
      { numRuns: 50 },
    )
  })
})
