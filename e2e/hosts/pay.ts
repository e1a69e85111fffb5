/** Pays in an example, as its README says, and holds the page and the shop against the order at the service. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect } from '@playwright/test'
import { en } from '../../src/locales/en.ts'
import { widgetOn } from '../widget.ts'
import type { Installed } from './install.ts'
import { type Program, startProgram } from './process.ts'

const command = 'node_modules/paywindow/dist/cli.js'

/** @throws Error that says what was not as it must be. */
export async function payIn({ folder, start }: Installed, browser: Browser): Promise<void> {
  rmSync(join(folder, '.paywindow'), { recursive: true, force: true })
  const sandbox = await startProgram(folder, [command, 'sandbox', '--port', '0'], {}, /Ctrl\+C/)
  try {
    const given = Object.fromEntries(
      [...sandbox.output().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const env = { ...given, PAYWINDOW_TEST: 'yes', PORT: '0', NODE_ENV: 'production' }
    const shop = await startProgram(folder, start, env, urlOf)
    try {
      await visit(browser, shop, { folder, sandboxUrl: given.PAYWINDOW_SERVICE_URL ?? '' })
    } finally {
      await shop.stop()
    }
  } finally {
    await sandbox.stop()
  }
}

const urlOf = /http:\/\/\S+/

async function visit(
  browser: Browser,
  shop: Program,
  { folder, sandboxUrl }: { readonly folder: string; readonly sandboxUrl: string },
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  try {
    await page.goto(urlOf.exec(shop.output())?.[0] ?? '')
    const widget = widgetOn(page)
    await widget.choose('Bitcoin')
    // As text, because a number of JSON may have more digits than a double.
    const orders = await (await fetch(`${sandboxUrl}/sandbox/orders`)).text()
    const valuesOf = (field: string) =>
      [...orders.matchAll(new RegExp(`"${field}":"?([^",]+)`, 'g'))].map(([, value]) => value)
    expect([await widget.read(en.address)]).toEqual(valuesOf('wallet_address'))
    expect([(await widget.read(en.amount)).replace(/\sBTC$/, '')]).toEqual(valuesOf('source_amount'))
    const trigger = [command, 'trigger', 'paid', '--sandbox', sandboxUrl]
    const { status, stdout, stderr } = spawnSync(process.execPath, trigger, { cwd: folder, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
    // The order is known for certain a minute after it was made, and nothing is said of a payment before.
    await expect(widget.title(en.paidTitle)).toBeVisible({ timeout: 100_000 })
    await expect.poll(() => shop.output()).toMatch(/^paid: cart-42, 49\.90 USD/m)
    expect(shop.output().match(/^paid: /gm)).toHaveLength(1)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}
