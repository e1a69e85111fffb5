/** Texts that want to be more than texts, and pages whose styles reach for everything. */
import type { Page } from '@playwright/test'
import { asRecord } from '../src/contract/parse.ts'
import { en } from '../src/locales/en.ts'
import { expectNoFindings } from './axe.ts'
import { readCode } from './qr.ts'
import { builds, core, dress, expect, forget, openPage, test } from './test.ts'
import { expectWhole } from './whole.ts'
import { drawnBackwards, widgetOn } from './widget.ts'

/** Would draw everything after it backwards, if it could. */
const override = '\u202e'
const markup = '<img src="/stolen" onerror="document.title=`stolen`">'
const hostileTexts = {
  asset: { name: `${override}${markup}`.slice(0, 64) },
  merchant: { name: `${markup}${override}` },
  description: `${override}${'unbreakable'.repeat(12)}${markup}`,
}

/**
 * Rules of a page for everything on it, where the widget shares its tree with the page. Rules that
 * move every `div` are only for the element.
 */
const rudePage = `
  * { letter-spacing: 0.3em; word-break: break-all }
  :has(> .pw) { text-transform: uppercase; direction: rtl; text-indent: 4em; visibility: hidden; user-select: none; white-space: pre;
    font: italic 900 40px serif; -webkit-text-fill-color: red; -webkit-text-security: disc; text-shadow: 0 0 9px red; stroke: red; cursor: none }
  section, footer, header { background: hotpink }
  button, input { all: unset }
  h2, p { font-size: 60px; text-transform: uppercase }
  svg { width: 1em; height: 1em; fill: currentColor }
  path { fill: hotpink; stroke: hotpink }
  img { display: none }
  bdi, span, b { text-transform: uppercase; color: hotpink }`

/** Rules of a page where the widget has a tree of its own. */
const rudestPage = `body, body * { all: unset !important; color: hotpink !important; text-transform: uppercase !important; font-size: 60px !important;
  letter-spacing: 1em !important; -webkit-text-security: disc !important; stroke: red !important } body, main, pay-window { display: block !important; width: 416px !important }`

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('texts stay texts, and turn nothing around them', core, async ({ page, shop, complaints }) => {
      const origins = new Set<string>()
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      const widget = await openPage(page, path)
      await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
      await tellInstead(page, (answer) => ({ ...answer, ...merged(answer, hostileTexts) }))
      await widget.choose('Bitcoin')
      await expect(widget.root).toContainText(markup)
      await expect(page).not.toHaveTitle('stolen')
      expect(shop.requests.filter((request) => request.includes('stolen'))).toEqual([])
      expect([...origins]).toEqual([new URL(shop.url).origin])
      for (const name of [en.amount, en.address]) expect(await drawnBackwards(widget.field(name))).toBe(false)
      expect(await widget.root.evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(0)
      await expectNoFindings(page)
      const address = await widget.read(en.address)
      const amount = await widget.read(en.amount)
      complaints.splice(0)
      expect(await readCode(widget.code)).toBe(`bitcoin:${address}?amount=${amount}`)
      complaints.splice(0)
    })

    for (const [name, icon] of [
      ['a script', 'javascript:alert(1)'],
      ['of somebody else', 'https://tracker.example/i.png'],
    ] as const)
      test(`an icon that is ${name} is not shown, and nobody is asked for it`, async ({ page, shop }) => {
        const origins = new Set<string>()
        page.on('request', (request) => origins.add(new URL(request.url()).origin))
        const widget = await openPage(page, path)
        await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
        await tellInstead(page, (answer) => merged(answer, { asset: { icon } }))
        await widget.choose('Bitcoin')
        await expect(widget.root.locator('.pw-icon .pw-letter').first()).toHaveText('B')
        expect(await page.locator(`[src="${icon}"], [href="${icon}"]`).count()).toBe(0)
        expect([...origins]).toEqual([new URL(shop.url).origin])
      })

    const refused: readonly [name: string, answer: (checkout: object) => object][] = [
      ['a way back that is a script', (answer) => merged(answer, { merchant: { returnUrl: 'javascript:alert(1)' } })],
      ['10,000 characters', (answer) => ({ ...answer, description: 'x'.repeat(10_000) })],
      ['an address that hides characters', (answer) => ({ ...answer, address: `tb1q${override}0m5089cdhl8glfr` })],
      ['a tag of two lines', (answer) => ({ ...answer, tag: '12\n34' })],
      ['an amount of nothing', (answer) => ({ ...answer, amount: '0.000' })],
    ]
    for (const [name, answer] of refused) {
      test(`an answer with ${name} is shown to nobody`, async ({ page, shop, poll, complaints }) => {
        const widget = await openPage(page, path)
        await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
        await tellInstead(page, answer)
        await widget.root.getByRole('button', { name: /^Bitcoin/ }).click()
        await expect.poll(() => shop.requests.filter((request) => request.startsWith('POST')).length).toBeGreaterThan(1)
        for (let again = 0; again < 4; again += 1) await poll()
        await expect(widget.root.getByRole('alert')).toBeVisible()
        expect(await widget.countPanel()).toBe(0)
        expect(await shop.orders()).toHaveLength(1)
        forget(complaints, 'Paywindow')
        // The same order is there as soon as the answer can be believed.
        await page.unroute('**/paywindow/checkouts')
        await widget.choose('Bitcoin')
        expect(await shop.orders()).toHaveLength(1)
      })
    }
  })
}

