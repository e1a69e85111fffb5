/** The merchant's server as one file of JavaScript. Node's stripping of types would take 50 MB. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { cache } from '../../../scripts/paths.ts'

const folder = join(cache, 'bench')
let bundled: Promise<string> | undefined

/** Bundles it, once in each run. @returns the path of the bundle. */
export function bundleMerchant(): Promise<string> {
  bundled ??= make()
  return bundled
}

async function make(): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('merchant.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'merchant.js', codeSplitting: false } },
    },
  })
  return join(folder, 'merchant.js')
}
