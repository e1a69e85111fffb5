/** Every state of the widget, as the gallery shows it: axe finds nothing, nothing sticks out, and what is copied reads from left to right. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { PNG } from 'pngjs'
import type { Listening } from '../src/cli/listen.ts'
import { directionOf } from '../src/locales/direction.ts'
import { languages } from '../src/locales/languages.ts'
import { expectNoFindingsInAny } from './axe.ts'
import { serveGallery } from './gallery-server.ts'
import { drawnBackwards } from './widget.ts'

let server: Listening

test.beforeAll(async () => {
  server = await serveGallery()
})
test.afterAll(() => server.close())

for (const look of ['lang=en&theme=light', 'lang=ar&theme=dark']) {
  test(`axe finds nothing in any state: ${look}`, async ({ page }) => {
    test.setTimeout(120_000)
    await openGallery(page, look)
    expect(await page.locator('.gallery-state').count()).toBeGreaterThan(25)
    await page.locator('.pw details').evaluateAll((all) => {
      for (const details of all) if (details instanceof HTMLDetailsElement) details.open = true
    })
    await expectNoFindingsInAny(page)
  })
}

for (const language of languages) {
  test(`${language}: nothing sticks out of a card of 280 px, at text twice as large, or in the wrong direction`, async ({
    page,
  }) => {
    await openGallery(page, `lang=${language}&width=280`)
    const cards = page.locator('.pw')
    await expect(cards.first()).toHaveAttribute('dir', directionOf(language))
    await expect(cards.first()).toHaveAttribute('lang', language)
    expect(await sticksOut(page)).toEqual([])
    for (const text of await page.locator('.pw-exact, .pw-amount').all()) expect(await drawnBackwards(text)).toBe(false)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await sticksOut(page)).toEqual([])
  })
}

/** The way of a payment, and what may come between. */
const way =
  'preparing,choosing,choosing-picked,waiting-untracked,waiting,waiting-soon,expired,expired-failed,seen,paid,ended,settled-paid,unreachable,refused'

for (const width of [320, 400, 560, 760]) {
  test(`one state has the height of the next, so that the page below stays where it is: ${width} px`, async ({
    page,
  }) => {
    await openGallery(page, `only=${way}&width=${width}`)
    const heights = await page
      .locator('.gallery-state')
      .evaluateAll((states) =>
        states.map(({ id, lastElementChild }) => `${id} ${lastElementChild?.getBoundingClientRect().height}`),
      )
    expect(heights).toHaveLength(way.split(',').length)
    expect(new Set(heights.map((text) => text.split(' ')[1])).size, heights.join(', ')).toBe(1)
  })
}

for (const look of ['lang=en&theme=light&width=400', 'lang=en&theme=dark&width=320', 'lang=he&theme=light&width=760']) {
  test(`no state can be taken for another: ${look}`, async ({ page }, info) => {
    test.setTimeout(120_000)
    await openGallery(page, look)
    const whole = PNG.sync.read(await page.screenshot({ fullPage: true, animations: 'disabled' }))
    const cards = await page.locator('.gallery-state').evaluateAll((states) =>
      states.map((state) => {
        const box = state.querySelector('.pw')?.getBoundingClientRect() ?? new DOMRect()
        return { name: state.id, x: box.x, y: box.y + scrollY, width: box.width, height: box.height }
      }),
    )
    const seen = new Map<string, string>()
    for (const { name, x, y, width, height } of cards) {
      const picture = new PNG({ width: Math.floor(width), height: Math.floor(height) })
      PNG.bitblt(whole, picture, Math.round(x), Math.round(y), picture.width, picture.height)
      writeFileSync(info.outputPath(`${name}.png`), PNG.sync.write(picture))
      const digest = createHash('sha256').update(picture.data).digest('hex')
      expect(seen.get(digest), `looks like ${name}`).toBeUndefined()
      seen.set(digest, name)
    }
    expect(seen.size).toBeGreaterThan(25)
  })
}

test('whatever can be pressed is 24 px wide and high, or stands in a sentence', async ({ page }) => {
  await openGallery(page, 'lang=en&width=280')
  const small = await page
    .locator('.pw')
    .locator('button, a, summary, input')
    .evaluateAll((targets) =>
      targets.flatMap((target) => {
        const { width, height } = target.getBoundingClientRect()
        const inSentence = target.closest('.pw-late') !== null
        return inSentence || width === 0 || (width >= 24 && height >= 24)
          ? []
          : [`${target.textContent} ${width} × ${height}`]
      }),
    )
  expect(small).toEqual([])
})

test('in forced colours the code stays black on white, and what is chosen and what is now can be told', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await openGallery(page, 'only=waiting,seen,paid')
  const [quiet, modules] = await page
    .locator('#waiting .pw-qr-code path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill))
  expect([quiet, modules]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  const picked = page.locator('#waiting .pw-switch input:checked + span')
  expect(await picked.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  const steps = await page
    .locator('#seen .pw-steps li')
    .evaluateAll((items) => items.map((item) => getComputedStyle(item, '::before').backgroundColor))
  expect(new Set(steps).size).toBe(3)
})

async function openGallery(page: Page, query: string): Promise<void> {
  await page.goto(`http://127.0.0.1:${server.port}/?${query}`)
  await page.locator('.pw').first().waitFor()
}

/** States whose card holds something wider than itself, and the innermost of what that is. */
function sticksOut(page: Page): Promise<string[]> {
  return page.locator('.gallery-state').evaluateAll((states) =>
    states.flatMap((state) => {
      const card = state.querySelector('.pw-card')
      if (!card) return [`${state.id}: no card`]
      const { left, right } = card.getBoundingClientRect()
      const wide = [...card.querySelectorAll('*')].findLast((element) => {
        if (element.closest('.pw-unseen, svg')) return false
        const box = element.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
      })
      return wide ? [`${state.id}: ${wide.className} ${wide.textContent?.slice(0, 40)}`] : []
    }),
  )
}
