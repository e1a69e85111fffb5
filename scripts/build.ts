/**
 * Builds dist: the package, the demo shop, the gallery and the playground. Prints the size of each
 * file. `--keep-reports`: fails when public names have changed, in place of writing docs/api.
 * `--shop`: builds only the files of the demo shop.
 */
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import packageJson from '../package.json' with { type: 'json' }
import { languages } from '../src/locales/languages.ts'
import { withPlainRem } from '../src/react/rem.ts'
import { configForm } from '../src/serve/config.ts'
import { openApi } from '../src/serve/openapi.ts'
import { writeAngularDirective } from './angular-directive.ts'
import { writeManifests } from './manifest.ts'
import { writeNotForBrowsers } from './not-for-browsers.ts'
import { root } from './paths.ts'
import { writeFrameworkTypes, writeReports } from './written-reports.ts'

const dist = join(root, 'dist')
const keepReports = process.argv.includes('--keep-reports')
const startedAt = performance.now()

/** A library in a bundle, as Vite writes it. */
interface License {
  readonly name: string
  readonly version: string
  readonly text?: string
}

rmSync(dist, { recursive: true, force: true })
type Step = readonly [doing: string, work: () => unknown]
const shop: readonly Step[] = [
  ['React entry', () => bundle('react')],
  ['styles', copyStyles],
  ['script tag', () => bundle('script')],
  ['notes for developers', () => bundle('developer')],
  ['list of wallets', () => bundle('wallet')],
  ['server entries and command', () => bundle('server')],
  ['drawing on servers', () => bundle('page')],
  ['languages', writeLanguages],
  ['descriptions for paywindow serve', writeDescriptions],
  ['demo shop', () => bundle('demo')],
]
const rest: readonly Step[] = [
  ['custom element', () => bundle('element')],
  ['what stops server code in pages', () => writeNotForBrowsers(dist)],
  ['integrity', () => writeFileSync(join(dist, 'paywindow.js.integrity'), integrityOf('paywindow.js'))],
  ['licences of libraries', () => writeFileSync(join(dist, 'licenses.txt'), joinLicenses())],
  ['types', writeTypes],
  ['types for templates', () => writeFrameworkTypes(dist)],
  ['directive for Angular', () => writeAngularDirective(dist)],
  ['reports of these types', () => writeReports(dist, { keepReports })],
  ['manifests for editors', () => writeManifests(dist)],
  ['demo shop with development React', () => bundle('demo-development')],
  ['gallery', () => bundle('gallery', join(root, 'src', 'gallery'))],
  ['playground', () => bundle('playground', join(root, 'src', 'playground'))],
]
const steps = process.argv.includes('--shop') ? shop : [...shop, ...rest]
for (const [doing, work] of steps) {
  console.log(`Building ${doing} …`)
  await work()
}
chmodSync(join(dist, 'cli.js'), 0o755)
// Written last: `npm start` takes a build without this file for an interrupted build.
writeFileSync(join(dist, 'demo', 'built'), new Date().toISOString())

if (steps !== shop) printSizes()
console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

function printSizes(): void {
  for (const file of readdirSync(dist).filter((name) => /\.(js|css)$/.test(name))) {
    const bytes = readFileSync(join(dist, file))
    console.log(
      `  dist/${file.padEnd(20)} ${kilobytes(bytes.length)}  ${kilobytes(gzipSync(bytes, { level: 9 }).length)} gzip`,
    )
  }
  console.log(`  integrity of dist/paywindow.js: ${integrityOf('paywindow.js')}`)
}

/** Imported here, because the demo shop is built without the tools of scripts. */
async function writeTypes(): Promise<void> {
  const { buildTypes } = await import('./types.ts')
  buildTypes({ keepReports })
}

/** A value of the attribute `integrity`. */
function integrityOf(file: string): string {
  return `sha384-${createHash('sha384')
    .update(readFileSync(join(dist, file)))
    .digest('base64')}`
}

async function bundle(mode: string, folder = root): Promise<void> {
  await build({ root: folder, mode, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
}

function copyStyles(): void {
  const parts = ['page.css', 'styles.css'].map((name) => readFileSync(join(root, 'src/react', name), 'utf8'))
  writeFileSync(join(dist, 'styles.css'), withPlainRem(parts.join('\n')))
  // TypeScript 6 and later refuse to import styles without types.
  for (const kind of ['d.ts', 'd.cts']) writeFileSync(join(dist, `styles.css.${kind}`), 'export {}\n')
  cpSync(join(root, 'src/react/themes'), join(dist, 'themes'), { recursive: true })
}

/** One JSON file for each language: the script tag loads one, and React pages import theirs. */
async function writeLanguages(): Promise<void> {
  mkdirSync(join(dist, 'locales'))
  for (const language of languages) {
    const file: Readonly<Record<string, unknown>> = await import(`../src/locales/${language}.ts`)
    writeFileSync(join(dist, 'locales', `${language}.json`), JSON.stringify(Object.values(file)[0]))
  }
}

/** Of the file of `paywindow serve`, and of the API that it has. */
function writeDescriptions(): void {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...configForm.schema }
  const write = (name: string, json: object) => writeFileSync(join(dist, name), `${JSON.stringify(json, null, 2)}\n`)
  write('paywindow.schema.json', schema)
  write('openapi.json', openApi(packageJson.version))
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
}

/**
 * Joins the licences of bundled libraries, which every copy of the package must have. The builds
 * have written them (`licensed` in scripts/targets/shared.ts); drawings in the sources have theirs
 * beside them.
 *
 * @throws Error for a library without a licence file.
 */
function joinLicenses(): string {
  const files = globSync('licenses-*.json', { cwd: dist }).map((name) => join(dist, name))
  if (files.length === 0) throw new Error('no build has said which libraries are in it')
  const libraries = new Map(
    files
      .flatMap((file): License[] => JSON.parse(readFileSync(file, 'utf8')))
      .map((license) => [`${license.name} ${license.version}`, textOf(license)]),
  )
  for (const file of files) rmSync(file)
  const copied = globSync('src/**/LICENSE', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const texts = [...[...libraries].sort().map(([library, text]) => `${library}\n\n${text.trim()}\n`), ...copied]
  return `Paywindow's files contain these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function textOf({ name, text }: License): string {
  if (!text)
    throw new Error(`${name} is bundled and has no licence file: add its licence, or leave it out of the bundle`)
  return text
}
