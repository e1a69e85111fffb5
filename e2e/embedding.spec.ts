/** The other two ways to put the script on a page: where the script stands, and as a modal. */
import { en } from '../src/locales/en.ts'
import { expect, openBody, test } from './test.ts'
import { widgetOn } from './widget.ts'

test('the script mounts where it stands', async ({ page, shop }) => {
  await openBody(
    page,
    '<main><h1>Pay here</h1><script src="/paywindow.js" data-endpoint="/paywindow" data-reference="order-1042" data-asset="BTC" data-network="bitcoin"></script></main>',
  )
  await widgetOn(page).asksForMoney()
  await expect(page.locator('main > script + pay-window')).toHaveCount(1)
  expect(await shop.orders()).toHaveLength(1)
})

test('a modal keeps the focus, closes with Esc, gives the focus back, and opens again with the same order', async ({
  page,
  shop,
}) => {
  await openBody(page, '<main><h1>Cart</h1><button>Pay</button></main><script src="/paywindow.js"></script>')
  const widget = widgetOn(page)
  const pay = page.getByRole('button', { name: 'Pay', exact: true })
  await page.evaluate(() => {
    document.querySelector('button')?.addEventListener('click', () =>
      window.Paywindow?.open({
        endpoint: '/paywindow',
        reference: 'order-1042',
        onClose: () => (document.title += ', closed'),
      }),
    )
  })
  await pay.click()
  await widget.choose('Bitcoin')
  const address = await widget.read(en.address)
  await expect(page.getByRole('dialog')).toBeVisible()
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    // A browser may hand the focus to its own bars in between; the page behind never gets it.
    await expect(pay).not.toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(pay).toBeFocused()
  await expect(page).toHaveTitle('Pay, closed')
  await pay.click()
  await widget.asksForMoney()
  expect(await widget.read(en.address)).toBe(address)
  expect(await shop.orders()).toHaveLength(1)
})

test('two elements with the same order share it, and do not hear each other', async ({ page, shop }) => {
  const element = '<pay-window endpoint="/paywindow" reference="order-1042" asset="BTC" network="bitcoin"></pay-window>'
  await openBody(page, `<main><h1>Twice</h1>${element}${element}</main><script src="/paywindow.js"></script>`)
  const widgets = page.locator('pay-window')
  await expect(widgets.locator('.pw-qr-code')).toHaveCount(2)
  const addresses = await widgets.locator('.pw-exact').allTextContents()
  expect(addresses.slice(0, 2)).toEqual(addresses.slice(2))
  expect(await shop.orders()).toHaveLength(1)
})
