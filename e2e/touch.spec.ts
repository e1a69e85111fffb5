/** A phone that is held in the hand: what it pays with comes first, and is large enough to be met. */
import { en } from '../src/locales/en.ts'
import { fill } from '../src/locales/format.ts'
import { builds, expect, openPage, readClipboard, test, withClipboard } from './test.ts'
import { widgetOn } from './widget.ts'

test.use({ ...withClipboard, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('the wallet and what is copied stand before the code, and are in view once a coin is chosen', async ({
      page,
    }) => {
      await openPage(page, path)
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      const wallet = widget.root.getByRole('link', { name: en.openWallet })
      const copy = widget.copyButton(en.address)
      await expect(wallet).toBeInViewport({ ratio: 1 })
      await expect(copy).toBeInViewport({ ratio: 1 })
      const tops = await Promise.all(
        [wallet, copy, widget.code].map(async (part) => (await part.boundingBox())?.y ?? 0),
      )
      expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    })

    test('buttons are 44 px high, and a tap anywhere in a field copies it', async ({ page }) => {
      await openPage(page, path)
      const widget = widgetOn(page)
      await widget.choose('XRP')
      for (const button of await widget.root.locator('.pw-copy, .pw-button, .pw-switch label').all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const address = await widget.read(en.address)
      const box = await widget.field(en.address).boundingBox()
      await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 8)
      await expect(widget.live).toHaveText(
        `${fill(en.copiedName, { name: en.address })}. ${fill(en.nextToCopy, { name: en.destinationTag })}`,
      )
      expect(await readClipboard(page)).toBe(address)
      await expect(widget.root.getByRole('group', { name: 'Step 1 of 3, Address, Copied' })).toBeVisible()
      await expect(widget.root.getByText(en.tagNext)).toBeVisible()
    })
  })
}
