/** Pages that load the widget twice: the same script, another version, or the package's element. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import packageJson from '../package.json' with { type: 'json' }
import { en } from '../src/locales/en.ts'
import { payElement, servePackage, servePage } from './merchant-page.ts'
import { asOlder, olderIsUsed, olderVersion } from './older-script.ts'
import { expect, forget, test } from './test.ts'

const { version } = packageJson
const litecoin = payElement.replace('BTC', 'LTC').replace('bitcoin', 'litecoin')
const body = `<main><h1>Two</h1>${payElement}${litecoin}</main>`
const script = '<script src="/paywindow.js"></script>'
const older = '<script src="/older.js"></script>'
const npm = '<script type="module" src="/npm/paywindow/element-define.js"></script>'

test('the same script twice says nothing, and both elements pay', async ({ page, shop }) => {
  await openWith(page, `${script}${body}${script}`)
  expect(await shop.orders()).toHaveLength(2)
})

for (const { name, scripts, first } of [
  { name: 'an older script first', scripts: [older, script], first: olderVersion },
  { name: 'an older script last', scripts: [script, older], first: version },
]) {
  test(`${name}: the first is used, the other says so once, and both elements pay`, async ({
    page,
    shop,
    complaints,
  }) => {
    await openWith(page, `${scripts[0]}${body}${scripts[1]}`)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toMatch(`Paywindow ${first} is on this page already, so`)
    complaints.splice(0)
    expect(await shop.orders()).toHaveLength(2)
    await opensModal(page)
  })
}

test('the script and the element of the package share the page without a word', async ({ page, shop }) => {
  await openWith(page, `${body}${npm}${script}`)
  expect(await shop.orders()).toHaveLength(2)
  await opensModal(page)
})

test('an element of the package beside an older script says which is used', async ({ page, complaints }) => {
  await openWith(page, `${older}${body}${npm}`)
  await expect.poll(() => complaints).toEqual([olderIsUsed])
  forget(complaints, olderIsUsed)
})

/** Opens a page of these scripts and elements, and waits until each shows its own order. */
async function openWith(page: Page, text: string): Promise<void> {
  const code = readFileSync(new URL('../dist/paywindow.js', import.meta.url), 'utf8')
  await page.route('/older.js', (route) => route.fulfill({ contentType: 'text/javascript', body: asOlder(code) }))
  await servePackage(page)
  await servePage(page, '/cart', { body: text })
  await page.goto('/cart', { waitUntil: 'load' })
  await expect(page.locator('pay-window .pw-qr-code')).toHaveCount(2)
  await expect(page.locator('pay-window')).toContainText(['BTC', 'LTC'])
}

/** The modal of whichever script set it opens an order that is on the page already. */
async function opensModal(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', asset: 'BTC', network: 'bitcoin' }),
  )
  await expect(page.getByRole('dialog', { name: en.widgetName }).locator('.pw-qr-code')).toBeVisible()
}
