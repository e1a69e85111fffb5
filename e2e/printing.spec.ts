/** On paper there is everything that a payer needs, black on white, and nothing to press. */
import type { Page } from '@playwright/test'
import { ar } from '../src/locales/ar.ts'
import { en } from '../src/locales/en.ts'
import { readCode } from './qr.ts'
import { builds, dress, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'
import { openPay, simulateAndSee, visitorOn } from './without-scripts.ts'

/** A theme of light letters, as shops with dark pages have. */
const darkTheme = ':root { --pw-text: #eee; --pw-soft: #bbb; --pw-warn: #fc6; --pw-bg: #111; --pw-raised: #222 }'

/** Turns the page into paper. A browser without scripts says nothing of it to the page. */
async function put(page: Page, on: 'paper' | 'screen'): Promise<void> {
  await page.emulateMedia({ media: on === 'paper' ? 'print' : 'screen', colorScheme: 'dark' })
}

/** What of a slip is not there, or not black on white. */
async function expectSlip(page: Page): Promise<void> {
  const { root, code, timer } = widgetOn(page)
  await expect(code).toBeVisible()
  const address = (await root.locator('.pw-exact').first().textContent()) ?? ''
  expect(await readCode(code)).toContain(address)
  // Amount, address and tag; price, merchant and order.
  const values = root.locator('.pw-number, .pw-exact, .pw-price, .pw-head .pw-soft, .pw-chip')
  await expect(values).toHaveCount(6)
  for (const value of await values.all()) await expect(value).toBeVisible()
  await expect(root.locator('.pw-print > p')).toBeVisible()
  await expect(root.getByRole('button')).toHaveCount(0)
  await expect(timer).toBeHidden()
  expect(await colours(page)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
}

/** Of all letters, and of what is behind them. */
function colours(page: Page): Promise<string[]> {
  return page.locator('.pw-card').evaluate((card) => {
    const shown = [card, ...card.querySelectorAll('*:not(svg, svg *, .pw-heart *, .pw-coin *)')].filter((part) =>
      part.checkVisibility(),
    )
    const letters = shown.filter((part) =>
      [...part.childNodes].some((node) => node instanceof Text && node.data.trim()),
    )
    const behind = shown.map((part) => getComputedStyle(part).backgroundColor).filter((colour) => !/ 0\)$/.test(colour))
    return [...new Set([...letters.map((part) => getComputedStyle(part).color), ...behind])].sort()
  })
}

/** How many sheets it takes. */
async function sheetsOf(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const file = await page.pdf({ format, margin: { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' } })
  return file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

async function expectOneSheet(page: Page): Promise<void> {
  for (const format of ['A4', 'Letter'] as const) expect(await sheetsOf(page, format), format).toBe(1)
}

const end = /^Must arrive before \w{3} \d+, \d{4}, [\d:]+.[AP]M \S+\nPayment: [\w-]+$/

for (const { build, path } of builds) {
  test(`${build}: a slip to pay from, and a receipt once it is paid`, async ({ page, simulate, poll }) => {
    const widget = await openPage(page, path)
    await dress(page, darkTheme)
    await widget.choose('XRP')
    await expect(widget.root.getByText(en.continueElsewhere)).toBeVisible()
    await put(page, 'paper')
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expectSlip(page)
    await expect(widget.root.locator('.pw-print > p')).toHaveText(end)
    await put(page, 'screen')
    await simulate('exact')
    await poll()
    await simulate('confirm')
    await poll()
    await widget.shows(en.paidTitle)
    await put(page, 'paper')
    await expect(widget.root.locator('.pw-receipt')).toContainText('XRP')
    await expect(widget.root.getByRole('button')).toHaveCount(0)
    expect(await colours(page)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  })

  test(`${build}: a slip has the code also where the screen has none`, async ({ page }) => {
    const widget = await openPage(page, path)
    await widget.choose('XRP')
    await expect(widget.root.getByText(en.continueElsewhere)).toBeVisible()
    for (const place of [en.whereHere, en.whereExchange]) {
      await widget.pick(place)
      await expect(widget.code).toBeHidden()
      // As the browser prints: what is drawn after that is not on paper.
      await page.pdf()
      await put(page, 'paper')
      await expectSlip(page)
      await put(page, 'screen')
    }
  })
}

test('a page prints the slip alone, if its styles say so', async ({ page }) => {
  await openPage(page, '/')
  await widgetOn(page).choose('XRP')
  await dress(
    page,
    '@media print { body :not(:has(pay-window), pay-window, pay-window *) { display: none !important } }',
  )
  expect(await sheetsOf(page, 'A4')).toBe(1)
  await put(page, 'paper')
  await expect(page.locator('.order')).toBeHidden()
  await expect(page.locator('[slot=logo]')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expectSlip(page)
})

test('the page of the server prints a slip', async ({ page, shop }) => {
  await openPay(visitorOn(page), shop)
  await widgetOn(page).choose('XRP')
  await expect(widgetOn(page).root.getByText(en.continueElsewhere)).toBeVisible()
  await expectOneSheet(page)
  await put(page, 'paper')
  await expectSlip(page)
  await expect(page.locator('.pw-print > p')).toHaveText(end)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page of the server prints a slip, and a receipt once it is paid', async ({ page, shop }) => {
    await openPay(visitorOn(page), shop)
    await visitorOn(page).press('XRP')
    await put(page, 'paper')
    await expectSlip(page)
    await expect(page.locator('.pw-print > p')).toHaveText(end)
    await expect(page.locator('.pw-print > p')).toHaveText(/ UTC\n/)
    await expectOneSheet(page)
    await simulateAndSee(visitorOn(page), shop, 'exact')
    await simulateAndSee(visitorOn(page), shop, 'confirm')
    const { root } = widgetOn(page)
    await expect(root.getByText('$49.90 paid to Lantern Books')).toBeVisible()
    await expect(root.locator('.pw-head')).toContainText('Order 1042')
    await expect(root.locator('.pw-receipt')).toHaveText(/XRP.*\d XRP.*\w{3} \d+, \d{4}, [\d:]+.[AP]M UTC.*Reference/)
    await expect(root.getByRole('button')).toHaveCount(0)
    expect(await colours(page)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    await expectOneSheet(page)
  })

  test.describe('on a phone, from right to left', () => {
    test.use({
      locale: 'ar-EG',
      userAgent:
        'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      viewport: { width: 390, height: 800 },
    })
    test('a slip has the code, too', async ({ page, shop }) => {
      await openPay(visitorOn(page), shop)
      await visitorOn(page).press('XRP')
      await expect(widgetOn(page).code).toBeHidden()
      await put(page, 'paper')
      await expectSlip(page)
      await expect(page.locator('.pw-print > p')).toContainText(ar.checkoutId.split('{')[0] ?? '')
      await expectOneSheet(page)
    })
  })
})
