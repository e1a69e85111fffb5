/** The component beside the resets of common CSS frameworks, and beside rules for icons. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { dress, expect, nextPoll, openPage, type Shop, simulateUnseen, stopClock, test } from './test.ts'
import { expectWhole } from './whole.ts'

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

/** The screens, and the parts that must be visible on each. */
const screens = [
  { screen: 'choice', parts: '.pw-title, .pw-how li, .pw-method, .pw-method b, .pw-method svg, .pw-method img' },
  { screen: 'panel', parts: '.pw-qr-code, .pw-exact, .pw-amount' },
  { screen: 'paid', parts: '.pw-coin, .pw-tick, .pw-title, .pw-note, .pw-receipt dd' },
] as const

for (const width of [376, 720]) {
  test.describe(`${width} px wide`, () => {
    for (const path of frameworks)
      test(`what must be seen is seen beside ${path.split('/').slice(0, -1).join('/')}`, async ({
        page,
        shop,
        complaints,
      }) => {
        const css = readFileSync(resolve(path), 'utf8')
        await eachScreen(page, shop, width, (screen, parts) =>
          beside(page, css, screen, { selector: parts, isWrong: isSmaller }),
        )
        // Of the framework's own fonts and imports.
        complaints.splice(0)
      })

    for (const rule of rules)
      test(`everything keeps its place beside ${rule}`, async ({ page, shop }) => {
        await eachScreen(page, shop, width, (screen) =>
          beside(page, rule, screen, { selector: '*', isWrong: isElsewhere }),
        )
      })
  })
}

/**
 * A page may change the width of the widget's place, and the size of a rem. The demo's bar, which
 * these styles move, is no part of it.
 */
const place = (
  width: number,
) => `html { font-size: 16px !important } :has(> .pw) { width: ${width}px !important; margin: 0 !important;
  padding: 0 !important; border: 0 !important; float: none !important; display: block !important; box-sizing: content-box !important } .payer { display: none !important }`

type ScreenName = (typeof screens)[number]['screen']

/** Goes from the choice to the result, and looks at each screen. */
async function eachScreen(
  page: Page,
  shop: Shop,
  width: number,
  look: (screen: ScreenName, parts: string) => Promise<void>,
): Promise<void> {
  const { root, choose, shows } = await openPage(page, '/react')
  await dress(page, place(width))
  const open: Readonly<Record<ScreenName, () => Promise<void>>> = {
    choice: () => shows(en.chooseTitle),
    panel: async () => {
      await choose('XRP')
      await expect(root.locator('.pw-hints')).toBeVisible()
      // So that no request is under way when time is moved forward.
      await stopClock(page)
    },
    paid: async () => {
      for (const [simulation, title] of [
        ['exact', en.seenTitle],
        ['confirm', en.paidTitle],
      ] as const) {
        await simulateUnseen(page, simulation)
        // The shop limits how often it looks at an order.
        await shop.advance(15_000)
        await nextPoll(page, shop)
        await shows(title)
      }
    },
  }
  for (const { screen, parts } of screens) {
    await open[screen]()
    await look(screen, parts)
  }
}

interface Comparison {
  readonly selector: string
  readonly isWrong: (box: Box, was: Box) => boolean
}

/** Compares a screen with these styles and without them, and removes them again. */
async function beside(page: Page, css: string, screen: ScreenName, { selector, isWrong }: Comparison): Promise<void> {
  const before = await boxesOf(page, selector)
  expect(before.length, screen).toBeGreaterThan(2)
  const words = await wordsOf(page)
  await dress(page, css)
  if (screen === 'panel') await expectWhole(page)
  else {
    expect(await wordsOf(page)).toBe(words)
    expect(await page.locator('.pw').evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(0)
  }
  expect(changed(before, await boxesOf(page, selector), isWrong), screen).toEqual([])
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
  })
}

/** The words as they are drawn: in capitals where they are capitals, and without hidden ones. */
async function wordsOf(page: Page): Promise<string> {
  return (await page.locator('.pw').innerText()).replaceAll(/\s+/g, ' ')
}

interface Box {
  readonly name: string
  /** From the top left of the widget: left, top, width and height in px. */
  readonly sides: readonly [number, number, number, number]
}

function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator('.pw').evaluate(async (root, wanted) => {
    // The sign of a result is drawn once; other animations have no end.
    const drawn = root
      .getAnimations({ subtree: true })
      .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(drawn.map(({ finished }) => finished))
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

/** By more than a pixel or two. Hidden elements have no place. */
function isElsewhere({ sides }: Box, was: Box): boolean {
  return (sides[2] > 0 || was.sides[2] > 0) && sides.some((side, edge) => Math.abs(side - (was.sides[edge] ?? 0)) > 2)
}
