/** What the React entry adds to a shop's bundle, which has React and TanStack Query already. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { bundleShop, type ShopBundle } from './shop-bundle.ts'
import { core } from './test.ts'

const kibibyte = 1024

test('the component is within its budget, its code library included', core, async () => {
  const { first, later, wallets, notes } = await bundle(`export { Paywindow } from 'paywindow'`)
  expect(notes).not.toBe('')
  expect(first).toContain('pw-card')
  expect(first).toContain('encodeSegments')
  expect(gzipSync(first, { level: 9 }).length).toBeLessThan(23.5 * kibibyte)
  expect(later).toContain('pw-methods')
  expect(gzipSync(later, { level: 9 }).length).toBeLessThan(9.35 * kibibyte)
  expect(gzipSync(wallets, { level: 9 }).length).toBeLessThan(4.7 * kibibyte)
})

test('codes are drawn as SVG only: the canvas of the code library is left out', async () => {
  const { first, later } = await bundle(`export { Paywindow } from 'paywindow'`)
  expect(first + later).not.toContain('getContext')
})

test('who draws the checkout himself gets neither screens nor codes nor texts', async () => {
  const { first, ...others } = await bundle(`export { usePaywindow } from 'paywindow'`)
  expect(first).not.toContain('pw-card')
  expect(first).not.toContain('Send exactly')
  expect(first).not.toContain('QR')
  expect(gzipSync(first, { level: 9 }).length).toBeLessThan(8_850)
  expect(others).toEqual({ later: '', wallets: '', notes: '' })
})

test('what they import loads nothing later: bundlers keep what is asked for at run time, needed or not', () => {
  const read = (path: string) => readFileSync(new URL(`../dist/${path}`, import.meta.url), 'utf8')
  const index = read('index.js')
  const [, chunk] = /import\{[^}]*\}from"\.\/(chunks\/react-core-[\w-]+\.js)"/.exec(index) ?? []
  const core = read(chunk ?? '')
  expect(core).toContain('paywindow-key')
  expect(index + core).not.toMatch(/\bimport\(/)
})

function bundle(source: string): Promise<ShopBundle> {
  return bundleShop(source, test.info().outputPath('shop.js'))
}
