/**
 * Sorts unit tests by their needs, as their texts show: a page, their own process, or a certain
 * Node.
 */
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

/** Whether a test has a page: a comment in it says so. */
export function hasPage(path: string): boolean {
  return readSource(path).includes('@vitest-environment jsdom')
}

/** Changes of globals, modules or the process, which other tests would notice. */
const traces =
  /\bvi\.(?:mock|doMock|stub|spyOn|useFake|setSystem|reset)|\bglobalThis\b|\bprocess\.(?!cwd|memoryUsage|version|platform|env\.PAYWINDOW_TESTS)\w/

/**
 * Whether a test without a page can share its process: neither it nor its helpers leave traces.
 *
 * @param read - Reads a file by its path.
 */
export function sharesProcess(path: string, read: (path: string) => string = readSource): boolean {
  return withHelpers(path, read).every((each) => !traces.test(read(each)))
}

/** Parts of Node that differ between versions: its modules, streams and cryptography. */
const ofNode = /['"]node:|\b(?:Readable|Transform|Writable)Stream\b|\bgetReader\(|\bcrypto\./
/** A number that a double cannot hold. Reading it from JSON depends on Node's parser. */
const exact = /\d{17}|\d\.\d{16}/

/** Whether a test, or a file that it imports, uses parts of Node that differ between versions. */
export function dependsOnNode(path: string, read: (path: string) => string = readSource): boolean {
  return exact.test(read(path)) || [path, ...importsOf(path, read)].some((each) => ofNode.test(read(each)))
}

/** A test with its helpers, and their helpers. */
function withHelpers(path: string, read: (path: string) => string): readonly string[] {
  const reached = new Set([path])
  for (const each of reached)
    for (const imported of importsOf(each, read)) if (/\.testing\.tsx?$/.test(imported)) reached.add(imported)
  return [...reached]
}

/**
 * Our sources that a file imports at run time. A regular expression takes a tenth of a parser's
 * time.
 */
function importsOf(path: string, read: (path: string) => string): readonly string[] {
  const found = read(path).matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+\.tsx?)'/gm)
  return [...found].flatMap(([, specifier = '']) => resolveOwn(path, specifier) ?? [])
}

function readSource(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
