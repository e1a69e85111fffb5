/** Reads the imports and exports of a TypeScript source. */
import { posix } from 'node:path'
import { parseSync } from 'vite'
import packageJson from '../package.json' with { type: 'json' }

/** An import or re-export. `names`: `'all'` for the whole module. */
export interface Import {
  readonly specifier: string
  readonly names: readonly string[] | 'all'
  /** Whether it imports types only. */
  readonly isType: boolean
}

/** A source with its imports and exports. */
export interface Module {
  readonly path: string
  readonly imports: readonly Import[]
  readonly exports: readonly string[]
}

/**
 * @param path - Relative to the root of the repository, with slashes.
 * @throws Error when the source cannot be parsed.
 */
export function readModule(path: string, source: string): Module {
  const { module, program } = parse(path, source)
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName, isType }) =>
      moduleRequest === null ? [] : [{ specifier: moduleRequest.value, names: namesOf([importName]), isType }],
    ),
  )
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    names: namesOf(entries.map(({ importName }) => importName)),
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest }) => {
    // A specifier that is computed at run time is no module of ours.
    const specifier = source.slice(moduleRequest.start, moduleRequest.end).match(/^(['"])(.*)\1$/)?.[2]
    return specifier === undefined ? [] : [{ specifier, names: 'all' as const, isType: false }]
  })
  const types = typeImports(program).map((specifier) => ({ specifier, names: 'all' as const, isType: true }))
  return {
    path,
    imports: [...statics, ...reexports, ...dynamics, ...types],
    exports: module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name ?? 'default'),
    ),
  }
}

/**
 * Names of the exports without a docstring.
 *
 * @throws Error when the source cannot be parsed.
 */
export function undocumentedExports(path: string, source: string): readonly string[] {
  return parse(path, source).program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
    const before = source.slice(0, node.start).replace(/\/\/ biome-ignore[^\n]*\n$/, '')
    if (before.trimEnd().endsWith('*/') && !before.endsWith('\n\n')) return []
    const text = source.slice(node.start)
    return [/(?:function|const|class|interface|type|let)\s+(\w+)/.exec(text)?.[1] ?? text.slice(0, 40)]
  })
}

/** The file of a relative import, or of `#name` in package.json. Undefined for packages. */
export function resolveOwn(importer: string, specifier: string): string | undefined {
  const named = new Map(Object.entries(packageJson.imports)).get(specifier)
  if (named) return posix.normalize(typeof named === 'string' ? named : named.default)
  if (!specifier.startsWith('.')) return undefined
  return posix.normalize(posix.join(posix.dirname(importer), specifier.replace(/\?.*$/, '')))
}

function parse(path: string, source: string): ReturnType<typeof parseSync> {
  const parsed = parseSync(path, source)
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0]?.message}`)
  return parsed
}

function namesOf(entries: readonly { kind: string; name: string | null }[]): readonly string[] | 'all' {
  if (entries.some(({ kind }) => kind !== 'Name' && kind !== 'Default')) return 'all'
  return entries.map(({ kind, name }) => (kind === 'Default' ? 'default' : (name ?? 'default')))
}

/** Finds `import('./x.ts').Name` inside types, which the parser does not list. */
function typeImports(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(typeImports)
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(typeImports)
  if (!('type' in node) || node.type !== 'TSImportType') return inside
  const specifier = JSON.stringify(node).match(/"(?:source|argument)":.*?"value":"([^"]+)"/)?.[1]
  return specifier === undefined ? inside : [specifier, ...inside]
}
