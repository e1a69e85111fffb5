/** Pays in a shop, as its quick start says, and holds the page and the shop against the order at the service. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { en } from '../../src/locales/en.ts'
import type { Payer } from './engines/payer.ts'
import type { Installed } from './install.ts'
import { type Program, startProgram } from './process.ts'

/** Begins with an empty store. @throws Error that says what was not as it must be. */
export async function payIn({ folder, commands }: Installed, payer: Payer): Promise<void> {
  const [startSandbox = '', startShop = '', trigger = ''] = commands
  rmSync(join(folder, '.paywindow'), { recursive: true, force: true })
  const sandbox = await startProgram(folder, startSandbox, {}, /Ctrl\+C/)
  try {
    const given = Object.fromEntries(
      [...sandbox.output().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const shop = await startProgram(folder, startShop, given, /http:\/\/(localhost|127\.0\.0\.1):3000/)
    try {
      await visit(payer, shop, { folder, trigger, sandboxUrl: given.PAYWINDOW_SERVICE_URL ?? '' })
    } finally {
      await shop.stop()
    }
  } finally {
    await sandbox.stop()
  }
}

async function visit(
  payer: Payer,
  shop: Program,
  { folder, trigger, sandboxUrl }: { readonly folder: string; readonly trigger: string; readonly sandboxUrl: string },
): Promise<void> {
  const page = await payer.open('http://localhost:3000/')
  try {
    await page.choose('Bitcoin')
    // As text, because a number of JSON may have more digits than a double.
    const orders = await (await fetch(`${sandboxUrl}/sandbox/orders`)).text()
    const valuesOf = (field: string) =>
      [...orders.matchAll(new RegExp(`"${field}":"?([^",]+)`, 'g'))].map(([, value]) => value)
    expect([await page.read(en.address)]).toEqual(valuesOf('wallet_address'))
    expect([(await page.read(en.amount)).replace(/\sBTC$/, '')]).toEqual(valuesOf('source_amount'))
    const { status, stdout, stderr } = spawnSync(trigger, { cwd: folder, encoding: 'utf8', shell: true })
    expect(status, stdout + stderr).toBe(0)
    await page.shows(en.paidTitle)
    await expect.poll(() => shop.output()).toMatch(/^paid: cart-42, 49\.90 USD/m)
    expect(shop.output().match(/^paid: /gm)).toHaveLength(1)
    expect(page.complaints()).toEqual([])
  } finally {
    await page.close()
  }
}
