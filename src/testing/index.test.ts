/**
 * The suite itself: it fails stores that break the contract, and passes one that keeps it, under
 * whichever runner.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { brokenStores, sharedStores } from './broken-stores.testing.ts'
import { type OpenStore, testStore } from './index.ts'

/** All tests of a store, by their sentences. */
function testsOf(open: OpenStore): ReadonlyMap<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>()
  testStore('a store', open, { describe: (_, define) => define(), it: (name, test) => tests.set(name, test) })
  expect(tests.size).toBeGreaterThan(40)
  return tests
}

describe('testStore', () => {
  testStore('of a store that keeps the contract passes:', sharedStores(), { describe, it })

  it.each(Object.entries(brokenStores))('fails a store that %s', async (_, [open, sentence]) => {
    const test = testsOf(open).get([...testsOf(open).keys()].find((name) => name.startsWith(sentence)) ?? '')
    await expect(test?.()).rejects.toThrow()
  })

  it('runs under node:test', () => {
    const file = fileURLToPath(new URL('./node-test.testing.ts', import.meta.url))
    // Node 22 needs the flag to read TypeScript. The variable would make its results readable to a
    // parent that runs tests, too.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const flags = ['--experimental-strip-types', '--no-warnings', '--test', '--test-reporter=tap']
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8', env })
    expect(stdout, stderr).toMatch(/^# fail 0$/m)
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(40)
  })
})
