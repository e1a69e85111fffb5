/** The import table of docs/architecture.md as rules over sources. */
import { typedEntries } from './entries.ts'
import { type Module, readModule, resolveOwn } from './modules.ts'

const portable = ['@noble/hashes', '@scure/base']
const browser = ['react', 'react-dom']

/** What each folder of src may import. Of `types` it may import only types. */
const table: Readonly<Record<string, { folders: string[]; types?: string[]; packages: string[] }>> = {
  contract: { folders: [], packages: [] },
  service: { folders: ['contract'], packages: ['lru-cache'] },
  // What draws is a file of its own, which the server loads when it draws.
  server: { folders: ['service', 'contract', 'page'], packages: [...portable, 'ipaddr.js', 'lru-cache', 'node:'] },
  locales: { folders: [], types: ['contract'], packages: [] },
  checkout: { folders: ['contract', 'locales'], packages: [] },
  // Only payers who choose a wallet load it, so it must not bring other code along.
  wallet: { folders: ['contract', 'locales'], packages: [] },
  session: { folders: ['checkout', 'contract', 'developer'], packages: [] },
  // Only developers load it, so it must not bring other code along.
  developer: { folders: ['locales'], types: ['react', 'element'], packages: ['fastest-levenshtein'] },
  react: {
    folders: ['session', 'wallet', 'checkout', 'contract', 'locales'],
    packages: [...browser, '@tanstack/react-query', 'qrcode.react'],
  },
  element: {
    // package.json has the version.
    folders: ['react', 'session', 'checkout', 'contract', 'locales', 'package.json'],
    packages: [...browser, 'preact', 'lean-qr'],
  },
  // Draws on a server what the element draws in a browser.
  page: {
    folders: ['element', 'react', 'session', 'checkout', 'contract', 'locales', 'package.json'],
    packages: ['preact', 'preact-render-to-string'],
  },
  sandbox: { folders: ['contract'], types: ['service'], packages: portable },
  // Apart from the server, which must not need it.
  opentelemetry: { folders: [], types: ['server', 'contract'], packages: ['@opentelemetry/api'] },
  testing: { folders: [], types: ['server'], packages: ['node:'] },
  serve: {
    folders: ['server', 'service', 'contract', 'page'],
    packages: [...portable, 'csv-stringify', 'preact', 'preact-render-to-string', 'node:'],
  },
  cli: {
    folders: ['serve', 'server', 'service', 'sandbox', 'opentelemetry', 'contract', 'package.json'],
    packages: ['commander', 'parse5', 'node:'],
  },
  // It draws states that no server gives on demand, from the answers of such a server.
  gallery: {
    folders: ['react', 'session', 'checkout', 'contract', 'locales', 'server'],
    packages: [...browser, 'paywindow', 'node:'],
  },
  // Its page contains the server.
  playground: { folders: ['demo', 'server'], packages: [...browser, 'paywindow'] },
  demo: { folders: [], packages: [...browser, 'paywindow', '@fastify/send', 'compression', 'node:'] },
}

/** What tests may import besides: the other side of a connection, and tools of tests. */
const forTests = {
  folders: ['server', 'service', 'sandbox', 'testing', 'checkout', 'contract'],
  packages: ['node:', 'ajv', 'fast-check', 'vitest'],
}
const forBrowserTests = ['parse5', '@testing-library/react', '@testing-library/dom', 'jsdom', 'qr', 'uqr']
const testPackages = [...forTests.packages, ...forBrowserTests, 'standardwebhooks', ...portable]

/** Entries that need Node. All others also run on workers and edge servers. */
const nodeEntries = ['server-node', 'testing']

/** What a room of the server may import, as its README.md says. `..`: files beside the rooms. */
export interface Door {
  readonly imports: readonly string[]
  readonly types: readonly string[]
}

/** Files beside the rooms that rooms may import. */
const besideRooms = ['context.ts', 'offers.ts', 'options.ts']

/**
 * Checks the imports of sources against the table, and the imports of rooms against their doors.
 *
 * @param sources - Texts of all sources of src and of its importers, by path relative to the root.
 * @param doors - The doors, by the names of the rooms.
 * @returns One sentence for each violation, which begins with the file.
 */
export function findViolations(
  sources: ReadonlyMap<string, string>,
  doors: ReadonlyMap<string, Door> = new Map(),
): string[] {
  const modules = [...sources].map(([path, source]) => readModule(path, source))
  const own = modules.filter(({ path }) => path.startsWith('src/'))
  return [
    ...own.flatMap((module) => wrongImports(module)),
    ...own.filter(({ path }) => !isTest(path)).flatMap((module) => wrongDoors(module, doors)),
    ...nodeOnly(own),
  ]
}

