/**
 * Writes one d.ts per entry into dist, what CommonJS projects need beside it, and the report of each entry's public names into docs/api,
 * so that no change to them goes unseen in review.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { writeCommonJs } from './commonjs.ts'
import { typedEntries } from './entries.ts'
import { globalsOf } from './globals.ts'
import { cache, root } from './paths.ts'

const dist = join(root, 'dist')
// Not below node_modules: what is there counts as somebody else's, and is not bundled.
const emitted = join(dist, 'types')

/**
 * Emits declarations of all sources, then bundles those of each entry.
 *
 * @param keepReports - Fails on a change of the public names, as CI does, in place of writing it down.
 * @throws Error when the compiler or the bundler objects.
 */
export function buildTypes({ keepReports }: { keepReports: boolean }): void {
  mkdirSync(join(cache, 'api'), { recursive: true })
  emitDeclarations()
  for (const [name, source] of Object.entries(typedEntries)) bundleDeclarations(name, source, { keepReports })
  for (const name of Object.keys(typedEntries)) writeCommonJs(dist, name)
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
        // The reference describes them: options have parts that cannot be imported.
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
    if (keepReports) throw new Error(`The public names of ${name} have changed: npm run api. ${advice}`)
    console.log(`  The public names of ${name} have changed. ${advice}`)
  }
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

if (process.argv[1] === import.meta.filename) buildTypes({ keepReports: false })
