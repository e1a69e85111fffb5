import { describe, expect, it } from 'vitest'
import { dependsOnNode, hasPage, sharesProcess, unitTests } from './test-files.ts'

/** The text of a test with imports. */
const importing = (...names: readonly string[]) => names.map((name) => `import { a } from './${name}'\n`).join('')

describe('a process is shared', () => {
  const sources = new Map(
    Object.entries({
      'src/a.test.ts': importing('a.testing.ts', 'a.ts'),
      'src/a.testing.ts': importing('b.testing.ts'),
      'src/b.testing.ts': "it('reads', () => process.cwd())\n",
      'src/a.ts': 'globalThis.own = 1\n',
    }),
  )
  const read = (changed: Readonly<Record<string, string>>) => (path: string) => changed[path] ?? sources.get(path) ?? ''

  it('by a test that leaves no traces', () => {
    expect(sharesProcess('src/a.test.ts', read({}))).toBe(true)
  })

  it.each([
    "vi.mock('./a.ts')",
    "vi.spyOn(console, 'error')",
    "vi.stubGlobal('fetch', 1)",
    'globalThis.fetch = 1',
    'process.env.A = "1"',
  ])('by no test with %s in it or in a helper', (text) => {
    for (const path of ['src/a.test.ts', 'src/a.testing.ts', 'src/b.testing.ts'])
      expect(sharesProcess(path, read({ [path]: `${sources.get(path)}${text}\n` }))).toBe(false)
  })
})

describe('a test depends on Node', () => {
  it.each([
    ['that imports one of its modules', "import { readFileSync } from 'node:fs'\n", {}, true],
    ['whose subject imports one of its modules', importing('a.ts'), { 'src/a.ts': "import 'node:sqlite'\n" }, true],
    ['that has an amount no double holds', "'0.123456789012345678'", {}, true],
    [
      'that has types of such a subject only',
      "import type { A } from './a.ts'\n",
      { 'src/a.ts': "import 'node:sqlite'\n" },
      false,
    ],
    ['of words', "it('says so')", {}, false],
  ])('%s: %s', (_, source, others: Readonly<Record<string, string>>, expected) => {
    const read = (path: string) => (path === 'src/a.test.ts' ? source : (others[path] ?? ''))
    expect(dependsOnNode('src/a.test.ts', read)).toBe(expected)
  })
})

it('finds tests of each kind in the sources', () => {
  const tests = unitTests()
  expect(tests).toContain('scripts/test-files.test.ts')
  expect(tests.filter((path) => hasPage(path))).toContain('src/react/page.test.tsx')
  expect(tests.filter((path) => sharesProcess(path))).toContain('src/server/following/following.test.ts')
  expect(tests.filter((path) => dependsOnNode(path))).toContain('src/server/store/sqlite.test.ts')
  expect(tests.filter((path) => dependsOnNode(path))).toContain('src/server/exactness.test.ts')
  expect(tests.filter((path) => dependsOnNode(path))).not.toContain('src/server/following/worlds.test.ts')
})
