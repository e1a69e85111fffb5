/** A page that a browser translates during the payment: no text may be lost, doubled or old. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { builds, expect, forget, nextPoll, openPage, simulateUnseen, stopClock, test } from './test.ts'
import { widgetOn } from './widget.ts'

/**
 * Puts elements in the place of the widget's texts as soon as they appear, as browsers' translators
 * do. The words stay the same.
 */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wrap = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
      for (const text of texts) {
        const parent = text.parentElement
        if (!parent?.closest('.pw') || parent.closest('[translate=no], font') || text.data.trim() === '') continue
        const [outer, inner] = [document.createElement('font'), document.createElement('font')]
        inner.textContent = text.data
        outer.append(inner)
        text.replaceWith(outer)
      }
    }
    const keepWrapping = (root: Node) => {
      const observer = new MutationObserver(() => {
        wrap(root)
        observer.takeRecords()
      })
      observer.observe(root, { childList: true, characterData: true, subtree: true })
    }
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (init) {
      const shadow = attachShadow.call(this, init)
      keepWrapping(shadow)
      return shadow
    }
    keepWrapping(document)
  })
}

for (const { build, path } of builds) {
  test(`${build}: a translated panel follows the payment through a lost connection to its end`, async ({
    page,
    context,
    shop,
    complaints,
  }) => {
    const widget = widgetOn(page)
    await translate(page)
    await openPage(page, path)
    await widget.choose('Bitcoin')
    await stopClock(page)
    await expect(widget.root.locator('font').first()).toBeAttached()
    const address = await widget.read(en.address)
    await nextPoll(page, shop)
    await expect(widget.foot).toContainText(en.footWaiting)
    const left = await widget.timer.textContent()
    await page.clock.runFor(2_000)
    await expect(widget.timer).not.toHaveText(left ?? '')

    await context.setOffline(true)
    await page.clock.runFor(6_000)
    await expect(widget.foot).toContainText(en.footLost)
    await expect(widget.foot).not.toContainText(en.footWaiting)
    await context.setOffline(false)
    await expect(widget.foot).toContainText(en.footWaiting)
    await expect(widget.foot).not.toContainText(en.footLost)
    expect(await widget.read(en.address)).toBe(address)

    for (const [simulation, title] of [
      ['exact', en.seenTitle],
      ['confirm', en.paidTitle],
    ] as const) {
      await simulateUnseen(page, simulation)
      await shop.advance(180_000)
      await nextPoll(page, shop)
      await expect(widget.root.getByRole('heading')).toHaveText([title])
      expect(await widget.countPanel()).toBe(0)
    }
    await expect(page.locator('header.shop')).toBeVisible()
    forget(complaints, 'ERR_INTERNET_DISCONNECTED')
  })
}

for (const { build, path } of builds)
  test(`${build}: in a translated panel each button for another code says which one`, async ({ page }) => {
    const widget = widgetOn(page)
    await translate(page)
    await openPage(page, path)
    await widget.choose('XRP')
    await expect(widget.root.locator('.pw-codes font').first()).toBeAttached()
    const others = widget.root.locator('.pw-codes button')
    await expect(others).toHaveText([en.destinationTag, en.codeBoth])
    await others.first().click()
    await expect(others).toHaveText([en.address, en.codeBoth])
  })
