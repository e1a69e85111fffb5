/** The import table of the design as rules over sources, so that the server half and the browser half stay apart. */
import { cliEntry, languageFiles, scriptEntry, standIns, typedEntries } from './entries.ts'
import { type Module, readModule, resolveRelative } from './modules.ts'

const portable = ['@noble/hashes', '@scure/base']
const browser = ['react', 'react-dom']

/** What each folder of src may import: other folders, and packages. `types` may be imported for their types only. */
const table: Readonly<Record<string, { folders: string[]; types?: string[]; packages: string[] }>> = {
  contract: { folders: [], packages: [] },
  service: { folders: ['contract'], packages: [] },
  server: { folders: ['service', 'contract'], packages: [...portable, 'ipaddr.js', 'node:'] },
  locales: { folders: [], types: ['contract'], packages: [] },
  checkout: { folders: ['contract', 'locales'], packages: [] },
  session: { folders: ['checkout', 'contract'], packages: [] },
  react: {
    folders: ['session', 'checkout', 'contract', 'locales'],
    packages: [...browser, '@tanstack/react-query', 'qrcode.react'],
  },
  element: {
    folders: ['react', 'session', 'checkout', 'contract', 'locales'],
    packages: [...browser, 'preact', 'lean-qr'],
  },
  sandbox: { folders: ['contract'], types: ['service'], packages: portable },
  cli: { folders: ['service', 'sandbox', 'contract'], packages: ['commander', 'node:'] },
  // Many of its states come from no server on demand: it draws the widget's own screens from what such a server would say.
  gallery: {
    folders: ['react', 'session', 'checkout', 'contract', 'locales', 'server'],
    packages: [...browser, 'paywindow', 'node:'],
  },
  demo: { folders: [], packages: [...browser, 'paywindow', '@fastify/send', 'compression', 'node:'] },
}

/** Tests stand outside of what is shipped: they may play the other side, and use what tests use. */
const forTests = { folders: ['server', 'service', 'sandbox', 'contract'], packages: ['node:', 'fast-check', 'vitest'] }
const forBrowserTests = ['@testing-library/react', '@testing-library/dom', 'jsdom', 'qr', 'uqr']
/** What wallets read payment codes with, and what the addresses in them are made with. */
const forCodeTests = ['@solana/pay', 'bip21', 'eth-url-parser', 'xumm-string-decode', ...portable]
const testPackages = [...forTests.packages, ...forBrowserTests, ...forCodeTests]

/** Files that need nobody to import them. */
const entries = new Set<string>([
  ...Object.values({ ...typedEntries, ...cliEntry, ...scriptEntry }),
  ...languageFiles,
  ...standIns,
])
const lineLimit = 250

/**
 * Checks sources against the table, the naming of imports, the length of files and for exports that nobody uses.
 *
 * @param sources - Text by path relative to the root; all of src, and whatever else imports from it.
 * @returns One sentence for each violation, beginning with the file.
 */
export function findViolations(sources: ReadonlyMap<string, string>): string[] {
  const modules = [...sources].map(([path, source]) => readModule(path, source))
  const own = modules.filter(({ path }) => path.startsWith('src/'))
  const tests = testCode(own)
  return [
    ...own.flatMap((module) => wrongImports(module, tests.has(module.path))),
    ...own.flatMap(tooLong),
    ...nodeOnly(own),
    ...deadExports(own, modules),
  ]
}

/** Tests, and what only tests import. */
function testCode(own: readonly Module[]): ReadonlySet<string> {
  const tests = new Set(own.filter(({ path }) => /\.test\.tsx?$/.test(path)).map(({ path }) => path))
  const importersOf = Map.groupBy(
    own.flatMap(({ path, imports }) =>
      imports.map(({ specifier }) => ({ path, target: resolveRelative(path, specifier) })),
    ),
    ({ target }) => target,
  )
  for (let before = -1; before < tests.size; ) {
    before = tests.size
    for (const [target, importers] of importersOf) {
      if (target !== undefined && importers.every(({ path }) => tests.has(path)) && !entries.has(target))
        tests.add(target)
    }
  }
  return tests
}

function wrongImports(module: Module, isTest: boolean): string[] {
  return module.imports.flatMap(({ specifier, isType }) => {
    const problem = wrongSpecifier(module.path, specifier) ?? wrongArrow(module.path, specifier, isType, isTest)
    return problem === undefined ? [] : [`${module.path}: ${problem}`]
  })
}

function wrongSpecifier(path: string, specifier: string): string | undefined {
  const target = resolveRelative(path, specifier)
  if (target === undefined) return undefined
  if (target.split('/').includes('dist')) return `imports ${specifier} from dist`
  if (!/\.(ts|tsx|css|json)$/.test(target)) return `imports ${specifier} without its extension`
  return undefined
}

function wrongArrow(path: string, specifier: string, isType: boolean, test: boolean): string | undefined {
  const folder = folderOf(path)
  if (folder === undefined) return undefined
  const row = table[folder]
  if (row === undefined) return `lies in a folder that the import table does not have`
  const target = resolveRelative(path, specifier)
  if (target === undefined) {
    const packages = test ? [...row.packages, ...testPackages] : row.packages
    return packages.some((name) => isOf(specifier, name)) ? undefined : `${folder} may not import ${specifier}`
  }
  const other = folderOf(target) ?? target
  const allowed = [folder, ...row.folders, ...(isType ? (row.types ?? []) : []), ...(test ? forTests.folders : [])]
  if (allowed.includes(other)) return undefined
  return row.types?.includes(other)
    ? `${folder} may import only types from ${other}, and ${specifier} is imported for more`
    : `${folder} may not import ${other} (${specifier})`
}

function tooLong({ path, lineCount }: Module): string[] {
  return lineCount > lineLimit ? [`${path}: has ${lineCount} lines, ${lineLimit} is the limit`] : []
}

/** `./server` and its like run on workers and edge servers too: nothing that they reach may need Node. */
function nodeOnly(own: readonly Module[]): string[] {
  const byPath = new Map(own.map((module) => [module.path, module]))
  const reached = new Set<string>(Object.values(typedEntries).filter((path) => path !== typedEntries['server-node']))
  for (const path of reached) {
    const targets = byPath.get(path)?.imports.filter(({ isType }) => !isType) ?? []
    for (const { specifier } of targets) {
      const target = resolveRelative(path, specifier)
      if (target !== undefined) reached.add(target)
    }
  }
  return [...reached].flatMap((path) =>
    (byPath.get(path)?.imports ?? [])
      .filter(({ specifier, isType }) => specifier.startsWith('node:') && !isType)
      .map(({ specifier }) => `${path}: imports ${specifier}, and is reached by an entry that must run without Node`),
  )
}

function deadExports(own: readonly Module[], importers: readonly Module[]): string[] {
  const used = new Set<string>()
  for (const { path, imports } of importers) {
    for (const { specifier, names } of imports) {
      const target = resolveRelative(path, specifier)
      for (const name of names === 'all' ? ['*'] : names) used.add(`${target} ${name}`)
    }
  }
  return own
    .filter(({ path }) => !entries.has(path))
    .flatMap(({ path, exports }) =>
      exports
        .filter((name) => !used.has(`${path} ${name}`) && !used.has(`${path} *`))
        .map((name) => `${path}: exports ${name}, which nothing imports`),
    )
}

function folderOf(path: string): string | undefined {
  return path.match(/^src\/([^/]+)\//)?.[1]
}

function isOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`)
}
