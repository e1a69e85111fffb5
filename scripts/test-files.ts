/** The unit tests by what they need, as their own text says: a process of their own, or a certain Node. */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { resolveOwn } from './modules.ts'
import { root } from './paths.ts'

/** All unit tests, by their paths relative to the root. */
export function unitTests(): readonly string[] {
  const found = globSync(['src/**/*.test.{ts,tsx}', 'scripts/*.test.ts', 'docs/.vitepress/site/*.test.ts'], {
    cwd: root,
  })
  return found.map((path) => path.replaceAll(sep, '/')).sort()
}

/** Whether a test has a page, as a comment in it says. */
export function hasPage(path: string): boolean {
  return readSource(path).includes('@vitest-environment jsdom')
}

/** A changed global, a mocked module, or the process itself: another test of the same process would notice. */
const traces =
  /\bvi\.(?:mock|doMock|stub|spyOn|useFake|setSystem|reset)|\bglobalThis\b|\bprocess\.(?!cwd|memoryUsage|version|platform|env\.PAYWINDOW_TESTS)\w/

/**
 * Whether a test without a page can share its process with others: it leaves no trace, nor do the helpers that it imports.
 *
 * @param read - Gives the text of a file by its path.
 */
export function sharesProcess(path: string, read: (path: string) => string = readSource): boolean {
  return withHelpers(path, read).every((each) => !traces.test(read(each)))
}

/** What differs from one Node to the next: its own modules, streams, bodies that are read in pieces, and secrets. */
const ofNode = /['"]node:|\b(?:Readable|Transform|Writable)Stream\b|\bgetReader\(|\bcrypto\./
/** A number that a double cannot hold: it is read only where JSON is parsed with the text of its numbers. */
const exact = /\d{17}|\d\.\d{16}/

/** Whether a test, or a file that it imports, uses what differs from one Node to the next. */
export function dependsOnNode(path: string, read: (path: string) => string = readSource): boolean {
  return exact.test(read(path)) || [path, ...importsOf(path, read)].some((each) => ofNode.test(read(each)))
}

/** A test and the helpers it reaches by helpers alone. */
function withHelpers(path: string, read: (path: string) => string): readonly string[] {
  const reached = new Set([path])
  for (const each of reached)
    for (const imported of importsOf(each, read)) if (/\.testing\.tsx?$/.test(imported)) reached.add(imported)
  return [...reached]
}

/** The sources of our own that a file needs to run. By their text, which takes a tenth of what a parser takes. */
function importsOf(path: string, read: (path: string) => string): readonly string[] {
  const found = read(path).matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+\.tsx?)'/gm)
  return [...found].flatMap(([, specifier = '']) => resolveOwn(path, specifier) ?? [])
}

function readSource(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
