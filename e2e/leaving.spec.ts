/** Payers who leave and come back: a tab in front, a frozen page, the back button, two tabs. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, core, expect, nextPoll, openPage, pollsOf, setVisibility, stopClock, test } from './test.ts'
import { widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('behind another tab it asks slowly, and at once when it is looked at again', async ({ page, shop }) => {
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      await stopClock(page)
      await nextPoll(page, shop)
      await setVisibility(page, 'hidden')
      // The poll that was due before.
      await nextPoll(page, shop)
      const polls = pollsOf(shop)
      await page.clock.fastForward(20_000)
      await page.clock.runFor(100)
      expect(pollsOf(shop)).toBe(polls)
      await nextPoll(page, shop)
      expect(pollsOf(shop)).toBe(polls + 1)
      await page.clock.fastForward(5000)
      await setVisibility(page, 'visible')
      await expect.poll(() => pollsOf(shop)).toBe(polls + 2)
      await widget.asksForMoney()
    })

    test('looked at just after it has asked, it goes on at the usual pace', async ({ page, shop }) => {
      await openPage(page, path)
      await widgetOn(page).choose('Bitcoin')
      await stopClock(page)
      await setVisibility(page, 'hidden')
      await nextPoll(page, shop)
      await nextPoll(page, shop)
      const polls = pollsOf(shop)
      await setVisibility(page, 'visible')
      await page.clock.runFor(6000)
      await expect.poll(() => pollsOf(shop)).toBeGreaterThan(polls)
    })

    test('opened in the background it asks for nothing until it is looked at', async ({ page, shop }) => {
      await page.addInitScript(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      })
      await openPage(page, path)
      await expect(page.locator('.pw[data-view="preparing"]')).toBeAttached()
      await page.clock.fastForward('05:00')
      expect(shop.requests.filter((request) => request.includes('/paywindow/'))).toEqual([])
      await setVisibility(page, 'visible')
      await widgetOn(page).shows(en.chooseTitle)
      const asked = shop.requests.filter((request) => /\/paywindow\/(?!icons\/)/.test(request))
      expect(asked).toEqual(['POST /paywindow/checkouts'])
    })

    test('frozen for an hour, it has no panel when it wakes', core, async ({ page, shop }) => {
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      await stopClock(page)
      await nextPoll(page, shop)
      await setVisibility(page, 'hidden')
      const browser = await page.context().newCDPSession(page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      const polls = pollsOf(shop)
      await shop.advance(3_600_000)
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      await page.clock.fastForward('01:00:00')
      expect(await widget.countPanel()).toBe(0)
      await setVisibility(page, 'visible')
      await expect.poll(() => pollsOf(shop)).toBeGreaterThan(polls)
      await widget.shows(en.expiredTitle)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('the back button leads back to the same order', async ({ page, shop }) => {
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      const address = await widget.read(en.address)
      await page.goto('/order')
      await page.goBack()
      await widget.asksForMoney()
      await expect(widget.field(en.address)).toHaveText(address)
      expect(await shop.orders()).toHaveLength(1)
    })

    test(
      'two tabs have one order, and what is paid in one is paid in the other',
      core,
      async ({ page, shop, simulate, poll }) => {
        const [first, second] = [await openPage(page, path), widgetOn(await openTab(page, path))]
        // Both at once, as somebody does who is not sure which tab is the right one.
        await Promise.all([first.choose('Bitcoin'), second.choose('Bitcoin')])
        expect(await second.read(en.address)).toBe(await first.read(en.address))
        expect(await shop.orders()).toHaveLength(1)
        await simulate('exact')
        await poll()
        await Promise.all([first.shows(en.seenTitle), second.shows(en.seenTitle)])
        await simulate('confirm')
        await poll()
        await Promise.all([first.shows(en.paidTitle), second.shows(en.paidTitle)])
        expect(await second.countPanel()).toBe(0)
        expect(await shop.orders()).toHaveLength(1)
      },
    )

    test(
      'a new quote in one tab ends the old one in the other, which then gets the same',
      core,
      async ({ page, shop, poll }) => {
        const [first, second] = [await openPage(page, path), widgetOn(await openTab(page, path))]
        await first.choose('Bitcoin')
        await second.choose('Bitcoin')
        const old = await first.read(en.address)
        await shop.advance(18.5 * 60_000)
        await page.clock.fastForward('18:30')
        await first.root.getByRole('button', { name: en.lateHintStrong }).click()
        await expect(first.field(en.address)).not.toHaveText(old)
        await expect(second.field(en.address)).toHaveText(old)
        await poll()
        await second.shows(en.expiredTitle)
        expect(await second.countPanel()).toBe(0)
        await second.root.getByRole('button', { name: en.newQuote }).click()
        await second.asksForMoney()
        expect(await second.read(en.address)).toBe(await first.read(en.address))
        expect(await shop.orders()).toHaveLength(2)
      },
    )
  })
}

/** A tab that asks what to pay with. A faster choice in the other tab takes its choice away. */
async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(path)
  await widgetOn(tab).shows(en.chooseTitle)
  return tab
}
