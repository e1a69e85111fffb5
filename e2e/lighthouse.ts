/**
 * `npm run lighthouse`: what Lighthouse says of the built documentation (`npm run site`), on a phone and on a desktop. Exits with 1 where a mark is
 * not 100, but for the speed, which depends on what else the machine does.
 */
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'
import { ensureChromium } from '../scripts/browsers.ts'
import { table } from './bench/report.ts'
import { serveSite } from './site-server.ts'

const paths = ['', 'start/node.html', 'playground.html']
const devices = { phone: undefined, desktop: desktopConfig }

const site = await serveSite()
const rows: (readonly string[])[] = []
for (const [device, config] of Object.entries(devices))
  for (const path of paths) rows.push([`/${path}`, device, ...(await marksOf(site.url + path, config))])
await site.close()
console.log(table(['page', 'device', 'speed', 'accessibility', 'best practices', 'search engines'], rows))
process.exitCode = rows.every((row) => row.slice(3).every((mark) => mark === '100')) ? 0 : 1

/** Marks from 0 to 100. */
async function marksOf(url: string, config: typeof desktopConfig | undefined): Promise<readonly string[]> {
  const chrome = await launch({ chromePath: ensureChromium(), chromeFlags: ['--headless=new', '--no-sandbox'] })
  try {
    const result = await lighthouse(url, { port: chrome.port, logLevel: 'error' }, config)
    const categories = result?.lhr.categories ?? {}
    return ['performance', 'accessibility', 'best-practices', 'seo'].map((id) =>
      String(Math.round((categories[id]?.score ?? 0) * 100)),
    )
  } finally {
    chrome.kill()
  }
}
