/** A page without a bundler: an import map names the files of the package as they are served. */
import { en } from '../src/locales/en.ts'
import { payElement, servePackage, servePage } from './merchant-page.ts'
import { expect, simulateUnseen, test } from './test.ts'
import { widgetOn } from './widget.ts'

const importMap = JSON.stringify({
  imports: {
    'paywindow/element': '/npm/paywindow/element.js',
    'paywindow/element/define': '/npm/paywindow/element-define.js',
  },
})
const nonce = 'bWFwcw'
const head = `<script type="importmap" nonce="${nonce}">${importMap}</script>`
const policy = { 'script-src': `'self' 'nonce-${nonce}'` }
const define = `<script type="module" nonce="${nonce}">import 'paywindow/element/define'</script>`

test('an import map makes the element of the package work, under a policy with a nonce', async ({
  page,
  shop,
  poll,
}) => {
  const served = await servePackage(page)
  await servePage(page, '/cart/42', { head, body: `<main><h1>Pay</h1>${payElement}</main>${define}`, policy })
  await page.clock.install()
  await page.goto('/cart/42')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  await simulateUnseen(page, 'exact')
  await simulateUnseen(page, 'confirm')
  await poll()
  await widget.shows(en.paidTitle)
  expect(await shop.orders()).toHaveLength(1)
  // Nothing that a page without a bundler could not resolve: one file, and the part that it shares.
  expect(served).toEqual([
    expect.stringMatching(/element-define\.js$/),
    expect.stringMatching(/chunks\/element-[\w-]+\.js$/),
  ])
})

test('the class can be imported and registered beside it, once', async ({ page }) => {
  await servePackage(page)
  const ask = `<script type="module" nonce="${nonce}">
    import { PaywindowElement } from 'paywindow/element'
    document.title = String(customElements.get('pay-window'))
    await import('paywindow/element/define')
    document.title = String(customElements.get('pay-window') === PaywindowElement)
  </script>`
  await servePage(page, '/cart/42', { head, body: `<main><h1>Pay</h1>${payElement}</main>${ask}`, policy })
  await page.goto('/cart/42')
  await expect(page).toHaveTitle('true')
  await widgetOn(page).asksForMoney()
})
