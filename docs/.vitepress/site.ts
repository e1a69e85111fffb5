/**
 * `npm run site`: builds the documentation as a site into dist/site, from a built package: pages, reference, playground and gallery. Fails where a
 * link between pages leads nowhere. `-- --serve` shows it at http://localhost:4244.
 */
import { join } from 'node:path'
import { build, serve } from 'vitepress'
import { root } from '../../scripts/paths.ts'
import { checkSite } from './site/check.ts'
import { paintFirst } from './site/first-paint.ts'
import { writeWorker } from './site/offline.ts'
import { addMarkdown, writePages } from './site/write-pages.ts'

const base = process.env.PAYWINDOW_SITE_BASE ?? '/'
const docs = join(root, 'docs')
const pages = join(docs, '.vitepress', 'pages')
const site = join(root, 'dist', 'site')
await writePages(pages)
await build(docs)
addMarkdown(pages, site, base)
paintFirst(site, base)
await writeWorker(site)
const broken = checkSite(site, base)
for (const each of broken) console.error(each)
if (broken.length > 0) process.exit(1)
if (process.argv.includes('--serve')) await serve({ root: docs, port: 4244 })
