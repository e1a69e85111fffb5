/**
 * Builds everything in dist: the package, and the browser files of the demo shop. Says what it builds and how large it came out.
 * With --keep-reports it fails when the public names are not those of docs/api, which it writes anew otherwise. With --shop it builds
 * what the demo shop serves, and nothing more.
 */
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { languages } from '../src/locales/languages.ts'
import { withPlainRem } from '../src/react/rem.ts'
import { writeAngularDirective } from './angular-directive.ts'
import { writeFrameworkTypes } from './framework-types.ts'
import { joinLicenses } from './licenses.ts'
import { writeManifests } from './manifest.ts'
import { writeNotForBrowsers } from './not-for-browsers.ts'
import { root } from './paths.ts'
import { writeReports } from './written-reports.ts'

const dist = join(root, 'dist')
const keepReports = process.argv.includes('--keep-reports')
const startedAt = performance.now()

rmSync(dist, { recursive: true, force: true })
type Step = readonly [doing: string, work: () => unknown]
const shop: readonly Step[] = [
  ['React entry', () => bundle('react')],
  ['styles', copyStyles],
  ['script tag', () => bundle('script')],
  ['notes for developers', () => bundle('developer')],
  ['server entries and command', () => bundle('server')],
  ['languages', writeLanguages],
  ['demo shop', () => bundle('demo')],
]
const rest: readonly Step[] = [
  ['custom element', () => bundle('element')],
  ['what stops server code in pages', () => writeNotForBrowsers(dist)],
  ['integrity', () => writeFileSync(join(dist, 'paywindow.js.integrity'), integrityOf('paywindow.js'))],
  ['licences of libraries', () => writeFileSync(join(dist, 'licenses.txt'), joinLicenses(dist))],
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
// Written last: `npm start` takes a build without it for one that was interrupted.
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

/** Its tools are installed with the checks: the demo shop is built without them. */
async function writeTypes(): Promise<void> {
  const { buildTypes } = await import('./types.ts')
  buildTypes({ keepReports })
}

/** For the attribute `integrity`, as browsers check it. */
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
  // For compilers: an import of styles has nothing to take. TypeScript 6 and later refuse one that has no types.
  for (const kind of ['d.ts', 'd.cts']) writeFileSync(join(dist, `styles.css.${kind}`), 'export {}\n')
  cpSync(join(root, 'src/react/themes'), join(dist, 'themes'), { recursive: true })
}

/** One JSON file a language: the script tag loads the one it shows, and React pages import theirs. */
async function writeLanguages(): Promise<void> {
  mkdirSync(join(dist, 'locales'))
  for (const language of languages) {
    const file: Readonly<Record<string, unknown>> = await import(`../src/locales/${language}.ts`)
    writeFileSync(join(dist, 'locales', `${language}.json`), JSON.stringify(Object.values(file)[0]))
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
}
