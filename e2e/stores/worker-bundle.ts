/** Bundles the Worker of docs/workers.md with the published package, as a merchant does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code that the page leaves to the merchant. It tells the test's shop of each change. */
const shop = `
  export const findOffer = (reference) => reference === 'cart-42' ? {
    price: { asset: 'USD', amount: '49.90' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  } : null
  export const fulfil = (event) => fetch('https://shop.example/told', { method: 'POST', body: JSON.stringify(event) })`

/** A Worker and its settings. */
export interface DocumentedWorker {
  readonly script: string
  readonly settings: {
    readonly compatibility_date: string
    readonly d1_databases: readonly { readonly binding: string }[]
    readonly triggers: { readonly crons: readonly string[] }
    readonly vars: Readonly<Record<string, string>>
  }
}

/** @param folder - Where the merchant's files are written. */
export async function bundleDocumentedWorker(folder: string): Promise<DocumentedWorker> {
  const page = readFileSync(join(root, 'docs', 'workers.md'), 'utf8')
  const [, code, settings] = /^# Cloudflare Workers\n.*?^```ts\n(.*?)^```\n.*?^```jsonc\n(.*?)^```\n/ms.exec(page) ?? []
  if (code === undefined || settings === undefined) throw new Error('docs/workers.md has no Worker with its settings')
  const entry = join(folder, 'worker.ts')
  writeFileSync(entry, code)
  writeFileSync(join(folder, 'shop.ts'), shop)
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    // In other projects npm puts the package into node_modules, and its `exports` name these files.
    resolve: {
      alias: {
        'paywindow/server/d1': join(root, 'dist/server-d1.js'),
        'paywindow/server': join(root, 'dist/server.js'),
      },
      conditions: ['workerd', 'worker'],
    },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external: [/^cloudflare:/, /^node:/], output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[]
  const [chunk] = built.flatMap(({ output }) => output)
  if (chunk?.type !== 'chunk') throw new Error('The Worker was not bundled')
  return { script: chunk.code, settings: JSON.parse(settings.replace(/\/\/ wrangler.*$/m, '')) }
}
