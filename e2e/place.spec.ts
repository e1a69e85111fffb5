/** The page around the widget does not jump, however late the script comes. */
import { expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

// There it is eleven, so that the quote ends at an hour of two digits, whenever this runs: the head has the least room then.
const hours = 11 - new Date().getUTCHours()
test.use({ timezoneId: `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` })

const screens = [
  { screen: 'a desktop', width: 1280, height: 900 },
  { screen: 'a tablet', width: 768, height: 1024 },
  { screen: 'a phone', width: 390, height: 844 },
]

for (const { screen, ...viewport } of screens) {
  test(`on ${screen} the script finds its place kept, for the choice and for a payment`, async ({ page }) => {
    await page.setViewportSize(viewport)
    const widget = widgetOn(page)
    const footer = page.locator('footer.shop')
    const footerTop = async () => (await footer.boundingBox())?.y ?? Number.NaN
    for (const visit of ['first', 'second']) {
      const script = Promise.withResolvers<void>()
      await page.route('/paywindow.js', async (route) => {
        await script.promise
        await route.continue()
      })
      await page.goto('/', { waitUntil: 'commit' })
      await expect(footer).toBeVisible()
      // Whoever asks for a place before the style sheet is there is told of a page without it.
      await page.waitForFunction(() => document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.sheet)
      const before = await footerTop()
      expect(await widget.root.count()).toBe(0)
      script.resolve()
      if (visit === 'first') await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
      else await widget.asksForMoney()
      expect(await footerTop(), visit).toBe(before)
      if (visit === 'first') await widget.choose('Bitcoin')
      await page.unroute('/paywindow.js')
    }
  })
}

for (const { screen, ...viewport } of screens) {
  test(`on ${screen} the component finds its place kept, for the choice and for a payment`, async ({ page }) => {
    await page.setViewportSize(viewport)
    const widget = widgetOn(page)
    const footer = page.locator('footer.shop')
    const footerTop = async () => (await footer.boundingBox())?.y ?? Number.NaN
    for (const visit of ['first', 'second']) {
      const script = Promise.withResolvers<void>()
      await page.route('**/storefront.js', async (route) => {
        await script.promise
        await route.continue()
      })
      await page.goto('/react', { waitUntil: 'commit' })
      await expect(footer).toBeVisible()
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
      )
      const before = await footerTop()
      expect(await widget.root.locator('*').count(), 'the empty card').toBe(1)
      script.resolve()
      if (visit === 'first') await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
      else await widget.asksForMoney()
      expect(await footerTop(), visit).toBe(before)
      if (visit === 'first') await widget.choose('Bitcoin')
      await page.unroute('**/storefront.js')
    }
  })
}
