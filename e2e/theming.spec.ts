/** Themes, and a brand's colour alone: what has to be read can be read, in light and in dark. */
import type { Page } from '@playwright/test'
import { expectNoFindingsInAny } from './axe.ts'
import { expect, test } from './gallery.ts'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

const hues = [0, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250, 275, 300, 325]
const brands = [
  ...hues.map((hue) => `oklch(0.6 0.2 ${hue})`),
  ...hues.map((hue) => `oklch(0.8 0.15 ${hue})`),
  '#000',
  '#fff',
  '#767676',
  '#ffe600',
]

for (const theme of ['light', 'dark']) {
  test(`${theme}: a brand's colour gives text of 4.5 to 1 and marks of 3 to 1`, async ({ page, openGallery }) => {
    await openGallery(`theme=${theme}&only=waiting,seen,paid`)
    for (const brand of brands) {
      await page.evaluate((color) => document.documentElement.style.setProperty('--pw-accent', color), brand)
      const { text, hovered, busy, marks } = await contrasts(page)
      expect.soft(text, `${brand}: text of a button`).toBeGreaterThanOrEqual(4.5)
      expect.soft(hovered, `${brand}: text of a button under the pointer`).toBeGreaterThanOrEqual(4.5)
      expect.soft(busy, `${brand}: the ring of a confirmation`).toBeGreaterThanOrEqual(3)
      expect.soft(marks, `${brand}: the ring of the countdown`).toBeGreaterThanOrEqual(3)
    }
  })

  for (const skin of ['paper', 'mint', 'mono']) {
    test(`${theme}: axe finds nothing in the theme ${skin}`, async ({ page, openGallery }) => {
      await openGallery(`theme=${theme}&skin=${skin}&only=choosing,waiting-tag,waiting-last,seen,paid,expired`)
      const radius = { paper: '6px', mint: '22px', mono: '0px' }[skin]
      await expect(page.locator('.pw-field').first()).toHaveCSS('border-radius', radius ?? '')
      await expectNoFindingsInAny(page)
    })
  }
}

/** Contrast ratios of WCAG 2.2 between parts and their backgrounds. */
async function contrasts(page: Page) {
  const button = page.locator('#paid a.pw-button')
  const ring = page.locator('.pw-clock .pw-ring :last-child').first()
  const busy = page.locator('.pw-result [data-form="busy"] .pw-ring :last-child').first()
  const card = page.locator('.pw-card').first()
  await page.mouse.move(0, 0)
  const text = ratio(await luminance(button, 'color'), await luminance(button, 'backgroundColor'))
  await button.hover()
  const hovered = ratio(await luminance(button, 'color'), await luminance(button, 'backgroundColor'))
  return {
    text,
    hovered,
    busy: ratio(await luminance(busy, 'stroke'), await luminance(card, 'backgroundColor')),
    marks: ratio(await luminance(ring, 'stroke'), await luminance(card, 'backgroundColor')),
  }
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Relative luminance of a colour as the browser draws it, whatever form it is written in. */
function luminance(
  locator: ReturnType<Page['locator']>,
  property: 'color' | 'backgroundColor' | 'stroke',
): Promise<number> {
  return locator.evaluate((element, name) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('This browser draws nothing')
    canvas.fillStyle = getComputedStyle(element)[name]
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha] = canvas.getImageData(0, 0, 1, 1).data
    if (alpha !== 255) throw new Error(`${name} is not opaque`)
    const linear = (value: number) => (value <= 10.3 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }, property)
}
