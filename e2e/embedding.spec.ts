/** The other two ways to put the script on a page: where the script stands, and as a modal. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { asRecord } from '../src/contract/parse.ts'
import { en } from '../src/locales/en.ts'
import { payElement } from './merchant-page.ts'
import { core, expect, openBody, simulateUnseen, test } from './test.ts'
import { widgetOn } from './widget.ts'

for (const type of ['text/javascript', 'module']) {
  test(`the script mounts where it stands, as ${type}`, core, async ({ page, shop }) => {
    await openBody(
      page,
      `<main><h1>Pay here</h1><script type="${type}" src="/paywindow.js" data-endpoint="/paywindow" data-reference="order-1042" data-asset="BTC" data-network="bitcoin"></script></main>`,
    )
    await widgetOn(page).asksForMoney()
    await expect(page.locator('main > script + pay-window')).toHaveCount(1)
    expect(await shop.orders()).toHaveLength(1)
  })
}

for (const how of ['', 'defer', 'async']) {
  test(`the script in the head of a page, ${how || 'plain'}, shows the payment`, async ({ page, shop }) => {
    const data = 'data-endpoint="/paywindow" data-reference="order-1042" data-asset="BTC" data-network="bitcoin"'
    await openBody(page, '<main><h1>Pay here</h1></main>', `<script src="/paywindow.js" ${how} ${data}></script>`)
    await widgetOn(page).asksForMoney()
    await expect(page.locator('pay-window')).toBeInViewport()
    expect(await shop.orders()).toHaveLength(1)
  })
}

for (const given of ['data-endpoint="/paywindow"', 'data-reference="order-1042"']) {
  test(`a script tag with nothing but ${given} says what is missing`, async ({ page, complaints }) => {
    await openBody(page, `<main><h1>Pay here</h1><script src="/paywindow.js" ${given}></script></main>`)
    await expect.poll(() => complaints.join(), { timeout: 10_000 }).toContain('endpoint and reference are needed')
    complaints.splice(0)
  })
}

test('a page that names the hash of the build gets that build and no other', async ({ page, shop, complaints }) => {
  const hash = readFileSync(new URL('../dist/paywindow.js.integrity', import.meta.url), 'utf8')
  const bodyWith = (integrity: string) =>
    `<main><h1>Pay here</h1>${payElement}<script src="/paywindow.js" integrity="${integrity}" crossorigin></script></main>`
  await openBody(page, bodyWith(hash))
  await widgetOn(page).asksForMoney()
  await openBody(page, bodyWith(hash.replace(/.{4}$/, 'AAAA')))
  await expect.poll(() => complaints.splice(0).join()).toContain('integrity')
  expect(await page.evaluate(() => customElements.get('pay-window'))).toBeUndefined()
  expect(await shop.orders()).toHaveLength(1)
})

test('a modal keeps the focus, closes with Esc, gives the focus back, and opens again with the same order', async ({
  page,
  shop,
}) => {
  const pay = await openCart(page)
  const widget = widgetOn(page)
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
  await expect(page).toHaveTitle('Pay, paywindow:close, closed')
  await pay.click()
  await widget.asksForMoney()
  expect(await widget.read(en.address)).toBe(address)
  expect(await shop.orders()).toHaveLength(1)
})

test(
  'a modal is paid in, can be closed on every screen, and gives the focus back when its button closes it',
  core,
  async ({ page, shop, poll }) => {
    await page.clock.install()
    const pay = await openCart(page)
    const widget = widgetOn(page)
    const dialog = page.getByRole('dialog', { name: en.widgetName })
    const close = dialog.getByRole('button', { name: en.close, exact: true })
    await pay.click()
    await widget.shows(en.chooseTitle)
    await expect(close).toBeVisible()
    await widget.choose('Bitcoin')
    await close.click()
    await expect(dialog).toHaveCount(0)
    await expect(pay).toBeFocused()
    await expect(page).toHaveTitle('Pay, paywindow:close, closed')

    await pay.click()
    await widget.asksForMoney()
    await simulateUnseen(page, 'exact')
    await poll()
    await widget.shows(en.seenTitle)
    await expect(close).toBeVisible()
    await simulateUnseen(page, 'confirm')
    await poll()
    await widget.shows(en.paidTitle)
    await expect(dialog).toBeVisible()
    await expect(page).toHaveURL('/order')
    await close.click()
    await expect(dialog).toHaveCount(0)
    await expect(pay).toBeFocused()
    await expect(page).toHaveTitle('Pay, paywindow:close, closed, paywindow:close, closed')
    expect(await shop.orders()).toHaveLength(1)
  },
)

test("in a modal help is a link to the merchant's own page, in a tab beside it", async ({ page, shop }) => {
  const supportUrl = `${shop.url}/order?help`
  await page.route('**/paywindow/checkouts', async (route) => {
    const response = await route.fetch()
    const answer = asRecord(await response.json(), 'answer')
    const merchant = { ...asRecord(answer.merchant, 'merchant'), supportUrl }
    await route.fulfill({ response, json: { ...answer, merchant } })
  })
  const pay = await openCart(page, { asset: 'BTC', network: 'bitcoin' })
  await pay.click()
  await widgetOn(page).asksForMoney()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog').getByRole('link', { name: en.help }).click()
  const help = await opened
  await expect(help).toHaveURL(supportUrl)
  expect(await help.evaluate(() => opener)).toBeNull()
  await expect(page).toHaveURL('/order')
  await widgetOn(page).asksForMoney()
})

test('two elements with the same order share it, and do not hear each other', core, async ({ page, shop }) => {
  await openBody(page, `<main><h1>Twice</h1>${payElement}${payElement}</main><script src="/paywindow.js"></script>`)
  const widgets = page.locator('pay-window')
  await expect(widgets.locator('.pw-qr-code')).toHaveCount(2)
  const [first, second] = await widgets.locator('.pw-exact').allTextContents()
  expect(second).toBe(first)
  expect(await shop.orders()).toHaveLength(1)
})

/** A page with a button that opens the modal. Its title names the events of closing. */
async function openCart(page: Page, method: { asset?: string; network?: string } = {}): Promise<Locator> {
  await openBody(page, '<main><h1>Cart</h1><button>Pay</button></main><script src="/paywindow.js"></script>')
  await page.evaluate((chosen) => {
    const note = (text: string) => (document.title += `, ${text}`)
    document.addEventListener('paywindow:close', ({ type }) => note(type))
    document.querySelector('button')?.addEventListener('click', () =>
      window.Paywindow?.open({
        endpoint: '/paywindow',
        reference: 'order-1042',
        ...chosen,
        onClose: () => note('closed'),
      }),
    )
  }, method)
  return page.getByRole('button', { name: 'Pay', exact: true })
}
