/**
 * The desk of `paywindow serve`, as the package has it: by keyboard, on a phone, in light and dark.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { secrets } from '../src/serve/config.testing.ts'
import { openPort } from '../src/server/http/listen.ts'
import { freePort } from '../src/server/store/losing-replies.testing.ts'
import { expectNoFindings } from './axe.ts'

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

interface Desk {
  readonly url: string
  readonly password: string
  /** Opens a payment of an order, as its payer does, and lets it be paid. */
  pay(order: string, number: string): Promise<void>
}

const test = base.extend<{ complaints: string[] }, { desk: Desk }>({
  desk: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'paywindow-desk-'))
      const shop = createServer((request, response) => {
        request.resume()
        response.writeHead(204).end()
      })
      const events = `http://127.0.0.1:${await openPort(shop, { port: 0, host: '127.0.0.1' })}/events`
      const port = await freePort()
      const made = spawnSync(process.execPath, [cli, 'password', 'books'], { encoding: 'utf8' }).stdout
      const [, password = ''] = /^ {2}(\S{23})$/m.exec(made) ?? []
      const [, hash = ''] = /export PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH=(\S+)/.exec(made) ?? []
      const origin = `http://localhost:${port}`
      const methods = [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }]
      const merchant = { name: 'Lantern Books' }
      const books = { service: 'sandbox', test: true, merchant, methods, events: { url: events, allowPrivate: true } }
      writeFileSync(join(folder, 'paywindow.json'), JSON.stringify({ port, publicUrl: origin, shops: { books } }))
      const server = spawn(process.execPath, [cli, 'serve', '--sandbox-port', '0'], {
        cwd: folder,
        env: { ...process.env, ...secrets, PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: hash },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let sandbox = ''
      for await (const line of createInterface(server.stdout)) {
        sandbox = /trigger paid --sandbox (\S+)/.exec(line)?.[1] ?? ''
        if (sandbox) break
      }
      const pay = async (order: string, number: string) => {
        const link = await fetch(`${origin}/books/v1/payments`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${secrets.PAYWINDOW_BOOKS_API_SECRET}`,
            'content-type': 'application/json',
            'idempotency-key': order,
          },
          body: JSON.stringify({ order, number, amount: '49.90', asset: 'EUR' }),
        })
        const { url } = (await link.json()) as { readonly url: string }
        const cookie = (await fetch(url)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
        const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
        await fetch(url, { method: 'POST', headers: { cookie, origin }, body, redirect: 'manual' })
        // Node warns where colours are both forced and refused, as by the runner of these tests.
        const env = { ...process.env, FORCE_COLOR: undefined }
        const trigger = [cli, 'trigger', 'paid', '--sandbox', sandbox]
        const paid = spawnSync(process.execPath, trigger, { encoding: 'utf8', env })
        expect(paid.stderr).toBe('')
      }
      await use({ url: `${origin}/books/admin`, password, pay })
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
      shop.close()
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        // A refusal is told on the page, too.
        if (!message.text().includes('status of 409')) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

async function signIn(page: Page, { url, password }: Desk): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Payments', exact: true })).toBeVisible()
}

/** Goes with the tab key until something has the focus, which is seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let at = 0; at < 60; at++) {
    await page.keyboard.press('Tab')
    // Inside of a date nothing matches `:focus`.
    const { text, isSeen } = await page.evaluate(() => {
      const focused = document.activeElement
      const outlines = [focused, focused?.closest('tr')].map((each) => each && getComputedStyle(each).outlineStyle)
      return { text: focused?.textContent?.trim(), isSeen: outlines.includes('solid') }
    })
    if (text !== name) continue
    expect(isSeen, `the focus on ${name} is seen`).toBe(true)
    return
  }
  throw new Error(`${name} is not reached by the keyboard`)
}

test('everything is done with the keyboard alone', async ({ page, desk }) => {
  await desk.pay('order-1', '2026/0001')
  await page.goto(desk.url)
  await tabTo(page, 'Skip to the content')
  await page.keyboard.press('Tab')
  await page.keyboard.type(desk.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Payments', exact: true })).toBeVisible()
  // The watcher of the server finds it within seconds.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('row', { name: '2026/0001 Paid 49.90 EUR 49.9 EUR' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await tabTo(page, '2026/0001')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '2026/0001' })).toBeVisible()
  await expect(page.getByText('Your shop was told: payment.paid', { exact: true })).toBeVisible()
  await tabTo(page, 'Tell the shop again')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Your shop is told again within a few seconds.')
  await tabTo(page, 'It is another order of the service')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('no-such-order')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Order no-such-order cannot be read from the service')
  await tabTo(page, 'Payments')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Payments', exact: true })).toBeVisible()
  await tabTo(page, 'Sign out')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('2026/0001')).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`every page fits a phone in ${colorScheme}, and axe finds nothing`, async ({ page, desk }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    const order = `order-${'0123456789'.repeat(9)}-${colorScheme}`
    await desk.pay(order, `${colorScheme}-${'x'.repeat(40)}`)
    const look = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await expectNoFindings(page)
    }
    await page.goto(desk.url)
    await look()
    await signIn(page, desk)
    await look()
    await page.getByRole('link', { name: colorScheme }).first().click()
    await expect(page.getByText(order)).toBeVisible()
    await look()
    await page.getByRole('link', { name: 'Health' }).click()
    await expect(page.getByRole('heading', { name: 'Health' })).toBeVisible()
    await look()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'Payments' }).click()
    await expectNoFindings(page)
  })

test('the file for the accountant is loaded, and only by who has signed in', async ({ page, desk, request }) => {
  await signIn(page, desk)
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  expect((await file).suggestedFilename()).toBe('payments.csv')
  expect(await (await request.get(`${desk.url}/payments.csv`)).text()).toContain('Sign in')
})
