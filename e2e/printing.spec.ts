/** On paper there is everything that a payer needs, and nothing to press. */
import { en } from '../src/locales/en.ts'
import { builds, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  test(`${build}: a slip to pay from, and a receipt once it is paid`, async ({ page, simulate, poll }) => {
    await openPage(page, path)
    const widget = widgetOn(page)
    await widget.choose('XRP')
    await expect(widget.root.getByText(en.continueElsewhere)).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(widget.code).toBeVisible()
    await expect(widget.root.locator('.pw-number')).toBeVisible()
    for (const name of [en.address, en.destinationTag])
      await expect(widget.root.locator('.pw-field', { hasText: name }).locator('.pw-exact').first()).toBeVisible()
    await expect(widget.root.getByText(/Must arrive before \w{3} \d+, \d{4}, .*\nPayment: [\w-]+/)).toBeVisible()
    await expect(widget.root.getByRole('button')).toHaveCount(0)
    await expect(widget.timer).toBeHidden()
    expect(await widget.root.locator('.pw-card').evaluate((card) => getComputedStyle(card).backgroundColor)).toBe(
      'rgb(255, 253, 248)',
    )
    await page.emulateMedia({ media: 'screen' })
    await simulate('exact')
    await poll()
    await simulate('confirm')
    await poll()
    await widget.shows(en.paidTitle)
    await page.emulateMedia({ media: 'print' })
    await expect(widget.root.locator('.pw-receipt')).toContainText('XRP')
    await expect(widget.root.getByRole('button')).toHaveCount(0)
  })
}
