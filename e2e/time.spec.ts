/** The deadline under clocks that are wrong, jump, or stand still while the device sleeps. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import {
  builds,
  core,
  expect,
  nextPoll,
  openPage,
  pollAnswered,
  pollsOf,
  setWallClock,
  stopClock,
  test,
} from './test.ts'
import { secondsOf, type Widget, widgetOn } from './widget.ts'

const hourMs = 3_600_000

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    for (const hours of [-7, 24 * 400]) {
      test(`a browser clock that is ${hours} hours off changes nothing`, async ({ page, shop, simulate, poll }) => {
        await page.clock.install({ time: Date.now() + hours * hourMs })
        await page.goto(path)
        const widget = widgetOn(page)
        await widget.choose('Bitcoin')
        const seconds = await secondsLeft(widget)
        expect(seconds).toBeGreaterThan(19 * 60)
        expect(seconds).toBeLessThanOrEqual(20 * 60)
        // The time of day is the device's own: the payer compares it with the device's clock.
        const ends = await widget.root.locator('.pw-time time').getAttribute('datetime')
        const leftMs = Date.parse(ends ?? '') - (await page.evaluate(() => Date.now()))
        expect(leftMs).toBeGreaterThan(18 * 60_000)
        expect(leftMs).toBeLessThanOrEqual(20 * 60_000)
        await shop.advance(15 * 60_000)
        await page.clock.fastForward('15:00')
        await expect(async () => expect(await secondsLeft(widget)).toBeLessThanOrEqual(5 * 60)).toPass()
        await widget.asksForMoney()
        await simulate('exact')
        await poll()
        await widget.shows(en.seenTitle)
      })
    }

    test.describe('with a quote on the screen,', () => {
      test.beforeEach(async ({ page }) => {
        await openPage(page, path)
        await widgetOn(page).choose('Bitcoin')
        await stopClock(page)
      })

      test('a wall clock that jumps ahead asks the server, and set back it brings no time back', async ({
        page,
        shop,
      }) => {
        const widget = widgetOn(page)
        await nextPoll(page, shop)
        const polls = pollsOf(shop)
        const answered = pollAnswered(page)
        await setWallClock(page, 5 * 60_000)
        // Sooner than the next poll would come by itself.
        await page.clock.runFor(1000)
        await answered
        expect(pollsOf(shop)).toBe(polls + 1)
        const seconds = await secondsLeft(widget)
        expect(seconds).toBeLessThanOrEqual(15 * 60)
        await setWallClock(page, -5 * 60_000)
        await page.clock.runFor(1000)
        expect(await secondsLeft(widget)).toBeLessThan(seconds)
        await nextPoll(page, shop)
        await page.clock.runFor(1000)
        expect(await secondsLeft(widget)).toBeLessThan(seconds)
        await page.clock.fastForward(seconds * 1000)
        expect(await widget.countPanel()).toBe(0)
      })

      test('a wall clock that is set back asks the server, and the quote ends as it would have', async ({
        page,
        shop,
      }) => {
        const widget = widgetOn(page)
        await nextPoll(page, shop)
        const [polls, seconds] = [pollsOf(shop), await secondsLeft(widget)]
        const answered = pollAnswered(page)
        await setWallClock(page, -2 * hourMs)
        await page.clock.runFor(1000)
        await answered
        expect(pollsOf(shop)).toBe(polls + 1)
        expect(await secondsLeft(widget)).toBeLessThan(seconds)
        await page.clock.fastForward((seconds - 10) * 1000)
        expect(await secondsLeft(widget)).toBeLessThanOrEqual(10)
        expect(await widget.countPanel()).toBeGreaterThan(0)
        await page.clock.runFor(10_000)
        expect(await widget.countPanel()).toBe(0)
        await widget.shows(en.expiredTitle)
      })

      test('a wall clock that jumps past the end takes the panel with it, for good', core, async ({ page, shop }) => {
        const widget = widgetOn(page)
        await setWallClock(page, hourMs)
        await page.clock.runFor(1000)
        expect(await widget.countPanel()).toBe(0)
        await setWallClock(page, -hourMs)
        await nextPoll(page, shop)
        await widget.shows(en.expiredTitle)
        expect(await widget.countPanel()).toBe(0)
        await expect(widget.root.getByRole('button', { name: en.newQuote })).toBeVisible()
      })

      test('after an hour of sleep, the first timer that fires takes the panel away', async ({ page }) => {
        const widget = widgetOn(page)
        await page.clock.fastForward(hourMs)
        expect(await widget.countPanel()).toBe(0)
        await widget.shows(en.expiredTitle)
      })

      test('after an hour of sleep that only the wall clock noticed, the first task takes it away', async ({
        page,
      }) => {
        await setWallClock(page, hourMs)
        expect(await panelAfterWaking(page)).toBe(0)
        await widgetOn(page).shows(en.expiredTitle)
      })
    })
  })
}

/** The time left as it stands on the screen. */
async function secondsLeft(widget: Widget): Promise<number> {
  return secondsOf(await widget.timer.innerText())
}

/** Tells the page that it is visible again, and counts the panel's parts in the next task. */
function panelAfterWaking(page: Page): Promise<number> {
  return page.evaluate(async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    const root = document.querySelector('pay-window')?.shadowRoot ?? document
    return root.querySelectorAll('.pw-exact, .pw-qr-code, [role="timer"]').length
  })
}
