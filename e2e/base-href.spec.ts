/** Pages with `<base href>`: endpoint, icons and handover page are found from the base. */
import { de } from '../src/locales/de.ts'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { expect, forget, test } from './test.ts'
import { widgetOn } from './widget.ts'

const main = (element: string) => `<main><h1>Pay</h1>${element}</main>`
const script = '<script src="/paywindow.js"></script>'

test('a path that begins with a slash is the same on every page of the shop', async ({ page, shop }) => {
  await servePage(page, '/cart/42', {
    head: '<base href="/somewhere/else/">',
    body: main(payElement.replace('>', ' lang="de">')) + script,
    policy: { 'base-uri': `'self'` },
  })
  await page.goto('/cart/42')
  const widget = widgetOn(page, de)
  await widget.asksForMoney()
  // The language stands beside the script, wherever the base leads.
  expect(shop.requests).toContain('GET /locales/de.json')
  expect(shop.requests.filter((request) => request.includes('/somewhere/'))).toEqual([])
})

test('a path without a slash is found from the base, with its icons and the link for other devices', async ({
  page,
  shop,
}) => {
  await servePage(page, '/cart/42', {
    head: '<base href="/">',
    body:
      main('<pay-window endpoint="paywindow" reference="order-1042" handover-url="pay"></pay-window>') +
      '<script src="paywindow.js"></script>',
    policy: { 'base-uri': `'self'` },
  })
  await page.goto('/cart/42')
  const widget = widgetOn(page)
  const icons = widget.root.locator('.pw-method img')
  await expect(icons.first()).toBeVisible()
  await expect
    .poll(() => icons.evaluateAll((all) => all.every((icon) => (icon as HTMLImageElement).naturalWidth > 0)))
    .toBe(true)
  await widget.choose('Bitcoin')
  await widget.root.getByText(en.continueElsewhere).click()
  await expect(widget.field(en.handoverLink)).toHaveText(new RegExp(`^${shop.url}/pay#`))
  expect(await shop.orders()).toHaveLength(1)
  expect(shop.requests.filter((request) => request.includes('/cart/'))).toEqual([])
})

test('a base on another origin leads the endpoint there too, and says so', async ({ page, shop, complaints }) => {
  const elsewhere = shop.url.replace('127.0.0.1', 'localhost')
  await servePage(page, '/cart/42', {
    head: `${script.replace('>', ' defer>')}<base href="${elsewhere}/">`,
    body: main(payElement),
    policy: { 'base-uri': elsewhere },
  })
  await page.goto('/cart/42')
  await expect
    .poll(() => complaints.join())
    .toContain(`against the policy: connect-src ${elsewhere}/paywindow/checkouts`)
  expect(await widgetOn(page).countPanel()).toBe(0)
  expect(await shop.orders()).toEqual([])
  forget(complaints, 'connect-src')
  complaints.splice(0)
})
