/** The page of the merchant server with nothing but the payment: without scripts, and with them. */
import { ar } from '../src/locales/ar.ts'
import { de } from '../src/locales/de.ts'
import { en } from '../src/locales/en.ts'
import { choose, openPay, simulate, valuesOn } from './pay-page.ts'
import { readCode } from './qr.ts'
import { core, expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a payer chooses, changes, sees what to send, is seen and paid', core, async ({ page, shop }) => {
    await openPay(page)
    const widget = widgetOn(page)
    await expect(widget.title(en.chooseTitle)).toBeVisible()
    await expect(page.locator('[slot=logo]')).toBeVisible()
    await choose(page, 'XRP')
    // Amount, address and tag.
    await expect(valuesOn(page)).toHaveCount(3)
    await expect(widget.code).toBeVisible()
    await page.getByRole('button', { name: en.change }).click()
    await choose(page, 'Bitcoin')
    await page.reload()
    await expect(valuesOn(page)).toHaveCount(2)
    expect(await shop.orders()).toHaveLength(2)
    await simulate(page, 'exact')
    await shop.advance(15_000)
    await page.reload()
    await widget.shows(en.seenTitle)
    await simulate(page, 'confirm')
    await shop.advance(15_000)
    await page.reload()
    await widget.shows(en.paidTitle)
    expect(await shop.orders()).toHaveLength(2)
  })

  test('the back button leads back, and creates nothing', async ({ page, shop }) => {
    await openPay(page)
    await choose(page, 'Bitcoin')
    await page.goBack()
    await page.goForward()
    await page.reload()
    await expect(valuesOn(page)).toHaveCount(2)
    expect(await shop.orders()).toHaveLength(1)
  })

  test('a quote ends, and its payer gets a new one', async ({ page, shop }) => {
    await openPay(page)
    const widget = widgetOn(page)
    await choose(page, 'Bitcoin')
    await shop.advance(21 * 60_000)
    await page.reload()
    await widget.shows(en.expiredTitle)
    await page.getByRole('button', { name: en.newQuote }).click()
    await expect(valuesOn(page)).toHaveCount(2)
    expect(await shop.orders()).toHaveLength(2)
  })

  test('too little is said in numbers', async ({ page, shop }) => {
    await openPay(page)
    const widget = widgetOn(page)
    await choose(page, 'Bitcoin')
    await simulate(page, 'less')
    await shop.advance(15_000)
    await page.reload()
    await widget.shows(en.shortTitle)
    await expect(widget.root).toContainText(en.missing)
  })

  test('whoever is not the visitor of the order sees nothing of it', async ({ page, browser }) => {
    await openPay(page)
    await choose(page, 'Bitcoin')
    const stranger = await browser.newContext({ javaScriptEnabled: false })
    const other = await stranger.newPage()
    await other.goto(page.url())
    await expect(other.locator('.pw')).toContainText(en.refusedTitle)
    expect(await widgetOn(other).countPanel()).toBe(0)
    await stranger.close()
  })

  test('a till shows a code, and that it is paid', core, async ({ page: shopPage, shop, browser }) => {
    await shopPage.goto('/')
    const [till] = await Promise.all([
      shopPage.waitForEvent('popup'),
      shopPage.getByRole('button', { name: 'Open a till' }).click(),
    ])
    await till.getByLabel(en.amount).fill('1,000')
    await till.getByLabel(en.amount).press('Enter')
    await expect(till.getByRole('alert')).toHaveText('From €0.50 to €500.00')
    await till.getByLabel(en.amount).fill('19,90')
    await till.getByLabel(en.amount).press('Enter')
    await expect(till.getByRole('heading', { name: '€19.90' })).toBeVisible()
    const phone = await browser.newContext({ javaScriptEnabled: false })
    const pay = await phone.newPage()
    // The shop does not know the port of this test.
    const { pathname, search } = new URL(await readCode(till.getByRole('img')))
    await pay.goto(new URL(pathname + search, till.url()).href)
    await choose(pay, 'Bitcoin')
    await expect(till.getByText(en.footWaiting)).toBeVisible()
    await simulate(till, 'exact')
    await shop.advance(15_000)
    await expect(till.getByText(en.stepSeen)).toBeVisible()
    await simulate(till, 'confirm')
    await shop.advance(15_000)
    await expect(till.getByText(en.stepPaid, { exact: true })).toBeVisible()
    await expect(till.locator('audio')).toHaveCount(1)
    await expect(till.getByRole('img')).toHaveCount(0)
    await till.getByRole('link', { name: 'Next payment' }).click()
    await expect(till.getByLabel(en.amount)).toHaveValue('')
    await phone.close()
  })

  for (const [locale, texts] of [
    ['de-DE', de],
    ['ar-EG', ar],
  ] as const)
    test.describe(locale, () => {
      test.use({ locale })
      test('the page speaks it', async ({ page }) => {
        await openPay(page)
        const widget = widgetOn(page, texts)
        await expect(widget.title(texts.chooseTitle)).toBeVisible()
        await choose(page, 'Bitcoin')
        await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar-EG' ? 'rtl' : 'ltr')
      })
    })
})

test('with scripts, the page becomes the widget', core, async ({ page, poll }) => {
  await page.clock.install()
  await openPay(page)
  const widget = widgetOn(page)
  await widget.choose('Bitcoin')
  expect(page.url()).not.toContain('choose')
  await widget.copyButton(en.address).click()
  await expect(page.getByRole('button', { name: 'Address copied' })).toBeVisible()
  await simulate(page, 'exact')
  await poll()
  await widget.shows(en.seenTitle)
  await simulate(page, 'confirm')
  await poll()
  await widget.shows(en.paidTitle)
})

test('it hands over to another device, and is the page that opens there', async ({ page, browser }) => {
  await openPay(page)
  await widgetOn(page).choose('Bitcoin')
  await page.getByText(en.continueElsewhere).click()
  const link = (await widgetOn(page).field(en.handoverLink).textContent()) ?? ''
  expect(link).toMatch(/\/paywindow\/pay#paywindow=/)
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await widgetOn(other).asksForMoney()
  await other.context().close()
})

test('a link is paid in another browser, which has no session', core, async ({ page, browser, shop }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Send a link' }).click()
  await expect(page.locator('.code svg')).toBeVisible()
  const link = (await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')) ?? ''
  const stranger = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const other = await stranger.newPage()
  await other.goto(link)
  await widgetOn(other).choose('Bitcoin')
  await other.reload()
  await widgetOn(other).asksForMoney()
  expect(await shop.orders()).toHaveLength(1)
  const address = await widgetOn(other).read(en.address)
  await stranger.close()
  await page.goto('/')
  expect(await widgetOn(page).read(en.address)).toBe(address)
})

test('a crawler that follows every link of the shop creates nothing', async ({ page, shop }) => {
  await page.goto('/')
  const reference = (await page.locator('pay-window').getAttribute('reference')) ?? ''
  await page.getByRole('button', { name: 'Send a link' }).click()
  const link = (await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')) ?? ''
  const paths = ['/', '/drawn', '/react', '/pay', '/order', link, `/paywindow/pay?reference=${reference}`]
  for (let at = 0; at < 150; at += 1)
    for (const path of paths) expect((await page.request.get(path)).status()).toBe(200)
  expect(await shop.orders()).toEqual([])
})
