/** A new screen comes into view where it is not, and moves no page that shows it. */
import type { JSHandle, Locator, Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, core, expect, openPage, simulateUnseen, test } from './test.ts'
import { widgetOn } from './widget.ts'

const phone = { width: 390, height: 844 }

/** The share of a box that the window shows, from 0 to 1. */
function shown(part: Locator): Promise<number> {
  return part.evaluate((element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / height
  })
}

/** Its distance from the top of the window, once it no longer moves. */
async function restingTop(part: Locator): Promise<number> {
  let before = Number.NaN
  await expect
    .poll(async () => {
      const top = await part.evaluate((element) => element.getBoundingClientRect().top)
      const isStill = top === before
      before = top
      return isStill
    })
    .toBe(true)
  return before
}

/** With which options elements are scrolled into view, from now on. */
function scrollsIntoView(page: Page): Promise<JSHandle<unknown[]>> {
  return page.evaluateHandle(() => {
    const seen: unknown[] = []
    const scroll = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (options) {
      seen.push(options)
      scroll.call(this, options)
    }
    return seen
  })
}

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('on a phone the code and its heading are in view once a coin is chosen', async ({ page }) => {
      await page.setViewportSize(phone)
      await page.goto(path)
      const widget = widgetOn(page)
      const bitcoin = widget.root.getByRole('button', { name: /^Bitcoin/ })
      await bitcoin.scrollIntoViewIfNeeded()
      await bitcoin.click()
      await widget.asksForMoney()
      await expect.poll(() => shown(widget.code)).toBe(1)
      await expect.poll(() => shown(widget.root.getByRole('heading'))).toBe(1)
      await expect.poll(() => shown(widget.timer)).toBe(1)
    })

    test('a page that shows them stays where it is, whatever screen comes', async ({ page, poll }) => {
      await page.setViewportSize({ width: 1280, height: 1400 })
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      await page.evaluate(() => scrollTo(0, 30))
      const before = await restingTop(widget.root)
      await simulateUnseen(page, 'exact')
      await poll()
      await widget.shows(en.seenTitle)
      expect(await restingTop(widget.root)).toBe(before)
    })

    test('who reads elsewhere on the page is not called back', async ({ page, poll }) => {
      await page.setViewportSize(phone)
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      await page.evaluate(() => {
        const story = document.createElement('article')
        story.style.height = '3000px'
        document.body.append(story)
        scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      })
      const story = page.locator('article')
      const before = await restingTop(story)
      const height = () => widget.root.evaluate((root) => root.getBoundingClientRect().height)
      const heightBefore = await height()
      expect(await shown(widget.root)).toBe(0)
      await simulateUnseen(page, 'exact')
      await poll()
      await expect(widget.title(en.seenTitle)).toBeAttached()
      expect(await height()).toBe(heightBefore)
      // The shop's text above the card grows by parts of a pixel, and browsers scroll by whole
      // pixels.
      expect(Math.abs((await restingTop(story)) - before)).toBeLessThan(1)
    })

    for (const { typing, tag, isCalled } of [
      { typing: 'with a pressed button of the page focused', tag: 'button', isCalled: true },
      { typing: 'while something is typed elsewhere', tag: 'textarea', isCalled: false },
    ] as const)
      test(`a new screen ${isCalled ? 'comes' : 'does not come'} into view ${typing}`, async ({ page, poll }) => {
        await page.setViewportSize(phone)
        const widget = await openPage(page, path)
        await widget.choose('Bitcoin')
        await page.evaluate((name) => {
          const other = document.createElement(name)
          document.body.append(other)
          other.focus({ preventScroll: true })
        }, tag)
        await page.evaluate(() => scrollBy({ top: 300, behavior: 'instant' }))
        await restingTop(widget.root)
        await simulateUnseen(page, 'exact')
        await poll()
        await expect(widget.title(en.seenTitle)).toBeAttached()
        await restingTop(widget.root)
        // A slow machine begins to scroll after a moment in which nothing moves.
        await expect.poll(() => shown(widget.title(en.seenTitle))).toBe(isCalled ? 1 : 0)
        await expect(page.locator(`body > ${tag}`)).toBeFocused()
      })

    test('who scrolls as the panel appears stays there', core, async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.shows(en.chooseTitle)
      await widget.root.evaluate((root) => {
        const panel = new MutationObserver(() => {
          if (!root.querySelector('.pw-exact')) return
          panel.disconnect()
          scrollTo({ top: 400, behavior: 'instant' })
        })
        panel.observe(root, { childList: true, subtree: true })
      })
      const scrolls = await scrollsIntoView(page)
      await widget.choose('Bitcoin')
      // An observer answers with the next frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      expect(await scrolls.jsonValue()).toEqual([])
      expect(await page.evaluate(() => scrollY)).toBe(400)
    })

    test('who wants no motion is there at once', async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.setViewportSize(phone)
      await page.goto(path)
      const behaviors = await scrollsIntoView(page)
      const widget = widgetOn(page)
      // The last of the list is where the page was scrolled to most.
      await widget.root.locator('.pw-method').last().click()
      await expect.poll(() => shown(widget.code)).toBe(1)
      expect(await behaviors.jsonValue()).toEqual([{ behavior: 'auto' }])
    })
  })
}

test('what plays the payer is in view, so that its focus moves no page', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/')
  const widget = widgetOn(page)
  await widget.choose('Bitcoin')
  for (const button of await page.locator('.payer :is(.next, summary)').all()) {
    await button.focus()
    await button.scrollIntoViewIfNeeded()
    await restingTop(widget.root)
    expect(await shown(widget.root.getByRole('heading'))).toBe(1)
  }
})
