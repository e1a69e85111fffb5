/**
 * The React entry and the script without the file that they load later: after a deploy, on a broken
 * line, or where nobody has put it.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page, Route } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { expect, forget, openPage, readClipboard, test, withClipboard } from './test.ts'
import { widgetOn } from './widget.ts'

/** The one that has the choice in it. */
const laterFile = (url: URL) => url.pathname === `/assets/production/${laterName}`
const build = fileURLToPath(new URL('../dist/demo/production', import.meta.url))
const laterName = globSync('*.js', { cwd: build }).find((name) =>
  readFileSync(`${build}/${name}`, 'utf8').includes('pw-methods'),
)
if (!laterName) throw new Error(`No file of ${build} has the choice in it: run npm run build`)

const scriptPath = '/paywindow-later.js'
const scriptFile = `${scriptPath}*`

test.beforeEach(async ({ page }) => {
  for (const file of [laterFile, scriptFile]) await page.route(file, (route) => route.abort())
})

test.afterEach(({ complaints }) => forget(complaints, 'ERR_FAILED'))

/** As a cache does that kept the file while the shop got another version. */
async function fulfillFromAnotherBuild(route: Route): Promise<void> {
  const response = await route.fetch()
  await route.fulfill({ response, body: (await response.text()).replace(/^export const \w+/, 'export const other') })
}

interface Payment {
  readonly page: Page
  readonly simulate: (simulation: 'exact' | 'confirm') => Promise<void>
  readonly poll: () => Promise<void>
}

/**
 * A deposit comes and is confirmed: words say so without the file, and the whole screen with it.
 */
async function isPaidInWords(file: Parameters<Page['unroute']>[0], { page, simulate, poll }: Payment): Promise<void> {
  const widget = widgetOn(page)
  await simulate('exact')
  await poll()
  await widget.shows(en.stepSeen)
  expect(await widget.countPanel()).toBe(0)
  await simulate('confirm')
  await poll()
  await widget.shows(en.stepPaid)
  await expect(widget.root.locator('.pw-tick')).toBeVisible()
  await page.unroute(file)
  await page.clock.fastForward(3_000)
  await widget.shows(en.paidTitle)
}

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
  await isPaidInWords(laterFile, { page, simulate, poll })
})

test('the choice comes by itself, or by loading the page anew', async ({ page }) => {
  const widget = widgetOn(page)
  const retry = widget.root.getByRole('button', { name: en.reload })
  await openPage(page, '/react')
  await widget.shows(en.preparing)
  await retry.click()
  await widget.shows(en.preparing)
  await expect(retry).toBeVisible()
  await page.unroute(laterFile)
  await page.clock.fastForward(3_000)
  await widget.choose('Bitcoin')
})

test.describe('the script', () => {
  test.use(withClipboard)

  test('without it takes a payment, a second one after the price has ended, and says in a word what became of it', async ({
    page,
    simulate,
    poll,
  }) => {
    const widget = widgetOn(page)
    await openPage(page, '/')
    await widget.choose('XRP')
    await expect(widget.code).toBeVisible()
    for (const name of [en.address, en.destinationTag, en.amount]) {
      const text = await widget.read(name)
      await widget.copyButton(name).click()
      expect(await readClipboard(page)).toBe(text)
    }
    await widget.pick(en.whereExchange)
    await expect(widget.field(en.destinationTag)).toBeVisible()
    await simulate('expire')
    await poll()
    await widget.shows(en.expiredTitle)
    expect(await widget.countPanel()).toBe(0)
    await page.getByRole('button', { name: en.newQuote }).click()
    await widget.asksForMoney()
    await expect(widget.root.getByText(/Did you already send to the earlier address/)).toBeVisible()
    await isPaidInWords(scriptFile, { page, simulate, poll })
  })

  test('takes over what a server has drawn without it', async ({ page }) => {
    const widget = widgetOn(page)
    await openPage(page, '/')
    await widget.choose('Bitcoin')
    await page.goto('/drawn')
    await page.clock.fastForward(3_000)
    await widget.copyButton(en.address).click()
    await expect(page.getByRole('button', { name: 'Address copied' })).toBeVisible()
  })

  test('uses no file of another build, and offers to load the page anew', async ({ page, simulate, poll }) => {
    await page.unroute(scriptFile)
    await page.route(scriptFile, fulfillFromAnotherBuild)
    const widget = widgetOn(page)
    await openPage(page, '/')
    await widget.choose('Bitcoin')
    await simulate('exact')
    await poll()
    await widget.shows(en.stepSeen)
    await page.unroute(scriptFile)
    await page.getByRole('button', { name: en.reload }).click()
    await widget.shows(en.seenTitle)
  })

  test('gets its own file where a cache has that of another build', async ({ page, shop, simulate, poll }) => {
    await page.unroute(scriptFile)
    await page.route(scriptPath, fulfillFromAnotherBuild)
    const widget = widgetOn(page)
    await openPage(page, '/')
    await widget.choose('Bitcoin')
    await page.clock.fastForward(3_000)
    await expect(widget.root.getByRole('button', { name: en.copyDetails })).toBeVisible()
    await simulate('exact')
    await poll()
    await widget.shows(en.seenTitle)
    expect(shop.requests.filter((request) => request.includes(scriptPath))).toEqual([
      expect.stringMatching(/^GET \/paywindow-later\.js$/),
      expect.stringMatching(/^GET \/paywindow-later\.js\?of[0-9a-f]{8}$/),
    ])
    expect(await shop.orders()).toHaveLength(1)
  })

  test('asks for it once, after the order', async ({ page, shop }) => {
    await page.unroute(scriptFile)
    await openPage(page, '/')
    await widgetOn(page).choose('Bitcoin')
    await expect(widgetOn(page).root.getByRole('button', { name: en.copyDetails })).toBeVisible()
    const asked = shop.requests.map((request) => request.split(' ')[1])
    expect(asked.filter((path) => path === scriptPath)).toHaveLength(1)
    expect(asked.indexOf(scriptPath)).toBeGreaterThan(asked.indexOf('/paywindow/checkouts'))
  })
})
