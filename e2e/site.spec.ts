/**
 * The built documentation: it asks no other host, and its playground works, also without a network.
 * e2e/hosts opens every page in three engines, and reads and searches without a network.
 */
import { test as base, expect, type Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { expectNoFindings } from './axe.ts'
import { serveSite, sitePages } from './site-server.ts'
import { readClipboard, withClipboard } from './test.ts'
import { type Widget, widgetOn } from './widget.ts'

const test = base.extend<{ complaints: string[] }, { site: string }>({
  site: [
    async ({}, use) => {
      const { url, close } = await serveSite()
      await use(url)
      await close()
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page, site }, use) => {
      const complaints: string[] = []
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site))
          complaints.push(`asks ${request.url()}`)
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isOfPlaywright(message.text()))
          complaints.push(message.text())
      })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** Only the test of it needs the worker, which loads every page. */
test.use({ serviceWorkers: 'block' })

/** It says so where it blocks workers. */
const isOfPlaywright = (text: string) => text === 'Service Worker registration blocked by Playwright'

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    test('axe finds nothing in the playground and its frame', async ({ page, site }) => {
      const widget = await openPlayground(page, site)
      await widget.shows(en.chooseTitle)
      await expectNoFindings(page)
    })
  })

/**
 * Gives the first sign of a reader, which starts the slow parts of a page. The page listens to it
 * once the theme's switch has a name.
 */
async function startParts(page: Page): Promise<void> {
  await expect(page.getByRole('switch').first()).toHaveAttribute('title', /theme/)
  await page.mouse.move(1, 1)
  await page.mouse.move(2, 2)
}

async function openPlayground(page: Page, site: string): Promise<Widget> {
  await page.goto(`${site}playground.html`)
  await startParts(page)
  return widgetOn(page.frameLocator('iframe'))
}

/** A poll comes every five seconds. */
const soon = { timeout: 30_000 }

test('the first page plays a payment from the reader’s first sign on, and can be paused', async ({ page, site }) => {
  await page.goto(site)
  const played = page.locator('.played')
  await expect(played.locator('img').first()).toBeVisible()
  await startParts(page)
  const widget = widgetOn(page.frameLocator('.played iframe'))
  await widget.asksForMoney()
  await expectNoFindings(page)
  await expect(widget.title(en.paidTitle)).toBeVisible({ timeout: 20_000 })
  await played.getByRole('button', { name: 'Pause' }).click()
  await expect(played.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('the first page keeps its picture where less motion is wanted', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(site)
  await startParts(page)
  await expect(page.locator('.played img').first()).toBeVisible()
  await expect(page.locator('.played iframe')).toHaveCount(0)
})

test('the playground is paid in, and says what its shop was told', async ({ page, site }) => {
  const widget = await openPlayground(page, site)
  await widget.choose('XRP')
  await page.getByRole('button', { name: 'Deposit less' }).click()
  await widget.title(en.shortTitle).waitFor(soon)
  await page.getByRole('button', { name: 'Top up the rest' }).click()
  await page.getByRole('button', { name: 'Confirm the deposit' }).click()
  await widget.title(en.paidTitle).waitFor(soon)
  await expect(
    page.getByRole('listitem').filter({ hasText: 'onStatusChange: cart-42, confirmed, 49.90 USD' }),
  ).toHaveCount(1)
})

test('the playground writes what it shows', async ({ page, site }) => {
  const widget = await openPlayground(page, site)
  await widget.shows(en.chooseTitle)
  await page.getByLabel('Corners').selectOption('24px')
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await expect(page.frameLocator('iframe').locator('pay-window')).toHaveCSS('--pw-radius', '24px')
  await expect(page.frameLocator('iframe').getByText('Womit möchten Sie bezahlen?')).toBeVisible()
  await expect(page.locator('.playground pre')).toHaveText(
    `<style>pay-window { --pw-radius: 24px }</style>
<script src="/paywindow.js" defer></script>
<pay-window endpoint="/paywindow" reference="cart-42" theme="dark" locale="de"></pay-window>`,
  )
})

test.describe('with a clipboard', () => {
  test.use(withClipboard)

  test('the code in the playground is copied with a button', async ({ page, site }) => {
    await openPlayground(page, site)
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
    await page.getByRole('button', { name: 'Copy', exact: true }).press('Enter')
    const copied = page.getByRole('button', { name: 'Copied', exact: true })
    await expect(copied).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1)
    const code = await page.locator('.playground pre').textContent()
    expect(code).toContain('theme="dark"')
    expect(await readClipboard(page)).toBe(code)
    // The clipboard has the code from before.
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
    await expect(copied).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  })
})

test('where a browser refuses to copy, the code in the playground is selected', async ({ page, site }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await openPlayground(page, site)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Selected' })).toBeVisible()
  expect(await page.evaluate(() => String(getSelection()))).toBe(await page.locator('.playground pre').textContent())
})

test('the playground shows the component, too', async ({ page, site }) => {
  await openPlayground(page, site)
  const frame = page.frameLocator('iframe')
  await widgetOn(frame).shows(en.chooseTitle)
  await page.getByLabel('The React component').check()
  await expect(frame.locator('pay-window')).toHaveCount(0)
  await widgetOn(frame).shows(en.chooseTitle)
  await page.getByLabel('Language').selectOption('de')
  await expect(frame.getByText('Womit möchten Sie bezahlen?')).toBeVisible()
  await expect(page.locator('.playground pre')).toContainText('locale="de" texts={texts} />')
})

test('the gallery has its icons', async ({ page, site }) => {
  await page.goto(`${site}gallery/index.html?only=waiting`)
  const icon = page.locator('.pw-icon img').first()
  await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('a wrong deposit is shown as its payer sees it', async ({ page, site }) => {
  await page.goto(`${site}testing.html`)
  await page.getByRole('link', { name: en.ifShort }).click()
  await expect(page.getByText(en.ifShort)).toBeVisible()
  await expect(page.getByRole('heading', { name: en.seenTitle })).toBeVisible()
})

test('every page is there as Markdown, and listed for models', async ({ request, site }) => {
  const pages = sitePages().filter((path) => !path.startsWith('gallery/') && path !== '404.html')
  const written = pages.map((path) => path.replace(/html$/, 'md'))
  for (const path of written) {
    const answer = await request.get(site + path)
    expect(answer.status(), path).toBe(200)
    expect(await answer.text(), path).not.toMatch(/^\s*<!doctype/i)
  }
  const list = await (await request.get(`${site}llms.txt`)).text()
  const listed = [...list.matchAll(/^- \[[^\]]+\]\(\/([^)]+)\)(?:: .+)?$/gm)].map(([, path]) => path)
  expect(listed.sort()).toEqual(written.sort())
})

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the playground is paid in', async ({ page, context, site, complaints }) => {
    await page.goto(site)
    await startParts(page)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await context.setOffline(true)
    // Not a page: nobody keeps it.
    expect(await page.evaluate(() => fetch('llms.txt').catch(() => 'no network'))).toBe('no network')
    complaints.length = 0
    const widget = await openPlayground(page, site)
    await widget.choose('XRP')
    await page.getByRole('button', { name: 'Deposit the exact amount' }).click()
    await page.getByRole('button', { name: 'Confirm the deposit' }).click()
    await widget.title(en.paidTitle).waitFor(soon)
  })
})
