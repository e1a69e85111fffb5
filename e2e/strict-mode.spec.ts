/** Development React mounts everything twice under StrictMode; the service must not notice. */
import { en } from '../src/locales/en.ts'
import { core, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

test('StrictMode makes one order', core, async ({ page, shop, simulate, poll }) => {
  await openPage(page, '/react-dev')
  // Only development React contains these words.
  expect(await page.evaluate(() => fetch('/assets/development/storefront.js').then((file) => file.text()))).toContain(
    'Maximum update depth exceeded',
  )
  const widget = widgetOn(page)
  await widget.choose('Bitcoin')
  expect(await shop.orders()).toHaveLength(1)
  await simulate('exact')
  await simulate('confirm')
  await poll()
  await widget.shows(en.paidTitle)
  expect(await shop.orders()).toHaveLength(1)
})
