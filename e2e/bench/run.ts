/**
 * Measures the widget beside a hand-written panel and its peers: each on a page with nothing else,
 * and some of them in the demo shop's page. All run in one browser, in alternating order.
 * `npm run bench` builds, measures and prints all tables; `-- --write` saves the main ones in
 * docs/maintainers/performance.md. Nothing leaves the machine, except that npm installs the peers
 * once.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { ensureChromium } from '../../scripts/browsers.ts'
import { root } from '../../scripts/paths.ts'
import { bundleShop } from '../shop-bundle.ts'
import { buildSites, sites } from './build.ts'
import { lineTable, occasion, print, table, whole } from './report.ts'
import { churn, type Idle, idle, type Load, load, type Weight, weigh } from './samples.ts'
import { serveSites } from './server.ts'
import { type Idles, idleTable, type Loads, linesOf, loadTable, weightTable } from './tables.ts'
import { scriptTag, targets } from './targets.ts'
import type { Conditions } from './visit.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    idle: { type: 'string', default: '60' },
    'idle-runs': { type: 'string', default: '5' },
    mounts: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs)
const measured = targets.filter(({ folder }) => options.only === '' || options.only.split(',').includes(folder))

const slow = { title: 'processor 4 times slower', cpu: 4, network: 'none' } as const
const conditions: readonly (Conditions & { readonly title: string })[] = [
  { title: 'as the machine is', cpu: 1, network: 'none' },
  slow,
  { title: 'processor 4 times slower, slow 4G', cpu: 4, network: 'slow4g' },
]

await buildSites()
const shop = await bundleShop(`export { Paywindow } from 'paywindow'`, join(sites, 'shop.js'))
const server = await serveSites()
const origin = `http://127.0.0.1:${server.port}`
const browser = await chromium.launch({ executablePath: ensureChromium() })
/** The sections that the document keeps. */
const kept: string[] = []
try {
  const weights = new Map<string, Weight>()
  for (const target of measured) weights.set(target.name, await weigh(browser, origin, target))
  kept.push(print('Bytes of a cold load, up to the standing panel', weightTable(weights)))

  const loads: Loads[] = []
  for (const condition of conditions) {
    const samples = await sampleLoads(browser, condition)
    loads.push(samples)
    const section = print(`Load: ${condition.title} (median of ${runs})`, loadTable(samples))
    if (condition === slow) kept.push(section)
  }

  const idles = await sampleIdle(browser, false)
  const hidden = await sampleIdle(browser, true)
  const minute = `A minute with the panel open (median of ${options['idle-runs']}, ${options.idle} s each)`
  kept.push(print(minute, idleTable(idles)))
  print('The same in a tab that is not shown', idleTable(hidden))

  const script = measured.find(({ name }) => name === scriptTag)
  if (script) {
    const left = await churn(browser, origin, script, Number(options.mounts))
    const cells = [whole(left.heapGrowthBytes / 1024), left.listeners, left.nodes]
    print(`Left of ${options.mounts} elements that came and went`, table(['heap KiB', 'listeners', 'nodes'], [cells]))
  }
  if (options.only === '')
    kept.push(
      print(
        'What the script tag and the React entry are held to',
        lineTable(linesOf(shop.first, weights, loads, idles)),
      ),
    )
} finally {
  await browser.close()
  await server.close()
}
if (options.write) writeFileSync(join(root, 'docs', 'maintainers', 'performance.md'), document())

/**
 * Loads every page once per round, forwards and backwards in turn: a slowing machine slows all
 * pages.
 */
async function sampleLoads(browser: Browser, condition: Conditions): Promise<Loads> {
  const samples = new Map(measured.map(({ name }): [string, Load[]] => [name, []]))
  for (let round = -1; round < runs; round += 1) {
    for (const target of round % 2 === 0 ? measured : measured.toReversed()) {
      const sample = await load(browser, origin, target, condition)
      // The first round is a warm-up.
      if (round >= 0) samples.get(target.name)?.push(sample)
    }
  }
  return samples
}

async function sampleIdle(browser: Browser, hidden: boolean): Promise<Idles> {
  const samples = new Map(measured.map(({ name }): [string, Idle[]] => [name, []]))
  for (let round = 0; round < Number(options['idle-runs']); round += 1) {
    // All at once: each page has its own process, and only that process's time counts.
    const found = await Promise.all(
      measured.map((target) => idle(browser, origin, target, { seconds: Number(options.idle), hidden })),
    )
    for (const [at, { name }] of measured.entries()) samples.get(name)?.push(...found.slice(at, at + 1))
  }
  return samples
}

function document(): string {
  return `# Performance

\`npm run bench -- --write\` wrote this on ${occasion()}, Chromium ${browser.version()}.

Each panel gets its order by one POST to a server on the same machine, and offers one method. It
stands on a page with nothing else, or, where a row says so, in the demo shop's checkout page. Each
sample is a browser context of its own, without a cache.

- *Ready* is the frame after the first frame with the code.
- *Task* and *script* are milliseconds of the main thread's processor, until two seconds after
  ready.
- *Heap* is what is left after a collection of garbage.

Compare within one run only: two runs of one page differ by some percent. A run prints more tables
than this page keeps: an unchanged machine, slow 4G, and a hidden tab.
[The rules of speed](../decisions/speed.md) say how these figures are reached.

${kept.join('\n\n')}
`
}
