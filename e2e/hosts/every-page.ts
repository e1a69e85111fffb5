/**
 * Opens every page of the documentation in one browser. No page may complain or ask another host,
 * and axe finds nothing, light and dark.
 */
import { expect } from '@playwright/test'
import axe from 'axe-core'
import type { Visit } from './engines/payer.ts'

/** Each page begins with this: not every browser's driver tells everything of the console. */
export const listener = `<script>{
  const complaints = (window.complaints = [])
  const complain = (...words) => void complaints.push(words.map(String).join(' '))
  for (const name of ['error', 'warn']) {
    const write = console[name]
    console[name] = (...words) => {
      complain(...words)
      write.apply(console, words)
    }
  }
  addEventListener('error', ({ message, target }) => {
    // Firefox gives up prefetches when it needs something else.
    if (!/prefetch|preload/.test(target.rel)) complain(message ?? 'no ' + (target.src ?? target.href))
  }, true)
  addEventListener('unhandledrejection', ({ reason }) => complain(reason))
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => complain(violatedDirective))
}</script>`

/** A worker would answer in place of the server. */
export const withoutWorker = `<script>Object.defineProperty(navigator, 'serviceWorker', { value: undefined })</script>`

/** What may take as long as a busy machine needs. */
export const soon = { timeout: 30_000 }

/** Gives the first sign of a reader. The page listens to it once the theme's switch has a name. */
export async function startParts(page: Visit): Promise<void> {
  await expect
    .poll(() => page.run(`document.querySelector('.VPSwitchAppearance[title*=theme]') !== null`), soon)
    .toBe(true)
  await page.run(`void dispatchEvent(new Event('scroll'))`)
}

/** Only these pages are checked with their surroundings, which are the same on all pages. */
const whole = ['index.html', 'start/node.html']
const surroundings = ['.VPNav', '.VPLocalNav', '.VPSidebar']

/**
 * @param site - Its address, with a slash at the end. @param paths - Of its pages.
 * @throws Error with what was found, and where.
 */
export async function openEveryPage(page: Visit, site: string, paths: readonly string[]): Promise<void> {
  await page.run(`void console.error('Does anybody hear this?')`)
  expect(await page.run('String(window.complaints)')).toContain('Does anybody hear this?')
  const found: unknown[] = []
  for (const path of paths) {
    await page.goTo(site + path)
    const findings = await page.run(`(${look})(${JSON.stringify(optionsOf(path))})`)
    const complaints = await page.complaints()
    if (JSON.stringify(findings) !== '[]' || complaints.length > 0) found.push({ path, findings, complaints })
  }
  expect(found).toEqual([])
}

function optionsOf(path: string) {
  const isGallery = path.startsWith('gallery/')
  return {
    source: axe.source,
    isGallery,
    without: whole.includes(path) ? [] : surroundings,
    // Widgets side by side have the same name. The search's text includes the key that opens it.
    rules: ['landmark-unique', 'label-content-name-mismatch'].filter((_, index) => isGallery || index > 0),
  }
}

/** Runs in the page, as text. Its last parts start with the first sign of a reader. */
const look = `async ({ source, isGallery, without, rules }) => {
  const until = async (isSo) => {
    for (let turns = 0; !isSo(); turns += 1) {
      if (turns > 1000) throw new Error('This page does not start')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  for (const started of isGallery ? ['.pw'] : ['.VPSwitchAppearance[title*=theme]', 'main, [role=main]'])
    await until(() => document.querySelector(started))
  dispatchEvent(new Event('scroll'))
  for (const part of without) document.querySelector(part)?.remove()
  // One word of code in each colour is enough.
  const seen = new Set()
  for (const word of document.querySelectorAll('pre span[style]'))
    if (seen.has(word.style.cssText)) word.remove()
    else seen.add(word.style.cssText)
  ;(0, eval)(source)
  const findings = async (runOnly) => {
    const options = { ...runOnly, resultTypes: ['violations'], preload: false, iframes: false }
    const { violations } = await axe.run(options)
    return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])
  }
  const light = await findings({ rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])) })
  document.head.insertAdjacentHTML('beforeend', '<style>*, ::before, ::after { transition: none !important }</style>')
  document.documentElement.classList.add('dark')
  // Nothing else depends on colours.
  const dark = await findings({ runOnly: ['color-contrast'] })
  const asked = performance.getEntriesByType('resource').map(({ name }) => name)
  const elsewhere = asked.filter((url) => !/^(blob|data):/.test(url) && new URL(url).origin !== location.origin)
  return [...light, ...dark, ...elsewhere]
}`
