/** The page of the merchant server with nothing but the payment: without scripts, and with them. */
import { en } from '../src/locales/en.ts'
import { scriptsStayOn } from './engines.ts'
import { core, expect, forget, test } from './test.ts'
import { widgetOn } from './widget.ts'
import { flows, openPay, simulate, visitorOn } from './without-scripts.ts'

for (const { title, locale = 'en-US', tag = [], go } of flows)
  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false, locale })
    test(title, { tag }, async ({ page, shop, complaints, browserName }) => {
      test.skip(browserName === 'firefox', scriptsStayOn)
      await go(visitorOn(page), shop)
      // Chromium complains of a page that says what the shop refuses.
      forget(complaints, 'status of 404')
    })
  })

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page has the logo of the shop', async ({ page, shop, browserName }) => {
    test.skip(browserName === 'firefox', scriptsStayOn)
    await openPay(visitorOn(page), shop)
    await expect(page.locator('[slot=logo]')).toBeVisible()
  })
})

test('with scripts, the page becomes the widget', core, async ({ page, poll, shop }) => {
  await page.clock.install()
  await openPay(visitorOn(page), shop)
  const widget = widgetOn(page)
  await widget.choose('Bitcoin')
  expect(page.url()).not.toContain('choose')
  await widget.copyButton(en.address).click()
  await expect(page.getByRole('button', { name: 'Address copied' })).toBeVisible()
  await simulate(visitorOn(page), shop, 'exact')
  await poll()
  await widget.shows(en.seenTitle)
  await simulate(visitorOn(page), shop, 'confirm')
  await poll()
  await widget.shows(en.paidTitle)
})

test('it hands over to another device, and is the page that opens there', async ({ page, browser, shop }) => {
  await openPay(visitorOn(page), shop)
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
