/** The component on pages with the resets of widely used CSS frameworks, and with rules that pages have for their icons. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { dress, expect, openPage, test } from './test.ts'
import { expectWhole } from './whole.ts'
import { widgetOn } from './widget.ts'

const { resolve } = createRequire(import.meta.url)

const frameworks = [
  'normalize.css/normalize.css',
  'tailwindcss/preflight.css',
  'bootstrap/dist/css/bootstrap.min.css',
  'bulma/css/bulma.min.css',
  '@picocss/pico/css/pico.min.css',
  'uikit/dist/css/uikit.min.css',
  'milligram/dist/milligram.min.css',
  'semantic-ui-css/semantic.min.css',
  'materialize-css/dist/css/materialize.min.css',
  'purecss/build/pure-min.css',
  'water.css/out/water.min.css',
]

const rules = [
  '* { all: unset }',
  '*, *::before, *::after { all: revert }',
  'svg { max-width: 24px }',
  'svg { width: 1em; height: 1em; fill: currentColor }',
  'main svg { max-width: 24px; max-height: 24px; display: inline }',
  'svg * { fill: none; stroke: hotpink; stroke-width: 4px }',
  'path { d: none }',
  'img { max-width: 8px; border-radius: 50%; float: left }',
  'section { padding: 4rem 0; display: flex; float: left }',
  'div, header, footer, p, h2, span { margin: 24px; padding: 24px; width: 50%; float: left; position: relative; left: 9px }',
  'button, input, a { width: 100%; margin: 40px; text-transform: uppercase; font: 40px serif }',
]

for (const width of [376, 720]) {
  test.describe(`${width} px wide`, () => {
    for (const path of frameworks)
      test(`what must be seen is seen beside ${path.split('/').slice(0, -1).join('/')}`, async ({
        page,
        complaints,
      }) => {
        await openPanel(page, width)
        const before = await boxesOf(page, '.pw-qr-code, .pw-exact, .pw-amount')
        await dress(page, readFileSync(resolve(path), 'utf8'))
        await expectWhole(page)
        expect(changed(before, await boxesOf(page, '.pw-qr-code, .pw-exact, .pw-amount'), isSmaller)).toEqual([])
        // Of the framework's own fonts and imports.
        complaints.splice(0)
      })

    for (const rule of rules)
      test(`everything keeps its place beside ${rule}`, async ({ page }) => {
        await openPanel(page, width)
        const before = await boxesOf(page, '*')
        await dress(page, rule)
        await expectWhole(page)
        expect(changed(before, await boxesOf(page, '*'), isElsewhere)).toEqual([])
      })
  })
}

/** What a page may well change: how wide the widget's place is, and how large a rem. */
const place = (
  width: number,
) => `html { font-size: 16px !important } :has(> .pw) { width: ${width}px !important; margin: 0 !important;
  padding: 0 !important; border: 0 !important; float: none !important; display: block !important; box-sizing: content-box !important }`

async function openPanel(page: Page, width: number): Promise<void> {
  await openPage(page, '/react')
  await dress(page, place(width))
  const { root, choose } = widgetOn(page)
  await choose('XRP')
  await expect(root.locator('.pw-hints')).toBeVisible()
}

interface Box {
  readonly name: string
  /** From the top left of the widget: left, top, width and height in px. */
  readonly sides: readonly [number, number, number, number]
}

function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator('.pw').evaluate((root, wanted) => {
    const origin = root.getBoundingClientRect()
    return [...root.querySelectorAll(wanted)].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
      return { name, sides: [left - origin.left, top - origin.top, width, height] as const }
    })
  }, selector)
}

function changed(before: readonly Box[], after: readonly Box[], isWrong: (box: Box, was: Box) => boolean): string[] {
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  return after.flatMap((box, at) => {
    const was = before[at]
    return was && isWrong(box, was) ? [`${box.name}: ${was.sides} is ${box.sides}`] : []
  })
}

/** Fonts of a page may be a little narrower. */
function isSmaller({ sides: [, , width, height] }: Box, { sides: [, , wasWidth, wasHeight] }: Box): boolean {
  return width < wasWidth * 0.9 || height < wasHeight * 0.9
}

/** By more than a pixel or two. What is not drawn is nowhere. */
function isElsewhere({ sides }: Box, was: Box): boolean {
  return (sides[2] > 0 || was.sides[2] > 0) && sides.some((side, edge) => Math.abs(side - (was.sides[edge] ?? 0)) > 2)
}
