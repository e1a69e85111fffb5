/**
 * Writes one d.ts per entry into dist, and the report of each entry's public names into the cache, where scripts/api.ts
 * compares it with the one in docs/api.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { typedEntries } from './entries.ts'
import { globalsOf } from './globals.ts'
import { cache, root } from './paths.ts'

// Not below node_modules: what is there counts as somebody else's, and is not bundled.
const emitted = join(root, 'dist', 'types')
const reports = join(cache, 'api')

/** Emits declarations of all sources, then bundles those of each entry. @throws Error when the compiler or the bundler objects. */
export function buildTypes(): void {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  emitDeclarations()
  for (const [name, source] of Object.entries(typedEntries)) bundleDeclarations(name, source)
  rmSync(emitted, { recursive: true })
}

/** Of what the entries reach, and of nothing else: tests and their helpers need not be nameable from outside. */
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
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', config], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('tsc could not write the declarations')
}

function bundleDeclarations(name: string, source: string): void {
  const declarations = join(emitted, source.replace(/^src\//, '').replace(/\.tsx?$/, '.d.ts'))
  const bundled = join(root, 'dist', `${name}.d.ts`)
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      compiler: { overrideTsconfig: compilerOptions },
      apiReport: { enabled: true, reportFileName: `${name}.api.md`, reportFolder: reports, reportTempFolder: reports },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: bundled },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
    },
  })
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback: quiet })
  if (!succeeded) throw new Error(`the declarations of ${name} could not be bundled`)
  const globals = globalsOf(source)
  if (globals) appendFileSync(bundled, `\n${globals}\n`)
}

/** The compiler inside the bundler is older than ours and needs no more than this to read declarations. */
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

/** Says only what stops the build: the report holds the rest. */
function quiet(message: ExtractorMessage): void {
  if (message.category === 'Compiler' || message.category === 'Extractor') return
  message.handled = true
}

if (import.meta.main) buildTypes()
