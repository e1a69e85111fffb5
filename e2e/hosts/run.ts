/**
 * `npm run hosts -- [NAME…]`: follows the quick starts in docs/start word for word, with the packed
 * package, and pays in each shop in one browser or three. Also pays in the documentation's
 * playground. `--write` first writes the quick starts from the examples, and saves the results in
 * docs/hosts.md. Exits with 1 if a shop cannot be paid in. Needs a POSIX shell, and the ports 3000
 * and 4300.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium, ensureFirefox, ensureWebKit } from '../../scripts/browsers.ts'
import { root } from '../../scripts/paths.ts'
import type { Payer } from './engines/payer.ts'
import { startChromium, startFirefox } from './engines/playwright.ts'
import { startWebKit } from './engines/webkit.ts'
import { exampleNames, startPage, type Way } from './examples.ts'
import { hostsPage, type Visited } from './hosts-page.ts'
import { type Installed, install } from './install.ts'
import { payIn } from './pay.ts'
import { payInPlayground } from './pay-in-playground.ts'
import { hostNames, playground, waysTo } from './plan.ts'
import { readOffline } from './read-offline.ts'

/** Starts a browser, or says why there is none. */
type Start = () => Promise<Payer | string>

/** Every browser in which shops are paid in. */
const engines: Readonly<Record<'chromium' | 'firefox' | 'webkit', Start>> = {
  chromium: () => startChromium(ensureChromium()),
  firefox: async () => {
    const path = ensureFirefox()
    return path === undefined ? 'there is no Firefox on this machine' : startFirefox(path)
  },
  webkit: async () => {
    const paths = ensureWebKit()
    return paths === undefined ? 'there is no WebKitGTK with its driver on this machine' : startWebKit(paths)
  },
}

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !hostNames.includes(name))
if (unknown.length > 0) throw new Error(`There is no example ${unknown.join(', ')}: ${hostNames.join(', ')}`)
const names = positionals.length > 0 ? positionals : hostNames

const starts = join(root, 'docs', 'start')
mkdirSync(starts, { recursive: true })
if (values.write) for (const name of exampleNames) writeFileSync(join(starts, `${name}.md`), startPage(name))
// Tests tell nobody that they ran.
Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' })

const visits: Visited[] = []
for (const [engine, start] of Object.entries(engines)) {
  const payer = await start()
  for (const name of names) {
    for (const way of waysTo(name, engine)) {
      const visited = typeof payer === 'string' ? skipped(name, way, engine, payer) : await tried(name, way, payer)
      console.log(`${name}, ${way}, ${visited.engine}: ${visited.outcome}`)
      visits.push(visited)
    }
  }
  if (typeof payer !== 'string') await payer.close()
}
if (values.write) writeFileSync(join(root, 'docs', 'hosts.md'), hostsPage(visits))
const results = process.env.PAYWINDOW_TEST_RESULTS
if (results) writeFileSync(join(results, 'hosts.json'), JSON.stringify(visits))
process.exitCode = visits.some(({ outcome }) => outcome === 'FAILED') ? 1 : 0

async function tried(name: string, way: Way, payer: Payer): Promise<Visited> {
  const { engine } = payer
  try {
    return { name, way, engine, outcome: 'paid', versions: await paidIn(name, way, payer) }
  } catch (error) {
    console.error(error)
    return { name, way, engine, outcome: 'FAILED', versions: '' }
  }
}

/** Resolves with the installed versions. Also reads the documentation without its server. */
async function paidIn(name: string, way: Way, payer: Payer): Promise<string> {
  if (name === playground) {
    await readOffline(payer)
    await payInPlayground(payer)
    return ''
  }
  const installed = install(name, way)
  await payIn(installed, payer)
  return versionsOf(installed)
}

function skipped(name: string, way: Way, engine: string, reason: string): Visited {
  return { name, way, engine, outcome: `skipped: ${reason}`, versions: '' }
}

function versionsOf({ versions: { paywindow: _, ...others } }: Installed): string {
  return Object.entries(others)
    .map(([each, version]) => `${each} ${version}`)
    .join(', ')
}
