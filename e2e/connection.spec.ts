/** A checkout on a bad line: no network, a dead proxy, a slow proxy, and repeated old answers. */
import type { Page, Route } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, core, expect, forget, nextPoll, openPage, pollsOf, stopClock, test } from './test.ts'
import { secondsOf, type Widget, widgetOn } from './widget.ts'

/** Where the status of a checkout is asked. */
const statusPath = /\/paywindow\/checkouts\/[^/]+$/

const html = { contentType: 'text/html', body: '<!doctype html><title>Proxy</title><p>Try later' }

/** Proxies that let nothing through, and the words for the payer. */
const deadProxies: readonly [name: string, answer: (route: Route) => Promise<void>, said: string][] = [
  ['takes no connection', (route) => route.abort('connectionrefused'), en.footLost],
  ['answers 502 in HTML', (route) => route.fulfill({ status: 502, ...html }), en.footLost],
  ['answers 200 in HTML', (route) => route.fulfill({ status: 200, ...html }), en.footFailing],
]

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test.beforeEach(async ({ page }) => {
      await openPage(page, path)
      await widgetOn(page).choose('Bitcoin')
      await stopClock(page)
    })

    test(
      'without a network the panel stays and says so, and asks at once when it is back',
      core,
      async ({ page, context, shop, complaints }) => {
        const widget = widgetOn(page)
        const address = await widget.read(en.address)
        await nextPoll(page, shop)
        await context.setOffline(true)
        // With the next poll at the latest: an answer of the last second is not asked for again.
        await page.clock.runFor(6000)
        await expect(widget.foot).toContainText(en.footLost)
        // It is spoken a frame later.
        await page.clock.runFor(100)
        await expect(widget.live).toHaveText(en.footLost)
        await expect(widget.field(en.address)).toHaveText(address)
        await expect(widget.code).toBeVisible()
        const polls = pollsOf(shop)
        await context.setOffline(false)
        await expect.poll(() => pollsOf(shop)).toBe(polls + 1)
        await expect(widget.foot).not.toContainText(en.footLost)
        await expect(widget.foot).toContainText(en.footWaiting)
        await page.clock.runFor(100)
        await expect(widget.live).toHaveText('')
        await expect(widget.field(en.address)).toHaveText(address)
        expect(await shop.orders()).toHaveLength(1)
        forget(complaints, 'ERR_INTERNET_DISCONNECTED')
      },
    )

    test(
      'an hour without a network ends the quote but not the checkout',
      core,
      async ({ page, context, shop, simulate, complaints }) => {
        const widget = widgetOn(page)
        await context.setOffline(true)
        await hourWithout(page)
        await widget.shows(en.expiredTitle)
        await expect(widget.foot).toContainText(en.footLost)
        await context.setOffline(false)
        await shop.advance(3_600_000)
        await expect(widget.foot).not.toContainText(en.footLost)
        await widget.shows(en.expiredTitle)
        // The old quote is still followed: a late deposit shows.
        await simulate('late')
        await shop.advance(180_000)
        await nextPoll(page, shop)
        await widget.shows(en.lateTitle)
        expect(await shop.orders()).toHaveLength(1)
        forget(complaints, 'ERR_INTERNET_DISCONNECTED')
      },
    )

    test('an hour without a network leaves a deposit that was seen on the screen', async ({
      page,
      context,
      shop,
      simulate,
      complaints,
    }) => {
      const widget = widgetOn(page)
      await simulate('exact')
      await shop.advance(15_000)
      await nextPoll(page, shop)
      await widget.shows(en.seenTitle)
      await simulate('confirm')
      await context.setOffline(true)
      await hourWithout(page)
      await widget.shows(en.seenTitle)
      await expect(widget.foot).toContainText(en.footLost)
      await shop.advance(3_600_000)
      await context.setOffline(false)
      await widget.shows(en.paidTitle)
      expect(await shop.orders()).toHaveLength(1)
      forget(complaints, 'ERR_INTERNET_DISCONNECTED')
    })

    for (const [name, answer, said] of deadProxies) {
      test(`behind a proxy that ${name}, the panel stays and says so until it is over`, async ({
        page,
        shop,
        complaints,
      }) => {
        const widget = widgetOn(page)
        const panel = await withoutWarnings(widget)
        let answers = 0
        await page.route(statusPath, async (route) => {
          await answer(route)
          answers += 1
        })
        await expect(async () => {
          await page.clock.fastForward(15_000)
          expect(answers).toBeGreaterThanOrEqual(4)
        }).toPass({ intervals: [50] })
        await expect(widget.foot).toContainText(said)
        expect(await withoutWarnings(widget)).toBe(panel)
        await page.unroute(statusPath)
        await nextPoll(page, shop)
        await expect(widget.foot).toContainText(en.footWaiting)
        expect(await withoutWarnings(widget)).toBe(panel)
        expect(await shop.orders()).toHaveLength(1)
        forget(complaints, 'net::ERR_')
        forget(complaints, 'status of 502')
      })
    }

    test('behind a slow proxy one poll at a time is on its way, and the panel stays', async ({
      page,
      shop,
      complaints,
    }) => {
      const widget = widgetOn(page)
      const held: Route[] = []
      await page.route(statusPath, (route) => void held.push(route))
      await expect(async () => {
        await page.clock.fastForward(1000)
        expect(held).toHaveLength(1)
      }).toPass({ intervals: [50] })
      await page.clock.runFor(10_000)
      // Coming back to the page is no reason to ask twice.
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await page.clock.runFor(500)
      expect(held).toHaveLength(1)
      await widget.asksForMoney()
      await expect(widget.foot).not.toContainText(en.footLost)
      // It is given up at last, and asked again.
      await page.clock.runFor(2000)
      await expect(widget.foot).toContainText(en.footLost)
      await page.unroute(statusPath)
      await nextPoll(page, shop)
      await expect(widget.foot).toContainText(en.footWaiting)
      forget(complaints, 'net::ERR_')
    })

    test('an old answer that a proxy gives once more turns nothing back', async ({ page, shop, simulate }) => {
      const widget = widgetOn(page)
      const response = page.waitForResponse(statusPath)
      await nextPoll(page, shop)
      const first = await (await response).text()

      // The same revision, with the time it had then.
      await page.clock.fastForward('10:00')
      const seconds = secondsOf(await widget.timer.innerText())
      expect(seconds).toBeLessThan(10 * 60)
      await replay(page, first)
      await page.clock.runFor(1000)
      expect(secondsOf(await widget.timer.innerText())).toBeLessThanOrEqual(seconds)

      await simulate('exact')
      await shop.advance(15_000)
      await nextPoll(page, shop)
      await widget.shows(en.seenTitle)
      await replay(page, first)
      await page.clock.runFor(1000)
      await widget.shows(en.seenTitle)
      expect(await widget.countPanel()).toBe(0)
    })
  })

  test(`${build}: the time that a creation took counts`, async ({ page }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const widget = await openPage(page, path)
    await widget.shows(en.chooseTitle)
    await stopClock(page)
    await page.route('**/paywindow/checkouts', async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    await widget.root.getByRole('button', { name: /^Bitcoin\b/ }).click()
    await expect(widget.root).toContainText(en.preparing)
    await page.clock.runFor(25_000)
    release()
    await widget.asksForMoney()
    expect(secondsOf(await widget.timer.innerText())).toBeLessThanOrEqual(20 * 60 - 25)
  })
}

/** An hour in which polls are tried and fail. */
async function hourWithout(page: Page): Promise<void> {
  for (let minute = 0; minute < 60; minute += 1) await page.clock.fastForward('01:00')
}

/** Answers the next poll with an old answer. */
async function replay(page: Page, body: string): Promise<void> {
  let answers = 0
  await page.route(statusPath, async (route) => {
    await route.fulfill({ status: 200, contentType: 'application/json', body })
    answers += 1
  })
  await expect(async () => {
    await page.clock.fastForward(3000)
    expect(answers).toBeGreaterThan(0)
  }).toPass({ intervals: [50] })
  await page.unroute(statusPath)
}

/** What stands below the warnings. */
function withoutWarnings({ root }: Widget): Promise<string> {
  return root.locator('.pw-pay > :not(.pw-warnings)').evaluateAll((parts) => parts.map((part) => part.outerHTML).join())
}
