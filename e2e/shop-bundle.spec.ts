/** What the React entry adds to a shop's bundle, which has React and TanStack Query already. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the component is within its budget, its code library included', async () => {
  const code = await bundle(`export { Paywindow } from 'paywindow'`)
  expect(code).toContain('pw-card')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(25_000)
})

test('who draws the checkout himself gets neither screens nor codes nor texts', async () => {
  const code = await bundle(`export { usePaywindow } from 'paywindow'`)
  expect(code).not.toContain('pw-card')
  expect(code).not.toContain('Send exactly')
  expect(code).not.toContain('QR')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(8_500)
})

/** Bundles a shop's file with the package as it is published. */
async function bundle(source: string): Promise<string> {
  const entry = test.info().outputPath('shop.js')
  writeFileSync(entry, source)
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { paywindow: fileURLToPath(new URL('../dist/index.js', import.meta.url)) } },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        external: [/^react(\/|$)/, /^react-dom(\/|$)/, /^@tanstack\//],
        output: { minify: true },
        checks: { moduleLevelDirective: false },
      },
    },
  })) as Rolldown.RolldownOutput[]
  return built[0]?.output[0].code ?? ''
}
