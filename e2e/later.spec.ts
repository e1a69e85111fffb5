/** The React entry without the file that it loads later, after a deploy or on a broken line. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { en } from '../src/locales/en.ts'
import { expect, forget, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

/** The one that has the choice in it. */
const laterFile = (url: URL) => url.pathname === `/assets/production/${laterName}`
const build = fileURLToPath(new URL('../dist/demo/production', import.meta.url))
const laterName = globSync('*.js', { cwd: build }).find((name) =>
  readFileSync(`${build}/${name}`, 'utf8').includes('pw-methods'),
)
if (!laterName) throw new Error(`No file of ${build} has the choice in it: run npm run build`)

test.beforeEach(async ({ page }) => {
  await page.route(laterFile, (route) => route.abort())
})

test.afterEach(({ complaints }) => forget(complaints, 'ERR_FAILED'))

test('a payer learns what happened, sees no address that is over, and gets the whole screen in the end', async ({
  page,
  simulate,
  poll,
}) => {
  // As where the shop asks for one method.
  await page.route('**/paywindow/checkouts', (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), asset: 'BTC', network: 'bitcoin' } }),
  )
  const widget = widgetOn(page)
  await openPage(page, '/react')
  await widget.asksForMoney()
  await simulate('exact')
  await poll()
  await widget.shows(en.footSeen)
  expect(await widget.countPanel()).toBe(0)
  await simulate('confirm')
  await poll()
  await widget.shows(en.stepPaid)
  await page.unroute(laterFile)
  await page.clock.fastForward(3_000)
  await widget.shows(en.paidTitle)
})

test('the choice comes by itself, or by loading the page anew', async ({ page }) => {
  const widget = widgetOn(page)
  const retry = widget.root.getByRole('button', { name: en.retry })
  await openPage(page, '/react')
  await widget.shows(en.preparing)
  await retry.click()
  await widget.shows(en.preparing)
  await expect(retry).toBeVisible()
  await page.unroute(laterFile)
  await page.clock.fastForward(3_000)
  await widget.choose('Bitcoin')
})
