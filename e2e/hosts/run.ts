/**
 * `npm run hosts -- [NAME…]`: follows the quick starts in docs/start word for word, with the package as it is packed, and pays in each shop in a
 * browser. With `--write` it first writes these pages from the examples, and then saves what it found in docs/hosts.md. Exits with 1 if one of
 * them cannot be paid in. Needs a POSIX shell, and the ports 3000 and 4300.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureChromium } from '../../scripts/browsers.ts'
import { root } from '../../scripts/paths.ts'
import { table } from '../bench/report.ts'
import { exampleNames, startPage } from './examples.ts'
import { install } from './install.ts'
import { payIn } from './pay.ts'

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !exampleNames.includes(name))
if (unknown.length > 0) throw new Error(`There is no example ${unknown.join(', ')}: ${exampleNames.join(', ')}`)

const starts = join(root, 'docs', 'start')
mkdirSync(starts, { recursive: true })
// Tests tell nobody that they ran.
Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' })

if (values.write) for (const name of exampleNames) writeFileSync(join(starts, `${name}.md`), startPage(name))
const browser = await chromium.launch({ executablePath: ensureChromium() })
const engine = `Chromium ${browser.version()}`
const rows: string[][] = []
for (const name of positionals.length > 0 ? positionals : exampleNames) {
  const { outcome, versions } = await tried(name)
  console.log(`${name}: ${outcome}`)
  rows.push([`[${name}](start/${name}.md)`, versions, engine, outcome])
}
await browser.close()
if (values.write) writeFileSync(join(root, 'docs', 'hosts.md'), document())
process.exitCode = rows.every(([, , , outcome]) => outcome === 'paid') ? 0 : 1

async function tried(name: string): Promise<{ readonly outcome: string; readonly versions: string }> {
  try {
    const installed = install(name)
    const { paywindow: _, ...others } = installed.versions
    const versions = Object.entries(others).map(([each, version]) => `${each} ${version}`)
    await payIn(installed, browser)
    return { outcome: 'paid', versions: versions.join(', ') }
  } catch (error) {
    console.error(error)
    return { outcome: 'FAILED', versions: '' }
  }
}

function document(): string {
  return `# Hosts

\`npm run hosts -- --write\` wrote this, with Node ${process.version}. In each row a quick start was followed word for word: its files were written into an
empty folder, the package was installed as it is packed, and its commands were run. A browser chose Bitcoin, and the address and the amount on the
page were those of the order at the service. When the order was paid, the page said so, the shop's own code was told once, and the
browser's console had no error and no warning.

${table(['quick start', 'with', 'engine', 'result'], rows)}
`
}
