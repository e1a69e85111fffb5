/** The widget in the first HTML: there before any script, and taken over without a change. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { core, expect, type Shop, test } from './test.ts'
import { secondsOf, widgetOn } from './widget.ts'

/**
 * Opens `/drawn` for a cart that has a checkout. Its script arrives when the returned function is
 * called.
 */
async function openDrawn(page: Page, method: string): Promise<() => Promise<void>> {
  await page.clock.install()
  await page.goto('/')
  await widgetOn(page).choose(method)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/paywindow.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/drawn', { waitUntil: 'commit' })
  // Nothing is painted before the page's styles are there, but scripts can measure it.
  await page.waitForFunction(() => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    return sheets.length > 0 && sheets.every(({ sheet }) => sheet)
  })
  return async () => {
    release()
    await page.waitForFunction(() => customElements.get('pay-window'))
  }
}

/** What changes by itself is left out: times, and what is known of them. */
const textOf = (page: Page) =>
  page.locator('.pw').evaluate((widget) => {
    const copy = widget.cloneNode(true) as Element
    for (const moving of copy.querySelectorAll('.pw-time, .pw-foot, .pw-print')) moving.remove()
    return copy.textContent
  })

const placesOf = (page: Page) =>
  page
    .locator('.pw-card, .pw-amount, .pw-qr-code, .pw-exact, .pw-copy, .pw-foot')
    .evaluateAll((parts) => parts.map((part) => JSON.stringify(part.getBoundingClientRect())))

const creations = ({ requests }: Shop) => requests.filter((request) => request === 'POST /paywindow/checkouts').length

for (const method of ['Bitcoin', 'XRP'])
  test(`the panel of ${method} is there before the script, which takes it over`, core, async ({ page, shop }) => {
    const start = await openDrawn(page, method)
    const widget = widgetOn(page)
    // The shop's own page hides an element without a script for eight seconds.
    await expect(widget.code).toBeVisible({ timeout: 3_000 })
    await widget.asksForMoney()
    const before = { text: await textOf(page), places: await placesOf(page) }
    expect(secondsOf((await widget.timer.textContent()) ?? '')).toBeGreaterThan(1100)
    await page.evaluate(() => {
      Object.assign(window, {
        shifts: 0,
        drawn: document.querySelector('pay-window')?.shadowRoot?.querySelector('.pw'),
      })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) Object.assign(window, { shifts: entry.toJSON().value })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const asked = creations(shop)

    // On a slow machine the first poll would come while this test looks.
    await page.clock.pauseAt(Date.now() + 1_000)
    const seconds = await widget.timer.textContent()
    await start()
    // The second file of the script takes no time of this clock.
    await expect(async () => {
      await page.clock.runFor(1_000)
      expect(await widget.timer.textContent()).not.toBe(seconds)
    }).toPass()
    expect({ text: await textOf(page), places: await placesOf(page) }).toEqual(before)
    expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0)
    // The same elements, not others that look like them.
    expect(
      await page.evaluate(
        () => Reflect.get(window, 'drawn') === document.querySelector('pay-window')?.shadowRoot?.querySelector('.pw'),
      ),
    ).toBe(true)
    expect(creations(shop), 'requests before the first poll').toBe(asked)
    await widget.copyButton(en.address).click()
    await expect(page.getByRole('button', { name: 'Address copied' })).toBeVisible()
  })

test('the first poll asks for the same checkout, and what is paid is seen', core, async ({ page, shop, simulate }) => {
  const start = await openDrawn(page, 'Bitcoin')
  const widget = widgetOn(page)
  const address = await widget.read(en.address)
  await start()
  await expect.poll(() => creations(shop), { message: 'requests for a checkout' }).toBe(2)
  expect(await widget.read(en.address)).toBe(address)
  expect(await shop.orders()).toHaveLength(1)
  await simulate('exact')
  // The first poll may come before the shop has looked, and the next one five seconds later.
  await expect(widget.title(en.seenTitle)).toBeVisible({ timeout: 20_000 })
})

test('what a payer has focused before the script was there stays so', async ({ page }) => {
  const start = await openDrawn(page, 'Bitcoin')
  const focused = () =>
    page.evaluate(() => document.querySelector('pay-window')?.shadowRoot?.activeElement?.getAttribute('aria-label'))
  await widgetOn(page).copyButton(en.address).focus()
  const before = await focused()
  expect(before).toBeTruthy()
  await start()
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(page.locator('.pw-over')).toHaveCount(0, { timeout: 1 })
  }).toPass()
  expect(await focused()).toBe(before)
})

test('a page from a cache asks before it shows an address', async ({ page, shop }) => {
  const start = await openDrawn(page, 'Bitcoin')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  // The page was written by a clock that is an hour behind the device's.
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await shop.advance(3_600_000)
  await start()
  await widget.shows(en.expiredTitle)
})

test('without its script, the address goes when the quote is over', async ({ page }) => {
  await openDrawn(page, 'XRP')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  await page.evaluate(() => {
    const within = document.querySelector('pay-window')?.shadowRoot
    for (const animation of within?.getAnimations() ?? []) animation.currentTime = 1_200_000
  })
  for (const name of [en.address, en.amount, en.destinationTag]) await expect(widget.field(name)).toBeHidden()
  await expect(page.locator('.pw-over')).toHaveText(en.expiredTitle)
  await expect(page.locator('.pw-over')).toBeVisible()
})

test.describe('with scripts turned off', () => {
  test.use({ javaScriptEnabled: false, locale: 'de-CH' })

  test('the panel says everything, in the language of the page', async ({ page }) => {
    // The shop's own pages need scripts to choose a coin.
    await page.goto('/')
    const reference = (await page.locator('pay-window').getAttribute('reference')) ?? ''
    await page.request.post('/paywindow/checkouts', { data: { reference, asset: 'XRP', network: 'ripple' } })
    await page.goto('/drawn')
    const widget = widgetOn(page)
    // Amount, address and tag; nothing that needs a script.
    await expect(page.locator('.pw-exact, .pw-number')).toHaveCount(3)
    await expect(page.locator('.pw-exact').last()).toBeVisible()
    await expect(page.locator('.pw').getByRole('button')).toHaveCount(0)
    await expect(widget.code).toBeVisible()
    await expect(widget.timer).toBeHidden()
    await expect(page.locator('.pw-time')).toHaveText(/UTC$/)
  })
})
