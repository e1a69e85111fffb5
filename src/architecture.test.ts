/**
 * Holds every source against the import table of the design; the rules are in
 * scripts/architecture.ts.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findCircles, findViolations, readDoor } from '../scripts/architecture.ts'
import { undocumentedExports } from '../scripts/modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('the sources', () => {
  it('say of every export what it is', () => {
    const paths = globSync(['src/**/*.{ts,tsx}', 'e2e/chaos/**/*.ts', 'scripts/**/*.ts'], { cwd: root })
    const shipped = paths.filter((path) => !/\.(test|testing)\.tsx?$|locales|vectors|node_modules/.test(path))
    expect(shipped.length).toBeGreaterThan(100)
    const missing = shipped.flatMap((path) =>
      undocumentedExports(path, readFileSync(`${root}${path}`, 'utf8')).map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('keep to the import table, and those of the server to the doors of its rooms', () => {
    const sources = readSources(['src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'scripts/*.ts'])
    expect(sources.size).toBeGreaterThan(10)
    const doors = new Map(
      globSync('src/server/*/README.md', { cwd: root }).map((path) => [
        path.split(sep).at(-2) ?? '',
        readDoor(readFileSync(`${root}${path}`, 'utf8')),
      ]),
    )
    expect(doors.size).toBeGreaterThan(8)
    expect(findViolations(sources, doors)).toEqual([])
  })

  it('have no circle of imports in the server and e2e, nor one between the folders of the simulation', () => {
    const server = readSources(['src/server/**/*.ts'])
    expect(server.size).toBeGreaterThan(50)
    expect(findCircles(server)).toEqual([])
    const sources = readSources(['e2e/**/*.ts'])
    const simulation = new Map([...sources].filter(([path]) => path.startsWith('e2e/chaos/')))
    expect(simulation.size).toBeGreaterThan(10)
    expect(findCircles(sources)).toEqual([])
    expect(findCircles(simulation, posix.dirname)).toEqual([])
  })
})

function readSources(patterns: readonly string[]): ReadonlyMap<string, string> {
  const found = globSync(patterns, { cwd: root })
  // Some folders have packages of their own.
  const paths = found.filter((path) => !path.split(sep).includes('node_modules'))
  return new Map(paths.map((path) => [path.replaceAll(sep, '/'), readFileSync(`${root}${path}`, 'utf8')]))
}

describe('the server', () => {
  it('is as large, and a payment runs through as many files, as docs/architecture.md says', () => {
    const sources = globSync('src/server/**/*.ts', { cwd: root })
      .map((path) => path.replaceAll(sep, '/'))
      .filter((path) => !path.includes('/vectors/') && !/\.(test|testing)\.ts$/.test(path))
    const lines = sources.flatMap((path) => readFileSync(`${root}${path}`, 'utf8').split('\n'))
    const code = lines.filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line))
    const { stdout } = spawnSync(process.execPath, ['scripts/ways.ts'], { cwd: root, encoding: 'utf8' })
    const ways = [...stdout.matchAll(/│ (\d+) +│/g)].map(([, files]) => Number(files))
    const table = readFileSync(`${root}docs/architecture.md`, 'utf8').split('## How large the server is')[1] ?? ''
    const now = [...table.matchAll(/\| ([\d,]+) \|$/gm)].map(([, text = '']) => Number(text.replace(',', '')))
    // To a hundred, so that not every change of the server changes the page.
    const rounded = Math.ceil(code.length / 100) * 100
    expect([sources.length, rounded, ...ways]).toEqual(now.slice(0, 6))
  })
})

describe('findCircles', () => {
  it('finds a circle of types, and one between folders alone', () => {
    const sources = new Map([
      ['e2e/a/one.ts', `import type { Two } from '../b/two.ts'`],
      ['e2e/b/two.ts', `import { three } from '../c/three.ts'`],
      ['e2e/c/three.ts', `import '../b/four.ts'`],
      ['e2e/b/four.ts', ''],
    ])
    expect(findCircles(sources)).toEqual([])
    expect(findCircles(sources, posix.dirname)).toEqual(['e2e/b', 'e2e/c'])
    sources.set('e2e/b/four.ts', `import type { Two } from './two.ts'`)
    expect(findCircles(sources)).toEqual(['e2e/b/two.ts', 'e2e/c/three.ts', 'e2e/b/four.ts'])
  })
})

describe('undocumentedExports', () => {
  it('finds an export without a docstring, and one whose docstring belongs to something before it', () => {
    const source = '/** Header. */\n\nexport const a = 1\n/** B. */\nexport function b() {}\nexport type C = 1\n'
    expect(undocumentedExports('a.ts', source)).toEqual(['a', 'C'])
  })
})

describe('findViolations', () => {
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

  it('lets a helper of tests do what tests may, and lets nothing else import it', () => {
    const helper = ['src/server/helper.testing.ts', `import '../sandbox/index.ts'`] as const
    const test = ['src/server/a.test.ts', `import './helper.testing.ts'`] as const
    expect(findViolations(new Map([helper, test]))).toEqual([])
    expect(findViolations(new Map([helper, test, ['src/server/a.ts', `import './helper.testing.ts'`]]))).toEqual([
      'src/server/a.ts: imports ./helper.testing.ts, which is for tests',
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

  it('holds a room of the server to its door', () => {
    const doors = new Map([
      ['time', readDoor('# Time\n\nWhen it is.\n\nImports: nothing. Types of: `store`, `..`.\n')],
      ['store', readDoor('# Store\n\nImports: `time`.\n')],
    ])
    const sources = new Map([
      [
        'src/server/time/a.ts',
        `import type { Row } from '../store/a.ts'\nimport { rows } from '../store/a.ts'\nimport type { O } from '../options.ts'`,
      ],
      ['src/server/store/a.ts', `import '../time/a.ts'\nimport type { O } from '../options.ts'`],
      ['src/server/store/b.ts', `import '../paywindow.ts'`],
      ['src/server/views/a.ts', `import './b.ts'`],
      ['src/server/time/a.test.ts', `import '../paywindow.ts'`],
      ['src/server/paywindow.ts', `import './time/a.ts'`],
    ])
    expect(findViolations(sources, doors)).toEqual([
      'src/server/time/a.ts: the door of time does not name store (../store/a.ts)',
      'src/server/store/a.ts: the door of store does not name .. (../options.ts)',
      'src/server/store/b.ts: store may not import ../paywindow.ts, which puts rooms together',
      'src/server/views/a.ts: lies in a room without a door: write src/server/views/README.md',
    ])
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
