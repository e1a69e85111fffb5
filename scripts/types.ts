/**
 * Writes the declarations of each entry into dist, its files for CommonJS, and the report of its
 * public names into docs/api. The reports show changes of public names in review.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { typedEntries } from './entries.ts'
import { readModule, resolveOwn } from './modules.ts'
import { cache, root } from './paths.ts'
import { isTypeOnly, type Member, membersOf } from './public-names.ts'

const dist = join(root, 'dist')
// Not below node_modules: the bundler would take it for another package.
const emitted = join(dist, 'types')

/**
 * Emits the declarations of all sources, then bundles those of each entry.
 *
 * @param keepReports - Throws on a change of the public names, as in CI, and writes nothing.
 * @throws Error when the compiler or the bundler objects.
 */
export function buildTypes({ keepReports }: { keepReports: boolean }): void {
  mkdirSync(join(cache, 'api'), { recursive: true })
  emitDeclarations()
  for (const [name, source] of Object.entries(typedEntries)) bundleDeclarations(name, source, { keepReports })
  for (const name of Object.keys(typedEntries)) writeCommonJs(dist, name)
  rmSync(emitted, { recursive: true })
}

/** Emits declarations of what the entries reach: tests may have types without names. */
function emitDeclarations(): void {
  rmSync(emitted, { recursive: true, force: true })
  const config = join(cache, 'tsconfig.types.json')
  const emit = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: join(root, 'src'),
    outDir: emitted,
  }
  const files = Object.values(typedEntries).map((source) => join(root, source))
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: emit, files, include: [] }),
  )
  const compiler = join(root, 'scripts', 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', config], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('tsc could not write the declarations')
}

function bundleDeclarations(name: string, source: string, { keepReports }: { keepReports: boolean }): void {
  const declarations = join(emitted, source.replace(/^src\//, '').replace(/\.tsx?$/, '.d.ts'))
  const bundled = join(dist, `${name}.d.ts`)
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      compiler: { overrideTsconfig: compilerOptions },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, 'docs', 'api'),
        reportTempFolder: join(cache, 'api'),
      },
      docModel: {
        enabled: true,
        apiJsonFilePath: join(cache, 'api', `${name}.api.json`),
        // The reference describes types that cannot be imported, such as parts of options.
        includeForgottenExports: true,
      },
      dtsRollup: { enabled: true, untrimmedFilePath: bundled },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
    },
  })
  const { succeeded, apiReportChanged } = Extractor.invoke(config, { localBuild: !keepReports, messageCallback: quiet })
  if (apiReportChanged) {
    const advice = `Look at the difference in docs/api/${name}.api.md and commit it when it is meant.`
    if (keepReports) throw new Error(`The public names of ${name} have changed: npm run build. ${advice}`)
    console.log(`  The public names of ${name} have changed. ${advice}`)
  }
  if (!succeeded) throw new Error(`the declarations of ${name} could not be bundled`)
  const globals = globalsOf(source)
  if (globals) appendFileSync(bundled, `\n${globals}\n`)
}

/** For the compiler of the bundler, which is older than ours. */
const compilerOptions = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: [join(emitted, '**/*.d.ts')],
}

/** Hides messages that do not stop the build. */
function quiet(message: ExtractorMessage): void {
  if (message.category === 'Compiler' || message.category === 'Extractor') return
  message.handled = true
}

/**
 * Writes `<entry>.cjs` and `<entry>.d.cts` for CommonJS. The first requires the entry's own module,
 * as Node can since 22.12: there is one copy of the code.
 */
function writeCommonJs(dist: string, entry: string): void {
  writeFileSync(join(dist, `${entry}.cjs`), entry.startsWith('server') ? guarded(entry) : requiring(entry))
  writeFileSync(join(dist, `${entry}.d.cts`), declarationsOf(entry))
}

/** Takes types from the module: a copied class with private fields would be another class. */
function declarationsOf(entry: string): string {
  const from = `'./${entry}.js' with { 'resolution-mode': 'import' }`
  const members = membersOf(entry)
  const types = members.filter(isTypeOnly).map(({ name }) => name)
  const values = members.filter((member) => !isTypeOnly(member))
  return [
    // Needed even without names: an entry may declare globals.
    `import type * as entry from ${from}`,
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}`] : []),
    ...values.map(declarationOf),
    'export {}',
    '',
  ].join('\n')
}

function declarationOf({ kind, name, docComment }: Member): string {
  const value = `${docComment}export declare const ${name}: typeof entry.${name}`
  return kind === 'Class' ? `${value}\nexport type ${name} = entry.${name}` : value
}

function requiring(entry: string): string {
  return `module.exports = require('./${entry}.js')\n`
}

/** A Node that cannot require a module is too old for the server, but only advises to import it. */
function guarded(entry: string): string {
  return `try {
  ${requiring(entry).trimEnd()}
} catch (error) {
  if (error.code !== 'ERR_REQUIRE_ESM') throw error
  throw new Error(\`Paywindow's server needs Node 22.13 or later. This is Node \${process.version}. See https://nodejs.org/\`, { cause: error })
}
`
}

/**
 * Finds the `declare global` blocks of an entry with their imports: the bundler drops both.
 *
 * @throws Error when a type in a block is exported by no entry.
 */
function globalsOf(entrySource: string): string {
  const blocks = reachedFrom(entrySource).flatMap(({ path, text }) =>
    (text.match(/^declare global \{\n(?:[ \t].*\n|\n)*\}$/gm) ?? []).map((block) => ({ block, path, text })),
  )
  const imports = blocks.flatMap(({ block, path, text }) =>
    readModule(path, text)
      .imports.flatMap(({ names }) => (names === 'all' ? [] : names))
      .filter((name) => new RegExp(`\\b${name}\\b`).test(block))
      .map((name) => `import type { ${name} } from './${entryThatExports(name, path)}.js'`),
  )
  return [...imports, ...blocks.map(({ block }) => block)].join('\n')
}

function reachedFrom(entrySource: string): { path: string; text: string }[] {
  const texts = new Map([[entrySource, read(entrySource)]])
  // Entries that are added during the iteration are visited, too.
  for (const [path, text] of texts) {
    for (const { specifier, isType } of readModule(path, text).imports) {
      const target = resolveOwn(path, specifier)
      if (target !== undefined && !isType && /\.tsx?$/.test(target))
        texts.set(target, texts.get(target) ?? read(target))
    }
  }
  return [...texts].map(([path, text]) => ({ path, text }))
}

function entryThatExports(name: string, path: string): string {
  const entry = Object.entries(typedEntries).find(([, source]) =>
    readModule(source, read(source)).exports.includes(name),
  )
  if (entry === undefined) throw new Error(`${path} declares a global with ${name}, which no entry exports`)
  return entry[0]
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
