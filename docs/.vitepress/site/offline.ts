/** Builds the service worker of a built site, with the list of all its files. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../../../scripts/paths.ts'
import { production } from '../../../scripts/targets/shared.ts'

/** Writes `worker.js` beside the first page. */
export async function writeWorker(site: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    define: { ...production, siteFiles: JSON.stringify(filesOf(site)) },
    publicDir: false,
    build: {
      outDir: site,
      emptyOutDir: false,
      lib: {
        entry: join(root, 'docs', '.vitepress', 'worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'worker.js',
      },
    },
  })
}

/** All that a page can ask for, without the pages as Markdown. */
function filesOf(site: string): readonly { readonly url: string; readonly revision: string | null }[] {
  return globSync('**/*.*', { cwd: site, exclude: ['**/*.md', 'llms.txt', 'worker.js'] })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((url) => ({ url, revision: url.startsWith('assets/') ? null : hashOf(join(site, url)) }))
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
}
