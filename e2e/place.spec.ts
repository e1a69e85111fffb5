/** The page around the widget does not jump, however late the script comes. */
import { en } from '../src/locales/en.ts'
import { expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

// In this zone it is eleven, so that the quote ends at an hour of two digits: the least room.
const hours = 11 - new Date().getUTCHours()
test.use({ timezoneId: `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` })

const screens = [
  { screen: 'a desktop', width: 1280, height: 900 },
  { screen: 'a tablet', width: 768, height: 1024 },
  { screen: 'a phone', width: 390, height: 844 },
]

/** What comes late in each build, and how much of the widget is on the page before. */
const builds = [
  { build: 'script', path: '/', late: '/paywindow.js', part: '.pw', before: 0 },
  // The empty card.
  { build: 'component', path: '/react', late: '**/storefront.js', part: '.pw *', before: 1 },
]

for (const { build, path, late, part, before } of builds)
  for (const { screen, ...viewport } of screens) {
    test(`on ${screen} the ${build} finds its place kept, for the choice and for a payment`, async ({ page }) => {
      await page.setViewportSize(viewport)
      const widget = widgetOn(page)
      const footer = page.locator('footer.shop')
      const footerTop = async () => (await footer.boundingBox())?.y ?? Number.NaN
      for (const visit of ['first', 'second']) {
        const script = Promise.withResolvers<void>()
        await page.route(late, async (route) => {
          await script.promise
          await route.continue()
        })
        await page.goto(path, { waitUntil: 'commit' })
        await expect(footer).toBeVisible()
        // Without its style sheets the page has no place yet.
        await page.waitForFunction(() => {
          const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
          return links.length > 0 && links.every(({ sheet }) => sheet)
        })
        const top = await footerTop()
        expect(await page.locator(part).count()).toBe(before)
        script.resolve()
        if (visit === 'first') await expect(widget.root.getByRole('button', { name: /^Bitcoin/ })).toBeVisible()
        else await widget.asksForMoney()
        expect(await footerTop(), visit).toBe(top)
        if (visit === 'first') await widget.choose('Bitcoin')
        await page.unroute(late)
      }
    })
  }

for (const { build, path } of builds)
  test(`the ${build} writes the time of its last look and moves nothing`, async ({ page }) => {
    await page.addInitScript(() => {
      window.requestIdleCallback = (idle) => {
        Object.assign(window, { idle })
        return 1
      }
    })
    await page.goto(path)
    const widget = widgetOn(page)
    await widget.choose('Bitcoin')
    // Without the card's growth from the choice.
    await page.reload()
    await widget.asksForMoney()
    const links = widget.root.locator('.pw-links')
    await expect(links).toContainText(en.copyDetails)
    const before = await links.boundingBox()
    await page.evaluate(() => Reflect.get(window, 'idle')())
    await expect(widget.root.locator('.pw-now')).toContainText(/Checked \d/)
    expect(await links.boundingBox()).toEqual(before)
  })
