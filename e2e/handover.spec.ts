/** The same payment on another device: to look at and to pay from, and nothing else. */
import type { Browser, Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { expectNoFindings } from './axe.ts'
import { readCode } from './qr.ts'
import { builds, core, expect, forget, openPage, test } from './test.ts'
import { type Widget, widgetOn } from './widget.ts'

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test(
      'is shown to another device, which can pay and change nothing',
      core,
      async ({ page, browser, shop, simulate, poll, complaints }) => {
        const widget = await openPage(page, path)
        await widget.choose('XRP')
        const link = await handOver(widget)
        expect(new URL(link).href.replace(/#.*/, '')).toBe(`${shop.url}/pay`)
        complaints.splice(0)
        expect(await readCode(widget.root.getByRole('img', { name: en.handoverCode }))).toBe(link)
        complaints.splice(0)

        const phone = await openElsewhere(browser, link)
        const there = widgetOn(phone)
        await there.asksForMoney()
        for (const name of [en.amount, en.address, en.destinationTag])
          expect(await there.read(name)).toBe(await widget.read(name))
        await expect(there.root).toContainText(en.viewOnly)
        await expect(there.root.getByText(en.change, { exact: true })).toHaveCount(0)
        await expect(there.root.getByText(en.continueElsewhere)).toHaveCount(0)
        await expectNoFindings(phone)
        // Whoever looks at the address, or is sent it, sees nothing.
        expect(new URL(phone.url()).hash).toBe('')
        await phone.reload()
        await there.asksForMoney()
        expect(await there.read(en.address)).toBe(await widget.read(en.address))
        // The other device gets nothing of the visitor's session, and no request has the token in
        // its URL.
        expect(await phone.context().cookies()).toEqual([])
        const token = link.slice(link.lastIndexOf('.') + 1)
        expect(shop.requests.filter((request) => request.includes(token))).toEqual([])

        await simulate('exact')
        await simulate('confirm')
        await poll()
        await widget.shows(en.paidTitle)
        await there.shows(en.paidTitle)
        await expect(there.root.getByText(/^Back to/)).toHaveCount(0)
        expect(await shop.orders()).toHaveLength(1)
        await phone.context().close()
      },
    )
  })
}

test('a view that has ended says so, and shows the address no longer than the quote lasts', async ({
  page,
  browser,
  shop,
}) => {
  const widget = await openPage(page, '/')
  await widget.choose('Bitcoin')
  const link = await handOver(widget)
  await shop.advance(1_201_000)
  const phone = await openElsewhere(browser, link)
  await expect(widgetOn(phone).root).toContainText(en.viewEnded)
  expect(await widgetOn(phone).countPanel()).toBe(0)
  await phone.context().close()
})

test('the link that is opened in the tab of another one is what the tab shows', async ({ page, browser }) => {
  const widget = await openPage(page, '/')
  await widget.choose('Bitcoin')
  const first = await handOver(widget)
  await widget.root.getByText(en.change, { exact: true }).click()
  await widget.choose('XRP')
  const second = await handOver(widget)
  const phone = await openElsewhere(browser, first)
  const there = widgetOn(phone)
  await there.asksForMoney()
  await phone.goto(second)
  await expect(there.field(en.address)).toHaveText(await widget.read(en.address))
  expect(await there.read(en.destinationTag)).toBe(await widget.read(en.destinationTag))
  await phone.context().close()
})

test('a page with a cart of its own shows that one, whatever a link says', async ({ page, browser }) => {
  const widget = await openPage(page, '/')
  await widget.choose('Bitcoin')
  const fragment = new URL(await handOver(widget)).hash
  const other = await openElsewhere(browser, `${new URL(page.url()).origin}/${fragment}`)
  await widgetOn(other).shows(en.chooseTitle)
  await expect(widgetOn(other).root).not.toContainText(en.viewOnly)
  await other.context().close()
})

test('a link that cannot be made says so, and can be asked for again', async ({ page, complaints }) => {
  const widget = await openPage(page, '/')
  await widget.choose('Bitcoin')
  await page.route('**/handover', (route) => route.abort('connectionrefused'))
  const summary = widget.root.getByText(en.continueElsewhere)
  await summary.click()
  await expect(widget.root.getByRole('alert')).toHaveText(en.handoverFailed)
  await page.unroute('**/handover')
  await summary.click()
  await summary.click()
  await expect(widget.field(en.handoverLink)).toContainText('/pay#paywindow=')
  forget(complaints, 'ERR_CONNECTION_REFUSED')
})

async function handOver(widget: Widget): Promise<string> {
  await widget.root.getByText(en.continueElsewhere).click()
  await expect(widget.field(en.handoverLink)).toBeVisible()
  return widget.read(en.handoverLink)
}

/** A device that has never been to the shop. */
async function openElsewhere(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  return page
}
