/** The merchant's server as one file of JavaScript. Node's stripping of types would take 50 MB. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { cache } from '../../../scripts/paths.ts'

const folder = join(cache, 'bench')
const bundled = new Map<string, Promise<string>>()

/** Bundles a program of this folder, once in each run. @returns the path of the bundle. */
export function bundle(name: 'merchant' | 'plain'): Promise<string> {
  const made = bundled.get(name) ?? make(name)
  bundled.set(name, made)
  return made
}

async function make(name: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js`, codeSplitting: false } },
    },
  })
  return join(folder, `${name}.js`)
}
