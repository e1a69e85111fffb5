/** What a payer sees when nothing can be paid or nobody answers. axe finds nothing there either. */
import { en } from '../src/locales/en.ts'
import { expectNoFindings } from './axe.ts'
import { builds, core, expect, forget, openPage, test } from './test.ts'

for (const { build, path } of builds) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${build}, ${colorScheme}:`, () => {
      test.beforeEach(({ page }) => page.emulateMedia({ colorScheme }))

      test(
        "another visitor's order is refused, and nothing of it is revealed",
        colorScheme === 'light' ? core : {},
        async ({ page, shop, browser, complaints }) => {
          const other = await browser.newPage({ baseURL: shop.url })
          await other.goto('/')
          await page.goto('/')
          await page.route(/\/$|\/api\/order$/, async (route) => {
            const own = await route.fetch()
            await route.fulfill({ response: own, body: (await own.text()).replaceAll('order-1043', 'order-1042') })
          })
          const widget = await openPage(page, path)
          await widget.shows(en.refusedTitle)
          await expect(widget.root).not.toContainText('49.90')
          await expectNoFindings(page)
          expect(await shop.orders()).toHaveLength(0)
          await other.close()
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          forget(complaints, 'status of 404')
        },
      )

      test(
        'a shop that does not answer is tried again until it does',
        colorScheme === 'light' ? core : {},
        async ({ page, poll, complaints }) => {
          await page.route('**/paywindow/**', (route) => route.abort())
          const widget = await openPage(page, path)
          await expect(async () => {
            await poll()
            await expect(widget.root).toContainText(en.unreachableTitle, { timeout: 500 })
          }).toPass()
          await expectNoFindings(page)
          await page.unroute('**/paywindow/**')
          await poll()
          await widget.shows(en.chooseTitle)
          forget(complaints, 'net::ERR_FAILED')
        },
      )

      for (const [what, answer] of [
        ['is garbled', { status: 200, body: '<html>' }],
        ['comes from a proxy', { status: 413, body: 'Request Entity Too Large' }],
      ] as const)
        test(`an answer that ${what} has a short reference, and a person to give it to`, async ({
          page,
          complaints,
        }) => {
          await page.route('**/paywindow/checkouts', (route) => route.fulfill(answer))
          const widget = await openPage(page, path)
          await widget.shows(en.refusedTitle)
          await expect(widget.root).toContainText(/Reference: \d{6}(?!\d)/)
          await expect(widget.root).not.toContainText('invalid_answer')
          await expect(widget.root.getByRole('link', { name: en.contactShop })).toHaveAttribute('href', /^https:/)
          await expectNoFindings(page)
          forget(complaints, 'status of 413')
        })
    })
  }
}
