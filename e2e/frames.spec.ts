/** The checkout in a frame: of the same origin, of another one, and in a sandbox. */
import type { FrameLocator, Page } from '@playwright/test'
import { findChromium } from '../scripts/browsers.ts'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { core, expect, forget, simulateUnseen, test } from './test.ts'
import { widgetOn } from './widget.ts'

// Chromium lets pages without an origin ask nothing of this machine. A shop is on another one.
const executablePath = findChromium() ?? ''
test.use({ launchOptions: { executablePath, args: ['--disable-features=LocalNetworkAccessChecks'] } })

const checkout = `<main><h1>Pay</h1>${payElement}</main><script src="/paywindow.js"></script>`

test('in a frame of the same origin an order is paid', core, async ({ page, shop, poll }) => {
  await page.clock.install()
  const frame = await openFrame(page, '/checkout', { ancestors: `'self'`, frames: `'self'` })
  const widget = widgetOn(frame)
  await widget.asksForMoney()
  await simulateUnseen(page, 'exact')
  await simulateUnseen(page, 'confirm')
  await poll()
  await widget.shows(en.paidTitle)
  expect(await shop.orders()).toHaveLength(1)
})

test('in a frame of another site an order is paid if the cookie of the visit is sent there', async ({
  page,
  shop,
  context,
}) => {
  const elsewhere = shop.url.replace('127.0.0.1', 'localhost')
  await page.request.get(`${elsewhere}/order`)
  const cookies = await context.cookies(elsewhere)
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, sameSite: 'None', secure: true })))
  const frame = await openFrame(page, `${elsewhere}/checkout`, { ancestors: shop.url, frames: elsewhere })
  await widgetOn(frame).asksForMoney()
  expect(await shop.orders()).toHaveLength(1)
})

test('in a frame of another site without the cookie, the console says what it needs', async ({
  page,
  shop,
  complaints,
}) => {
  const elsewhere = shop.url.replace('127.0.0.1', 'localhost')
  const frame = await openFrame(page, `${elsewhere}/checkout`, { ancestors: shop.url, frames: elsewhere })
  await widgetOn(frame).shows(en.refusedTitle)
  expect(complaints.join()).toContain('SameSite=None')
  expect(await shop.orders()).toEqual([])
  forget(complaints, '404')
})

test('in a sandbox that allows its own origin an order is paid', async ({ page, shop, complaints }) => {
  const frame = await openFrame(page, '/checkout', {
    ancestors: `'self'`,
    frames: `'self'`,
    sandbox: 'allow-scripts allow-same-origin',
  })
  await widgetOn(frame).asksForMoney()
  expect(await shop.orders()).toHaveLength(1)
  // What browsers say of every such frame.
  forget(complaints, 'can escape its sandboxing')
})

test('in a sandbox of no origin it asks for no money, and the console names the origin', async ({
  page,
  shop,
  complaints,
}) => {
  const frame = await openFrame(page, '/checkout', {
    ancestors: `'self'`,
    frames: `'self'`,
    sandbox: 'allow-scripts',
  })
  await expect.poll(() => complaints.join('\n')).toContain('/paywindow/checkouts did not answer null')
  expect(await widgetOn(frame).countPanel()).toBe(0)
  expect(await shop.orders()).toEqual([])
  complaints.splice(0)
})

interface Frame {
  /** Who may frame the checkout. */
  readonly ancestors: string
  /** What the page may frame. */
  readonly frames: string
  readonly sandbox?: string
}

/** Opens a page of the shop that has the checkout at `url` in a frame. */
async function openFrame(page: Page, url: string, { ancestors, frames, sandbox }: Frame): Promise<FrameLocator> {
  await servePage(page, url, { body: checkout, policy: { 'frame-ancestors': ancestors } })
  const attributes = ` allow="clipboard-write; screen-wake-lock"${sandbox === undefined ? '' : ` sandbox="${sandbox}"`}`
  await servePage(page, '/cart', {
    body: `<main><h1>Cart</h1><iframe src="${url}" title="Payment" width="480" height="900"${attributes}></iframe></main>`,
    policy: { 'frame-src': frames },
  })
  await page.goto('/cart')
  return page.frameLocator('iframe')
}
