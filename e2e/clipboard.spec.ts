/** What a press has put on the clipboard, as a wallet or a mail to support would get it. */
import type { Page } from '@playwright/test'
import { asRecord, type JsonRecord } from '../src/contract/parse.ts'
import { de } from '../src/locales/de.ts'
import { en, type Texts } from '../src/locales/en.ts'
import { fill } from '../src/locales/format.ts'
import { builds, core, expect, openBody, openPage, readClipboard, test, withClipboard } from './test.ts'
import { type Widget, widgetOn } from './widget.ts'

test.use(withClipboard)

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('amount, address and tag are copied as the server said them, to the character', core, async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.shows(en.chooseTitle)
      const answer = nextCheckout(page)
      await widget.choose('XRP')
      await expectCopies(page, widget, await answer, en)
    })

    test('without the clipboard of modern browsers, the same is copied the older way', async ({ page, context }) => {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
      )
      const widget = await openPage(page, path)
      await widget.choose('XRP')
      // Another page of the shop, to paste in.
      const paper = await context.newPage()
      await paper.goto('/order')
      for (const name of [en.amount, en.address, en.destinationTag]) {
        await page.bringToFront()
        await widget.copyButton(name).click()
        await expect(widget.root.getByRole('button', { name: fill(en.copiedName, { name }) })).toBeVisible()
        await paper.bringToFront()
        await expect.poll(() => readClipboard(paper)).toBe(await widget.read(name))
      }
      await paper.close()
    })

    test('the details are what support has to know, and not what opens the payment', async ({ page }) => {
      const widget = await openPage(page, path)
      await widget.shows(en.chooseTitle)
      const answer = nextCheckout(page)
      await widget.choose('XRP')
      const { id, key, description, amount, address, tag } = await answer
      expect(key).toMatch(/^[\w-]{32}$/)
      await widget.root.getByRole('button', { name: en.copyDetails, exact: true }).click()
      await expect(widget.root.getByRole('button', { name: en.copied, exact: true })).toBeVisible()
      const lines = (await readClipboard(page)).split('\n')
      for (const line of [
        `Merchant: Lantern Books`,
        `Reference: ${description}`,
        `Payment: ${id}`,
        `Price: 49.9 USD`,
        `Amount to send: ${amount} XRP`,
        `Address: ${address}`,
        `Tag: ${tag}`,
      ])
        expect(lines).toContain(line)
      expect(lines.join('\n')).not.toContain(key)
    })
  })
}

test('where people write a comma, what is copied has a point between its digits and nothing else', async ({ page }) => {
  const answer = nextCheckout(page)
  await openBody(
    page,
    '<main lang="de"><h1>Kasse</h1><pay-window endpoint="/paywindow" reference="order-1042" asset="XRP" network="ripple"></pay-window></main><script src="/paywindow.js"></script>',
  )
  const widget = widgetOn(page, de)
  await widget.asksForMoney()
  await expect(widget.root.locator('.pw-price')).toHaveText(/^49,90\s\$$/)
  await expectCopies(page, widget, await answer, de)
})

/** Every button copies what the server said, whose amount has a point. */
async function expectCopies(
  page: Page,
  widget: Widget,
  { amount, address, tag }: JsonRecord,
  texts: Texts,
): Promise<void> {
  expect(amount).toMatch(/^\d+\.\d+$/)
  for (const [name, text] of [
    [texts.amount, amount],
    [texts.address, address],
    [texts.destinationTag, tag],
  ] as const) {
    await widget.copyButton(name).click()
    await expect.poll(() => readClipboard(page)).toBe(text)
  }
}

/** What the server will say of the next checkout that is asked for. */
async function nextCheckout(page: Page): Promise<JsonRecord> {
  const response = await page.waitForResponse('**/paywindow/checkouts')
  return asRecord(await response.json(), 'checkout')
}