test.describe('on a page whose styles reach for everything', () => {
  test('the component keeps its digits, its code and its shape', core, async ({ page, complaints }) => {
    await openPage(page, '/react')
    await widgetOn(page).choose('XRP')
    await dress(page, rudePage)
    await expectWhole(page)
    complaints.splice(0)
  })

  test('the element does so too, and knows nothing of them', core, async ({ page, complaints }) => {
    // The card does not grow into its height meanwhile.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openPage(page, '/')
    await widgetOn(page).choose('XRP')
    // The hints come when the page is idle.
    await expect(page.locator('.pw-hints')).toBeVisible()
    const before = await looksOf(page)
    await dress(page, rudestPage)
    await expectWhole(page)
    expect(await looksOf(page)).toEqual(before)
    complaints.splice(0)
  })
})

for (const { build, path } of builds)
  test(`${build}: where a rem of the page is ten pixels, nothing is smaller, and where it is large, so is the widget`, async ({
    page,
  }) => {
    // What grows into its place has another height on the way.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openPage(page, path)
    await widgetOn(page).choose('XRP')
    await expect(page.locator('.pw-hints')).toBeVisible()
    // The page's own width may be in rem.
    await dress(page, ':has(> .pw), pay-window { display: block !important; width: 700px !important }')
    const before = await looksOf(page)
    await dress(page, 'html { font-size: 62.5% !important }')
    expect(await looksOf(page)).toEqual(before)
    await expectWhole(page)
    await dress(page, 'html { font-size: 150% !important }')
    expect(await page.locator('.pw-amount').evaluate((text) => getComputedStyle(text).fontSize)).toBe('51px')
    // A page may take a rem as the unit of its drafts.
    await dress(page, 'html { font-size: 100px !important }')
    expect(await page.locator('.pw-amount').evaluate((text) => getComputedStyle(text).fontSize)).toBe('55px')
  })

/** Answers creations with something else than the shop did. */
async function tellInstead(page: Page, change: (answer: object) => object): Promise<void> {
  await page.route('**/paywindow/checkouts', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(asRecord(await response.json(), 'answer')) })
  })
}

/** The answer with some fields of its parts replaced. */
function merged(answer: object, parts: Readonly<Record<string, object | string>>): object {
  const record = asRecord(answer, 'answer')
  const changed = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === 'string' ? part : { ...asRecord(record[name], name), ...part },
  ])
  return { ...record, ...Object.fromEntries(changed) }
}

/** Computed styles of everything in the widget that a page could want to change. */
function looksOf(page: Page): Promise<unknown> {
  return page.locator('.pw').evaluate((root) =>
    [root, ...root.querySelectorAll('*')].map((element) => {
      const { color, backgroundColor, font, letterSpacing, textTransform, direction, display } =
        getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const size = [Math.round(width), Math.round(height)]
      return { color, backgroundColor, font, letterSpacing, textTransform, direction, display, size }
    }),
  )
}
