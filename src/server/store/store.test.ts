/** The stores of the package, held to the contract of all stores. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testStore } from '../../testing/index.ts'
import { createMemoryStore } from './memory.ts'
import { createSqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

/**
 * Both stores use the machine's clock for leases; here a clock that the contract's tests cannot
 * set.
 */
const machineMs = () => Math.floor(performance.timeOrigin + performance.now())

const folder = mkdtempSync(join(tmpdir(), 'paywindow-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

const shared = new Map<string, Store>()
testStore(
  'a store in memory',
  (place) => {
    const store = shared.get(place) ?? createMemoryStore(machineMs)
    shared.set(place, store)
    return store
  },
  { describe, it },
)

testStore('a store in SQLite', (place) => createSqliteStore(join(folder, `${place}.sqlite`), machineMs), {
  describe,
  it,
})

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

describe.each([
  ['in memory', createMemoryStore],
  ['in SQLite', (now) => createSqliteStore(':memory:', now)],
] satisfies [string, (now: () => number) => Store][])('a store %s', (_, open) => {
  const create = (now: () => number) => {
    const store = open(now)
    stores.push(store)
    return store
  }

  it('leases to one holder until it runs out by the clock of the store, or is given back', async () => {
    let nowMs = 100
    const store = create(() => nowMs)
    expect(await store.lease('turn', 'one', 100)).toBe(true)
    nowMs = 150
    expect(await store.lease('turn', 'two', 100)).toBe(false)
    expect(await store.lease('turn', 'one', 150)).toBe(true)
    nowMs = 299
    expect(await store.lease('turn', 'two', 100)).toBe(false)
    nowMs = 300
    expect(await store.lease('turn', 'two', 100)).toBe(true)
    nowMs = 350
    await store.release('turn', 'one')
    expect(await store.lease('turn', 'one', 100)).toBe(false)
    await store.release('turn', 'two')
    expect(await store.lease('turn', 'one', 100)).toBe(true)
  })

  it('does not respect for a day a lease taken by a clock that is a day ahead', async () => {
    const dayMs = 24 * 3_600_000
    let nowMs = dayMs
    const store = create(() => nowMs)
    expect(await store.lease('turn', 'ahead', 60_000)).toBe(true)
    nowMs = 0
    expect(await store.lease('turn', 'right', 60_000)).toBe(true)
    nowMs = -30_000
    expect(await store.lease('turn', 'other', 60_000)).toBe(false)
    nowMs = -60_000
    expect(await store.lease('turn', 'other', 60_000)).toBe(true)
  })
})
