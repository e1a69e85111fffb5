/**
 * axe finds nothing on the way of a payment, light and dark. It looks at every state in
 * gallery.spec.ts, and at what fails in failing.spec.ts.
 */
import { en } from '../src/locales/en.ts'
import { expectNoFindings } from './axe.ts'
import { builds, core, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${build}, ${colorScheme}: axe finds nothing`, () => {
      test.beforeEach(async ({ page }) => {
        await page.emulateMedia({ colorScheme })
        await openPage(page, path)
      })

      test('from the choice to the thanks', colorScheme === 'light' ? core : {}, async ({ page, simulate, poll }) => {
        const widget = widgetOn(page)
        await widget.shows(en.chooseTitle)
        await expectNoFindings(page)
        // The name and the network are two words to a screen reader, too.
        await expect(widget.root.getByRole('button', { name: /\bBitcoin network$/ })).toHaveCount(1)
        await widget.choose('XRP')
        await expectNoFindings(page)
        await simulate('exact')
        await poll()
        await widget.shows(en.seenTitle)
        await expectNoFindings(page)
        await simulate('confirm')
        await poll()
        await widget.shows(en.paidTitle)
        await expectNoFindings(page)
      })

      test(
        'when the quote is over, and when it was paid late',
        colorScheme === 'light' ? core : {},
        async ({ page, shop, simulate, poll }) => {
          const widget = widgetOn(page)
          await widget.choose('Bitcoin')
          await simulate('expire')
          await poll()
          await widget.shows(en.expiredTitle)
          await expectNoFindings(page)
          await widget.root.getByRole('button', { name: en.alreadySent }).click()
          await widget.shows(en.sentTitle)
          await expectNoFindings(page)
          await widget.root.getByRole('button', { name: en.back }).click()
          await widget.root.getByRole('button', { name: en.newQuote }).click()
          await widget.asksForMoney()
          await simulate('late')
          // Nobody looks at the old quote any more but the shop itself.
          await shop.advance(180_000)
          await expect(page.locator('#order-state')).toHaveText(/^Deposit seen/)
          await poll()
          await widget.shows(en.elsewhereSeenTitle)
          await expectNoFindings(page)
        },
      )
    })
  }
}
