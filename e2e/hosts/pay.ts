/** Pays in a shop as its quick start says, and compares page and shop with the service's order. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { en } from '../../src/locales/en.ts'
import type { Payer, Visit } from './engines/payer.ts'
import type { Installed } from './install.ts'
import { type Program, startProgram } from './process.ts'

/** Begins with an empty store. @throws Error that says what was not as it must be. */
export async function payIn(installed: Installed, payer: Payer): Promise<void> {
  const { folder, commands, edited } = installed
  const before = edited && readFileSync(edited)
  const [startSandbox = '', startShop = ''] = commands
  rmSync(join(folder, '.paywindow'), { recursive: true, force: true })
  const sandbox = await startProgram(folder, startSandbox, {}, /Ctrl\+C/)
  try {
    const given = Object.fromEntries(
      [...sandbox.output().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const shop = await startProgram(folder, startShop, given, /http:\/\/(localhost|127\.0\.0\.1):3000/)
    try {
      await visit(payer, installed, shop, given.PAYWINDOW_SERVICE_URL ?? '')
    } finally {
      await shop.stop()
    }
  } finally {
    await sandbox.stop()
    if (edited && before) writeFileSync(edited, before)
  }
}

/** Chooses at the shop's first address, finds the order at all others, and pays at the last. */
async function visit(payer: Payer, installed: Installed, shop: Program, sandboxUrl: string): Promise<void> {
  const { urls, link } = installed
  for (const url of urls) {
    const page = await payer.open(url)
    try {
      if (link !== undefined) {
        // A link that is pressed before the scripts of its page have run loads the next page anew.
        await expect.poll(() => page.run('customElements.get("pay-window") !== undefined')).toBe(true)
        await page.follow(link)
      }
      if (await page.run('document.querySelector("iframe") !== null')) await page.enterFrame()
      if (url === urls[0]) await page.choose('Bitcoin')
      if (installed.edited) await edit(installed.edited, url)
      if (link !== undefined) await goAround(page, link)
      await expectOrder(page, sandboxUrl)
      if (installed.isDrawn) expect(await (await fetch(url)).text()).toContain(await page.read(en.address))
      await expectLanguages(page)
      if (url === urls.at(-1)) await pay(page, installed, shop)
      expect(await page.complaints()).toEqual(installed.complaints)
    } finally {
      await page.close()
    }
  }
}

/**
 * Three times, because a development server loads its code anew. The shop refuses a cart that it
 * has not signed, so its code has run.
 */
async function edit(file: string, url: string): Promise<void> {
  for (const time of [1, 2, 3]) {
    appendFileSync(file, `\nexport const edited${time} = true\n`)
    await expect
      .poll(async () => (await fetch(`${url}paywindow/offer?reference=cart-42`)).text())
      .toContain('not_offered')
  }
}

/**
 * Goes back to the page with the link, and on again, both ways. The page must not load anew, and
 * must have one widget, with the same order.
 */
async function goAround(page: Visit, link: string): Promise<void> {
  const address = await page.read(en.address)
  const widgets = (count: number) =>
    expect.poll(() => page.run('document.querySelectorAll("pay-window").length')).toBe(count)
  await page.run('void (window.isKept = true)')
  for (const goOn of [() => page.run('history.forward()'), () => page.follow(link)]) {
    await page.run('history.back()')
    await widgets(0)
    await goOn()
    await widgets(1)
    expect(await page.read(en.address)).toBe(address)
  }
  expect(await page.run('window.isKept')).toBe(true)
}

/** The page shows the one order that the service has. */
async function expectOrder(page: Visit, sandboxUrl: string): Promise<void> {
  // As text, because a number of JSON may have more digits than a double.
  const orders = await (await fetch(`${sandboxUrl}/sandbox/orders`)).text()
  const valuesOf = (field: string) =>
    [...orders.matchAll(new RegExp(`"${field}":"?([^",]+)`, 'g'))].map(([, value]) => value)
  expect([await page.read(en.address)]).toEqual(valuesOf('wallet_address'))
  expect([(await page.read(en.amount)).replace(/\sBTC$/, '')]).toEqual(valuesOf('source_amount'))
}

/** Where the script tag is, the shop serves the languages beside it. */
async function expectLanguages(page: Visit): Promise<void> {
  const script = await page.run(`document.querySelector('script[src$="/paywindow.js"]')?.src ?? null`)
  if (typeof script !== 'string') return
  const language: unknown = await (await fetch(new URL('locales/de.json', script))).json()
  expect(language).toHaveProperty('paidTitle')
}

async function pay(page: Visit, { folder, commands }: Installed, shop: Program): Promise<void> {
  const [, , trigger = ''] = commands
  const { status, stdout, stderr } = spawnSync(trigger, { cwd: folder, encoding: 'utf8', shell: true })
  expect(status, stdout + stderr).toBe(0)
  await page.shows(en.paidTitle)
  await expect.poll(() => shop.output()).toMatch(/^paid: cart-42, 49\.90 USD/m)
  expect(shop.output().match(/^paid: /gm)).toHaveLength(1)
}
