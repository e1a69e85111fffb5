/** Every way a payment can go, in both builds of the widget. */
import { en } from '../src/locales/en.ts'
import { builds, core, expect, forget, openPage, test } from './test.ts'
import { secondsOf, widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test.beforeEach(({ page }) => openPage(page, path))

    test(
      'a payer pays the exact amount, and the shop learns it on its own',
      core,
      async ({ page, shop, simulate, poll }) => {
        const widget = widgetOn(page)
        await widget.choose('Bitcoin')
        await expect(widget.root).toContainText(en.test)
        await expect(page.locator('#order-state')).toHaveText('Waiting for payment')
        await simulate('exact')
        await poll()
        await widget.shows(en.seenTitle)
        await simulate('confirm')
        await poll()
        await widget.shows(en.paidTitle)
        await expect(page.locator('#order-state')).toHaveText(/^Paid/)
        expect(shop.log).toContainEqual(expect.stringMatching(/^order 1042 is paid \(49\.90 USD, checkout [\w-]+\)$/))
        expect(await shop.orders()).toHaveLength(1)
      },
    )

    test('a deposit that is too small is topped up', core, async ({ page, shop, simulate, poll }) => {
      const widget = widgetOn(page)
      await widget.choose('Ether')
      await simulate('less')
      await poll()
      await widget.shows(en.shortTitle)
      await expect(widget.root.getByText(en.missing)).toBeVisible()
      await simulate('top-up')
      await simulate('confirm')
      await poll()
      await widget.shows(en.paidTitle)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('a deposit that is too large is paid all the same', core, async ({ page, simulate, poll }) => {
      const widget = widgetOn(page)
      await widget.choose('USD Coin')
      await simulate('more')
      await poll()
      await widget.shows(en.overTitle)
      await expect(widget.root.getByText(en.comingBack)).toBeVisible()
      await simulate('confirm')
      await poll()
      await widget.shows(en.paidTitle)
    })

    test(
      'a deposit of another asset goes back, and the payer can pay again',
      core,
      async ({ page, simulate, poll }) => {
        const widget = widgetOn(page)
        await widget.choose('XRP')
        await expect(widget.field(en.destinationTag)).toHaveText(/^\d+$/)
        await simulate('wrong-asset')
        await poll()
        await widget.shows(en.otherTitle)
        await simulate('refund')
        await poll()
        await widget.shows(en.returningTitle)
        await widget.root.getByRole('button', { name: en.newQuote }).click()
        await widget.asksForMoney()
      },
    )

    test('a quote that is over makes way for a new one', core, async ({ page, shop, simulate, poll }) => {
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      const address = await widget.read(en.address)
      await simulate('expire')
      await poll()
      await widget.shows(en.expiredTitle)
      await expect(widget.field(en.address)).toHaveCount(0)
      await expect(widget.code).toHaveCount(0)
      await expect(widget.timer).toHaveCount(0)
      await widget.root.getByRole('button', { name: en.newQuote }).click()
      await widget.asksForMoney()
      await expect(widget.field(en.address)).not.toHaveText(address)
      await simulate('exact')
      await simulate('confirm')
      await poll()
      await widget.shows(en.paidTitle)
      expect(await shop.orders()).toHaveLength(2)
    })

    test(
      'the panel is gone when the time is over, though no server answers',
      core,
      async ({ page, context, complaints }) => {
        const widget = widgetOn(page)
        await widget.choose('Bitcoin')
        await context.setOffline(true)
        await page.clock.fastForward('20:00')
        await widget.shows(en.expiredTitle)
        await expect(widget.code).toHaveCount(0)
        forget(complaints, 'ERR_INTERNET_DISCONNECTED')
      },
    )

    test(
      'a late deposit on the old quote is seen, and the new one asks for nothing more',
      core,
      async ({ page, shop, simulate, poll }) => {
        const widget = widgetOn(page)
        await widget.choose('Bitcoin')
        await simulate('expire')
        await poll()
        await widget.root.getByRole('button', { name: en.newQuote }).click()
        await widget.asksForMoney()
        await simulate('late')
        // Nobody looks at the old quote any more but the shop itself.
        await shop.advance(180_000)
        await expect(page.locator('#order-state')).toHaveText(/^Deposit seen/)
        await poll()
        await widget.shows(en.elsewhereSeenTitle)
        await expect(widget.code).toHaveCount(0)
        expect(shop.log).toContainEqual(expect.stringMatching(/^order 1042 has a deposit that is being confirmed/))
        expect(await shop.orders()).toHaveLength(2)
      },
    )

    test('an order that the service cancels says so', core, async ({ page, simulate, poll }) => {
      const widget = widgetOn(page)
      await widget.choose('Litecoin')
      await simulate('cancel')
      await poll()
      await widget.shows(en.endedTitle)
      await expect(widget.code).toHaveCount(0)
    })

    test('a reload keeps the order and the time that is left', core, async ({ page, shop }) => {
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      const [address, amount] = [await widget.read(en.address), await widget.read(en.amount)]
      await shop.advance(5 * 60_000)
      await page.reload()
      await widget.asksForMoney()
      await expect(widget.field(en.address)).toHaveText(address)
      await expect(widget.field(en.amount)).toHaveText(amount)
      const seconds = secondsOf(await widget.timer.innerText())
      expect(seconds).toBeLessThanOrEqual(15 * 60)
      expect(seconds).toBeGreaterThan(14 * 60 + 30)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('another number of copies has another amount', core, async ({ page, shop }) => {
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      const amount = await widget.read(en.amount)
      await page.getByRole('button', { name: 'One more copy of Field Notes on Fog' }).click()
      await expect(page.locator('.totals')).toContainText('69.90 USD')
      await expect(widget.field(en.amount)).not.toHaveText(amount)
      expect(await shop.orders()).toHaveLength(2)
    })

    test('a deposit is made to the coin that was chosen last', core, async ({ page, shop, simulate, poll }) => {
      const widget = widgetOn(page)
      await widget.choose('Bitcoin')
      const address = await widget.read(en.address)
      await widget.root.getByRole('button', { name: en.change }).click()
      await widget.shows(en.chooseTitle)
      expect(await widget.countPanel()).toBe(0)
      await widget.choose('XRP')
      await expect(widget.field(en.address)).not.toHaveText(address)
      await expect(widget.field(en.destinationTag)).toHaveText(/^\d+$/)
      await simulate('exact')
      await simulate('confirm')
      await poll()
      await widget.shows(en.paidTitle)
      await expect(page.locator('#order-state')).toHaveText(/^Paid/)
      expect(await shop.orders()).toHaveLength(2)
    })

    test(
      'a coin that the service refuses asks for no money, and can be chosen again',
      core,
      async ({ page, shop, simulate, poll, complaints }) => {
        const widget = widgetOn(page)
        await widget.shows(en.chooseTitle)
        await shop.refuseNext()
        await widget.root.getByRole('button', { name: /^Bitcoin\b/ }).click()
        await expect(widget.root.getByRole('alert')).toHaveText(en.chooseFailed)
        expect(await widget.countPanel()).toBe(0)
        expect(await shop.orders()).toHaveLength(0)
        expect(shop.log).toContainEqual(
          expect.stringMatching(/^paywindow: service_refused, order-1042: .*below the minimum/),
        )
        forget(complaints, 'status of 502')
        await widget.choose('Bitcoin')
        await simulate('exact')
        await simulate('confirm')
        await poll()
        await widget.shows(en.paidTitle)
        expect(await shop.orders()).toHaveLength(1)
      },
    )

    test(
      'a policy without inline code, eval or HTML from texts is kept from the choice to the thanks',
      core,
      async ({ page, simulate, poll }) => {
        const policy = (await page.reload())?.headers()['content-security-policy']?.split('; ')
        expect(policy).toEqual(
          expect.arrayContaining([
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
          ]),
        )
        const widget = widgetOn(page)
        await widget.choose('XRP')
        await widget.root.getByRole('button', { name: en.destinationTag, exact: true }).click()
        await widget.root.getByText(en.continueElsewhere).click()
        await expect(widget.root.getByRole('img', { name: en.handoverCode })).toBeVisible()
        await simulate('exact')
        await poll()
        await widget.shows(en.seenTitle)
        await simulate('confirm')
        await poll()
        await widget.shows(en.paidTitle)
        // Whatever the policy refused is among the complaints, of which there may be none.
      },
    )
  })
}