/**
 * Finds circles of imports, types included.
 *
 * @param nodeOf - What a circle is made of: the files themselves, or their folders.
 * @returns Every node that imports itself through others.
 */
export function findCircles(
  sources: ReadonlyMap<string, string>,
  nodeOf: (path: string) => string = (path) => path,
): string[] {
  const targets = new Map<string, Set<string>>()
  for (const [path, source] of sources) {
    const node = nodeOf(path)
    const found = readModule(path, source).imports.flatMap(({ specifier }) => resolveOwn(path, specifier) ?? [])
    const others = found.filter((target) => sources.has(target)).map(nodeOf)
    targets.set(node, new Set([...(targets.get(node) ?? []), ...others.filter((other) => other !== node)]))
  }
  return [...targets.keys()].filter((node) => {
    // A set that grows while it is read: in the end it has everything that the node reaches.
    const reached = new Set(targets.get(node))
    for (const each of reached) for (const target of targets.get(each) ?? []) reached.add(target)
    return reached.has(node)
  })
}

/** Reads the line of a room's README.md that begins with `Imports:`. */
export function readDoor(text: string): Door {
  const [, imports = '', types = ''] = /^Imports: ([^.]*(?:`\.\.`)?[^.]*)\.(?: Types of: (.*)\.)?$/m.exec(text) ?? []
  const names = (list: string) => [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return { imports: names(imports), types: names(types) }
}

/** Whether a file is a test or a helper of tests. */
function isTest(path: string): boolean {
  return /\.(test|testing)\.tsx?$/.test(path)
}

function wrongImports(module: Module): string[] {
  return module.imports.flatMap((imported) => {
    const problem = wrongSpecifier(module.path, imported.specifier) ?? wrongArrow(module.path, imported)
    return problem === undefined ? [] : [`${module.path}: ${problem}`]
  })
}

function wrongSpecifier(path: string, specifier: string): string | undefined {
  const target = resolveOwn(path, specifier)
  if (target === undefined) return undefined
  if (target.split('/').includes('dist')) return `imports ${specifier} from dist`
  if (isTest(target) && path.startsWith('src/') && !isTest(path)) return `imports ${specifier}, which is for tests`
  if (!/\.(ts|tsx|css|json)$/.test(target)) return `imports ${specifier} without its extension`
  return undefined
}

function wrongArrow(path: string, { specifier, isType }: Module['imports'][number]): string | undefined {
  const folder = folderOf(path)
  if (folder === undefined) return undefined
  const row = table[folder]
  if (row === undefined) return `lies in a folder that the import table does not have`
  const test = isTest(path)
  const target = resolveOwn(path, specifier)
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

function wrongDoors({ path, imports }: Module, doors: ReadonlyMap<string, Door>): string[] {
  const room = roomOf(path)
  const door = room === undefined ? undefined : doors.get(room)
  if (room === undefined || doors.size === 0) return []
  if (!door) return [`${path}: lies in a room without a door: write src/server/${room}/README.md`]
  return imports.flatMap(({ specifier, isType }) => {
    const target = resolveOwn(path, specifier)
    if (!target?.startsWith('src/server/')) return []
    const other = roomOf(target) ?? '..'
    if (other === room) return []
    if (other === '..' && !besideRooms.includes(target.replace('src/server/', '')))
      return [`${path}: ${room} may not import ${specifier}, which puts rooms together`]
    if (door.imports.includes(other) || (isType && door.types.includes(other))) return []
    return [`${path}: the door of ${room} does not name ${other} (${specifier})`]
  })
}

/** Entries that run without Node must not reach a file that imports Node. */
function nodeOnly(own: readonly Module[]): string[] {
  const byPath = new Map(own.map((module) => [module.path, module]))
  const portableEntries = Object.entries(typedEntries).filter(([name]) => !nodeEntries.includes(name))
  const reached = new Set<string>(portableEntries.map(([, path]) => path))
  for (const path of reached) {
    const targets = byPath.get(path)?.imports.filter(({ isType }) => !isType) ?? []
    for (const { specifier } of targets) {
      const target = resolveOwn(path, specifier)
      if (target !== undefined) reached.add(target)
    }
  }
  return [...reached].flatMap((path) =>
    (byPath.get(path)?.imports ?? [])
      .filter(({ specifier, isType }) => specifier.startsWith('node:') && !isType)
      .map(({ specifier }) => `${path}: imports ${specifier}, and is reached by an entry that must run without Node`),
  )
}

function folderOf(path: string): string | undefined {
  return path.match(/^src\/([^/]+)\//)?.[1]
}

/** The room of a file; undefined for files beside the rooms and outside the server. */
function roomOf(path: string): string | undefined {
  return path.match(/^src\/server\/([^/]+)\//)?.[1]
}

function isOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`)
}
