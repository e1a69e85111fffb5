/**
 * A page that the browser keeps when the payer goes on, and shows again on the way back. This
 * browser keeps no pages, so the tests send the events. Some browsers go on with stopped timers
 * then, and do not say that the page is visible: nothing may depend on either.
 */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, expect, nextPoll, openPage, type Shop, simulateUnseen, stopClock, test } from './test.ts'
import { secondsOf, widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test.beforeEach(async ({ page, shop }) => {
      await openPage(page, path)
      await widgetOn(page).choose('Bitcoin')
      await stopClock(page)
      await nextPoll(page, shop)
    })

    test('the time left is right as soon as it is shown again', async ({ page, shop }) => {
      const { timer } = widgetOn(page)
      const before = secondsOf((await timer.textContent()) ?? '')
      await withoutAnswers(page)
      await leaveFor(page, shop, 5 * 60_000)
      expect(secondsOf((await timer.textContent()) ?? '')).toBeLessThanOrEqual(before - 5 * 60)
    })

    test('a quote that ended meanwhile is gone as soon as it is shown again', async ({ page, shop }) => {
      const widget = widgetOn(page)
      await withoutAnswers(page)
      await leaveFor(page, shop, 21 * 60_000)
      await expect.poll(() => widget.countPanel(), { intervals: [10] }).toBe(0)
      await widget.shows(en.expiredTitle)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('what was paid meanwhile is paid at once, without a second order', async ({ page, shop }) => {
      await simulateUnseen(page, 'exact')
      await simulateUnseen(page, 'confirm')
      await leaveFor(page, shop, 60_000)
      await widgetOn(page).shows(en.paidTitle)
      expect(await shop.orders()).toHaveLength(1)
    })
  })
}

/** From now on no request of the widget is answered, so that only the page itself can be right. */
async function withoutAnswers(page: Page): Promise<void> {
  await page.route('**/paywindow/checkouts/**', () => {})
}

/** Goes on to another page and back, as a page learns of it. Time passes, and no timer fires. */
async function leaveFor(page: Page, shop: Shop, ms: number): Promise<void> {
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  await shop.advance(ms)
  await page.evaluate((passed) => {
    for (const clock of [performance, Date]) {
      const now = clock.now.bind(clock)
      clock.now = () => now() + passed
    }
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, ms)
}
