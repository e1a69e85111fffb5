/** A phone in a hand: the means to pay with it come first, and are large enough for a finger. */
import { en } from '../src/locales/en.ts'
import { fill } from '../src/locales/format.ts'
import { builds, expect, openPage, readClipboard, test, withClipboard } from './test.ts'
import type { Widget } from './widget.ts'

test.use({ ...withClipboard, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('the wallet and what is copied are in view once a coin is chosen, without a code', async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      const wallet = widget.root.getByRole('link', { name: en.openWallet })
      const copy = widget.copyButton(en.address)
      await expect(wallet).toBeInViewport({ ratio: 1 })
      await expect(copy).toBeInViewport({ ratio: 1 })
      await expect(widget.copyButton(en.amount)).toBeInViewport({ ratio: 1 })
      await expect(widget.code).toHaveCount(0)
    })

    test('buttons are 44 px high, and a tap anywhere in a field copies it', async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.choose('XRP')
      for (const button of await widget.root.locator('.pw-copy, .pw-button, .pw-where label').all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const address = await widget.read(en.address)
      const box = await widget.field(en.address).boundingBox()
      await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 8)
      await expect(widget.live).toHaveText(
        `${fill(en.copiedName, { name: en.address })}. ${fill(en.nextToCopy, { name: en.destinationTag })}`,
      )
      expect(await readClipboard(page)).toBe(address)
      await expect(widget.root.getByRole('group', { name: 'Step 1 of 2, Address, Copied' })).toBeVisible()
      await expect(widget.root.getByText(en.tagNext)).toBeVisible()
    })

    test('rows of coins are 56 px high, and links and folds are met 44 px high', async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.shows(en.chooseTitle)
      for (const row of await widget.root.locator('.pw-method').all())
        expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(56)
      await widget.choose('Bitcoin')
      await widget.pick(en.whereOther)
      await expect(widget.root.getByText(en.continueElsewhere)).toBeVisible()
      expect(await reachOf(widget, 'a.pw-link, button.pw-link, summary')).toEqual({
        [en.change]: 44,
        [en.address]: 44,
        [en.continueElsewhere]: 44,
        [en.copyDetails]: 44,
        [`${en.help} (${en.opensNewTab})`]: 44,
      })
    })
  })
}

/** Height of the area in which a finger meets each, up to 44 px; 0 if another covers it. */
function reachOf(widget: Widget, selector: string): Promise<Record<string, number>> {
  return widget.root.locator(selector).evaluateAll((parts) => {
    const reach: Record<string, number> = {}
    for (const part of parts) {
      if (!part.checkVisibility()) continue
      part.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { left, top, width, height } = part.getBoundingClientRect()
      const root = part.getRootNode()
      const isMet = (y: number) =>
        (root instanceof ShadowRoot ? root : document).elementFromPoint(left + width / 2, y) === part
      let [from, to] = [top + height / 2, top + height / 2]
      while (isMet(from - 0.25) && to - from < 99) from -= 0.25
      while (isMet(to + 0.25) && to - from < 99) to += 0.25
      const isWhole = from <= top + 1 && to >= top + height - 1
      reach[part.textContent.trim()] = isWhole ? Math.min(44, Math.round(to - from)) : 0
    }
    return reach
  })
}
