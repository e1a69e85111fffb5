/** Holds every source against the import table of the design; the rules are in scripts/architecture.ts. */
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../scripts/architecture.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('the sources', () => {
  it('keep to the import table, to their length, and export nothing that is not used', () => {
    const found = globSync(['src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'scripts/*.ts'], { cwd: root })
    // The peers of the bench have theirs below e2e.
    const paths = found.filter((path) => !path.split(sep).includes('node_modules'))
    const sources = new Map(paths.map((path) => [path.replaceAll(sep, '/'), readFileSync(`${root}${path}`, 'utf8')]))
    expect(sources.size).toBeGreaterThan(10)
    expect(findViolations(sources)).toEqual([])
  })
})

describe('findViolations', () => {
  const quote = ['src/contract/quote.ts', 'export const quote = 1\nexport type Quote = 1\n'] as const

  it.each([
    [
      'a browser file that imports the server',
      'src/react/a.ts',
      `import '../server/key.ts'`,
      'react may not import server (../server/key.ts)',
    ],
    [
      'a dynamic import',
      'src/react/a.ts',
      `await import('../server/key.ts')`,
      'react may not import server (../server/key.ts)',
    ],
    [
      'a re-export',
      'src/checkout/index.ts',
      `import '../service/a.ts'`,
      'checkout may not import service (../service/a.ts)',
    ],
    [
      'an import inside a type',
      'src/react/a.ts',
      `let key: import('../server/key.ts').Key`,
      'react may not import server (../server/key.ts)',
    ],
    ['a package that a folder should not need', 'src/contract/a.ts', `import 'zod'`, 'contract may not import zod'],
    ['Node in the browser half', 'src/checkout/a.ts', `import 'node:fs'`, 'checkout may not import node:fs'],
    [
      'the sandbox using code of the client',
      'src/sandbox/a.ts',
      `import { call } from '../service/a.ts'`,
      'sandbox may import only types from service, and ../service/a.ts is imported for more',
    ],
    [
      'the demo reaching into the package',
      'src/demo/a.ts',
      `import '../server/index.ts'`,
      'demo may not import server (../server/index.ts)',
    ],
    [
      'the package importing itself by name',
      'src/react/a.ts',
      `import 'paywindow/service'`,
      'react may not import paywindow/service',
    ],
    ['a file without its extension', 'src/react/a.ts', `import './b'`, 'imports ./b without its extension'],
    ['a built file', 'src/demo/a.ts', `import '../../dist/index.js'`, 'imports ../../dist/index.js from dist'],
    [
      'a folder that the table does not have',
      'src/utils/a.ts',
      `import './b.ts'`,
      'lies in a folder that the import table does not have',
    ],
  ])('catches %s', (_, path, source, problem) => {
    expect(findViolations(new Map([[path, source]]))).toEqual([`${path}: ${problem}`])
  })

  it('takes a helper for a test only where nothing but tests import it', () => {
    const helper = ['src/server/helper.ts', `import '../sandbox/index.ts'`] as const
    const test = ['src/server/a.test.ts', `import './helper.ts'`] as const
    expect(findViolations(new Map([helper, test]))).toEqual([])
    expect(findViolations(new Map([helper, test, ['src/server/a.ts', `import './helper.ts'`]]))).toEqual([
      'src/server/helper.ts: server may not import sandbox (../sandbox/index.ts)',
    ])
  })

  it('catches Node being reached by an entry for every platform', () => {
    const sources = new Map([
      ['src/server/index.ts', `import './store.ts'\nimport type { Row } from './rows.ts'`],
      ['src/server/node.ts', `import './rows.ts'`],
      ['src/server/store.ts', `import 'node:fs'`],
      ['src/server/rows.ts', `import 'node:sqlite'`],
    ])
    expect(findViolations(sources)).toEqual([
      'src/server/store.ts: imports node:fs, and is reached by an entry that must run without Node',
    ])
  })

  it('catches a file that is too long', () => {
    expect(findViolations(new Map([['src/react/a.ts', '//\n'.repeat(251)]]))).toEqual([
      'src/react/a.ts: has 251 lines, 250 is the limit',
    ])
  })

  it('catches an export that nothing imports, also of a type', () => {
    expect(findViolations(new Map([quote]))).toEqual([
      'src/contract/quote.ts: exports quote, which nothing imports',
      'src/contract/quote.ts: exports Quote, which nothing imports',
    ])
  })

  it('takes an import, a re-export by an entry, and a test for a use', () => {
    const importers = [
      ['src/react/index.ts', `export { quote } from '../contract/quote.ts'`],
      ['src/contract/quote.test.ts', `import { type Quote } from './quote.ts'`],
    ] as const
    expect(findViolations(new Map([quote, ...importers]))).toEqual([])
  })

  it('allows what the table has', () => {
    const sources = new Map([
      ['src/sandbox/a.ts', `import type { Order } from '../service/types.ts'`],
      ['src/demo/a.ts', `import 'paywindow/server/node'\nimport './b.ts'\nimport 'node:http'`],
      ['src/element/a.ts', `import css from '../react/styles.css?inline'`],
      ['src/server/a.test.ts', `import '../sandbox/index.ts'\nimport 'vitest'`],
    ])
    expect(findViolations(sources)).toEqual([])
  })
})
