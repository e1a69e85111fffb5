/**
 * `paywindow/testing`: what every store has to do, as tests that run on a store of your own. For
 * Node; no part of a server.
 */
import * as nodeTest from 'node:test'
import type { Store } from '../server/store/store.ts'
import { rules } from './rules/rules.ts'
import { onOwnData } from './test-stores.ts'

export type {
  Due,
  ListOptions,
  NewRecord,
  Replacement,
  Rescheduling,
  Store,
  StoredRecord,
} from '../server/store/store.ts'

/**
 * Opens a store. Each test has a place of its own, which is empty at first. Two stores that are
 * open at one place are two servers that share their data; what was written is still there when a
 * place is opened again.
 *
 * @param place - A name of 32 small letters, digits and `_`, beginning with a letter: of a schema,
 *   a file, or a prefix of keys.
 *
 * @example
 * ```ts
 * const stores = new Map<string, Store>()
 * const open: OpenStore = (place) => stores.get(place) ?? createAndKeep(place)
 * function createAndKeep(place: string): Store {
 *   throw new Error(`create ${place}`)
 * }
 * ```
 */
export type OpenStore = (place: string) => Store | Promise<Store>

/**
 * What runs the tests: the `describe` and `it` of vitest, `node:test`, or any other that has both.
 *
 * @example
 * ```ts
 * const runner: TestRunner = { describe: (_, define) => define(), it: (_, test) => test() }
 * ```
 */
export interface TestRunner {
  describe(name: string, define: () => void): unknown
  it(name: string, test: () => Promise<void>): unknown
}

/**
 * Tests a store against the whole contract: versions, batches, queues, lists and leases; replies
 * that are lost, two servers in a race, clocks that are wrong, restarts, large values and odd
 * texts. Leases are measured in real time, for a second or two in all.
 *
 * @param open - Called at least once for each test. What it leaves behind is yours to remove.
 * @param runner - Default: `node:test`. With vitest pass `{ describe, it }` of `vitest`.
 *
 * @example
 * ```ts
 * const names: string[] = []
 * const runner: TestRunner = { describe: (_, define) => define(), it: (name) => names.push(name) }
 * testStore('my store', () => Promise.reject(new Error('not written yet')), runner)
 * names.includes('creates a record once') // => true
 * ```
 */
export function testStore(name: string, open: OpenStore, runner: TestRunner = nodeTest): void {
  runner.describe(name, () => {
    for (const [sentence, check] of Object.entries(rules)) runner.it(sentence, () => onOwnData(open, check))
  })
}
