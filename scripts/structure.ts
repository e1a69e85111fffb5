/**
 * `node scripts/structure.ts [root]`: counts files, lines of code, long files and long functions of
 * a checkout. Tests, their helpers and data (languages, address vectors) are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './paths.ts'

const folders = ['src/**/*.{ts,tsx}', 'e2e/chaos/**/*.ts', 'scripts/**/*.ts']
/** Limits in lines of code. The lines of a function include the functions inside it. */
const longestFile = 400
const longestFunction = 80
const leftOut = /\.(test|testing)\.tsx?$|^src\/locales\/|\/vectors\/|node_modules/

/** The measures of a source. `undocumented`: names of exports without a docstring. */
interface Structure {
  /** Lines with code. */
  readonly lines: number
  readonly longFunctions: number
  /** Functions that are too long even without the functions inside them. */
  readonly longByThemselves: number
  readonly undocumented: readonly string[]
}

/** @throws Error when the source cannot be parsed. */
export function structureOf(path: string, source: string): Structure {
  const { program, comments, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const code = comments.reduce((text, { start, end }) => without(text, start, end), source)
  const long = functionsIn(program).filter(({ start, end }) => linesIn(code.slice(start, end)) > longestFunction)
  return {
    lines: linesIn(code),
    longFunctions: long.length,
    longByThemselves: long.filter((body) => ownLines(code, body, functionsIn(program)) > longestFunction).length,
    undocumented: program.body.flatMap((node) => {
      if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
      const before = source.slice(0, node.start).replace(/\/\/ biome-ignore[^\n]*\n$/, '')
      return before.trimEnd().endsWith('*/') && !before.endsWith('\n\n') ? [] : [nameOf(source.slice(node.start))]
    }),
  }
}

/** Replaces a part of a text by blanks, so that positions after it stay the same. */
function without(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/\S/g, ' ') + text.slice(end)
}

/** Counts lines that are not blank. */
function linesIn(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length
}

/** Counts the lines of a function without the functions inside it. */
function ownLines(code: string, body: Range, functions: readonly Range[]): number {
  const inside = functions.filter(({ start, end }) => start > body.start && end < body.end)
  return linesIn(inside.reduce((text, { start, end }) => without(text, start, end), code).slice(body.start, body.end))
}

interface Range {
  readonly start: number
  readonly end: number
}

function functionsIn(node: unknown): readonly Range[] {
  if (Array.isArray(node)) return node.flatMap(functionsIn)
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(functionsIn)
  return isFunction(node) && node.body ? [node.body, ...inside] : inside
}

function isFunction(node: object): node is { readonly body: Range | null } {
  return 'type' in node && /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(String(node.type))
}

function nameOf(text: string): string {
  return /(?:function|const|class|interface|type|let)\s+(\w+)/.exec(text)?.[1] ?? text.slice(0, 40)
}

if (process.argv[1] === import.meta.filename) {
  const checkout = process.argv[2] ?? root
  const paths = globSync(folders, { cwd: checkout }).filter((path) => !leftOut.test(path))
  const all = paths.map((path) => structureOf(path, readFileSync(join(checkout, path), 'utf8')))
  console.table({
    files: paths.length,
    'lines of code': all.reduce((sum, { lines }) => sum + lines, 0),
    [`files over ${longestFile} lines of code`]: all.filter(({ lines }) => lines > longestFile).length,
    [`functions over ${longestFunction} lines of code`]: all.reduce((sum, { longFunctions }) => sum + longFunctions, 0),
    '… without the functions inside them': all.reduce((sum, { longByThemselves }) => sum + longByThemselves, 0),
    'exports without a docstring': all.reduce((sum, { undocumented }) => sum + undocumented.length, 0),
  })
}
