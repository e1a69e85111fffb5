/** What the React entry adds to a shop's bundle, which has React and TanStack Query already. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const kibibyte = 1024

test('the component is within its budget, its code library included', async () => {
  const { first, later } = await bundle(`export { Paywindow } from 'paywindow'`)
  expect(first).toContain('pw-card')
  expect(first).toContain('encodeSegments')
  expect(gzipSync(first, { level: 9 }).length).toBeLessThan(20 * kibibyte)
  expect(later).toContain('pw-methods')
  expect(gzipSync(later, { level: 9 }).length).toBeLessThan(5.5 * kibibyte)
})

test('codes are drawn as SVG only: the canvas of the code library is left out', async () => {
  const { first, later } = await bundle(`export { Paywindow } from 'paywindow'`)
  expect(first + later).not.toContain('getContext')
})

test('who draws the checkout himself gets neither screens nor codes nor texts', async () => {
  const { first, later } = await bundle(`export { usePaywindow } from 'paywindow'`)
  expect(first).not.toContain('pw-card')
  expect(first).not.toContain('Send exactly')
  expect(first).not.toContain('encodeSegments')
  expect(gzipSync(first, { level: 9 }).length).toBeLessThan(8_500)
  expect(later).toBe('')
})

/** Bundles a shop's file with the package as it is published: what loads with the page, and what loads when it is asked for. */
async function bundle(source: string): Promise<{ first: string; later: string }> {
  const entry = test.info().outputPath('shop.js')
  writeFileSync(entry, source)
  const [built] = (await build({
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
  const chunks = built?.output.filter((file) => file.type === 'chunk') ?? []
  const loadsLater = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports))
  const codeOf = (isLater: boolean) =>
    chunks.flatMap(({ fileName, code }) => (loadsLater.has(fileName) === isLater ? code : [])).join('\n')
  return { first: codeOf(false), later: codeOf(true) }
}
