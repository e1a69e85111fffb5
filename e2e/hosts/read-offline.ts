/** Reads the documentation without its server, from what the service worker has kept. */
import { expect } from '@playwright/test'
import { serveSite } from '../site-server.ts'
import type { Payer, Visit } from './engines/payer.ts'
import { listener, soon, startParts } from './every-page.ts'

/** The worker loads all of the site before it is ready. */
const keptWithin = { timeout: 100_000 }

/** @throws Error that says what was not there without a network. */
export async function readOffline(payer: Payer): Promise<void> {
  const site = await serveSite(listener)
  const page = await payer.open(site.url).catch(async (error: unknown) => {
    await site.close()
    throw error
  })
  try {
    await untilKept(page).finally(() => site.close())
    await read(page, site.url)
    await search(page)
    expect(await page.complaints()).toEqual([])
  } finally {
    await page.close()
  }
}

/** The worker starts with the first sign of a reader. */
async function untilKept(page: Visit): Promise<void> {
  await startParts(page)
  // Firefox can name its state `activating` in the page although the worker answers.
  await expect.poll(() => page.run('Boolean(navigator.serviceWorker?.controller)'), keptWithin).toBe(true)
}

async function read(page: Visit, site: string): Promise<void> {
  await expect(fetch(site)).rejects.toThrow('fetch failed')
  await page.goTo(`${site}reference/errors.html`)
  await showsPage(page, 'Error codes')
}

async function search(page: Visit): Promise<void> {
  await startParts(page)
  await page.press('Search')
  await expect.poll(() => page.run('document.activeElement?.type'), soon).toBe('search')
  await page.type('blind reading')
  const result = `[...document.querySelectorAll('[role=option] a')].find((each) => each.textContent.includes('A blind reading'))`
  await expect.poll(() => page.run(`${result} !== undefined`), soon).toBe(true)
  await page.run(`${result}.click()`)
  await showsPage(page, 'A blind reading of every screen')
}

async function showsPage(page: Visit, heading: string): Promise<void> {
  await expect.poll(() => page.run(`document.querySelector('h1')?.firstChild.textContent.trim()`), soon).toBe(heading)
}
