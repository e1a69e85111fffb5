/**
 * `test` with a shop of its own for every test, and what must be true in each of them: no error in the console, nothing
 * against the content security policy, and no secret in any answer that the browser got.
 */
import { test as base, expect, type Page, type Request } from '@playwright/test'
import { type Simulation, simulations } from '../src/demo/payer-panel.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { type ShopProcess, startShop } from './shop-process.ts'

export { expect }

/** The two builds of the widget, each on its page. */
export const builds = [
  { build: 'script tag', path: '/' },
  { build: 'React', path: '/react' },
] as const

/** With `test.use`: what a browser asks its user for before a page may read the clipboard. */
export const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** What a payer would paste somewhere else now. */
export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

export interface Shop extends ShopProcess {
  readonly url: string
  /** What the browser asked the shop for: `GET /`. */
  readonly requests: Recorder['requests']
}

interface Fixtures {
  shop: Shop
  /** What the browser complained about. A test that expects complaints takes them out. */
  complaints: string[]
  /** Presses a button of the simulated payer, and waits until the sandbox has done it. */
  simulate: (simulation: Simulation) => Promise<void>
  /** Lets seconds pass for everybody, so that the widget asks for the status. */
  poll: () => Promise<void>
}

export const test = base.extend<Fixtures>({
  shop: [
    async ({}, use) => {
      const shop = await startShop()
      const recorder = await startRecorder(shop.port)
      await use({ ...shop, url: recorder.url, requests: recorder.requests })
      const secrets = await shop.secrets()
      await recorder.stop()
      await shop.stop()
      expect(secrets.length).toBeGreaterThan(1)
      expect(recorder.answers.length, 'answers that were looked through').toBeGreaterThan(0)
      for (const secret of secrets) {
        expect(recorder.answers.filter((answer) => answer.includes(secret))).toEqual([])
      }
    },
    { auto: true },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`against the policy: ${violatedDirective} ${blockedURI}`),
        )
      })
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  simulate: async ({ page }, use) => {
    await use(async (simulation) => {
      const outcome = page.locator('.payer .outcome')
      await page.getByRole('button', { name: simulations[simulation], exact: true }).click()
      await expect(outcome).toHaveText(/^Done/)
    })
  },
  poll: async ({ page, shop }, use) => {
    await use(async () => {
      // The shop asks the service about an order only so often, whoever asks the shop.
      await shop.advance(15_000)
      await page.clock.fastForward(15_000)
    })
  },
})

/** Opens the shop at one of its pages, with a clock that the test can wind on. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.goto(path)
}

/** Serves a page of the shop with another body, under the shop's own policy, to a visitor who has an order. */
export async function openBody(page: Page, body: string, head = ''): Promise<void> {
  await page.goto('/order')
  await page.route('/order', async (route) => {
    const shop = await route.fetch()
    await route.fulfill({
      response: shop,
      body: `<!doctype html><html lang="en"><title>Pay</title>${head}<body>${body}</body></html>`,
    })
  })
  await page.goto('/order')
}

/** Gives the page styles, past its policy. */
export async function dress(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }, css)
}

/**
 * Does what a button of the simulated payer does, without the button: on pages that have none, and where a press would take
 * the focus away.
 */
export async function simulateUnseen(page: Page, simulation: Simulation): Promise<void> {
  const answer = await page.request.post(`/simulate/${simulation}`)
  expect(await answer.text()).toMatch(/^Done/)
}

/**
 * Stops the page's clock: no timer fires any more unless the test winds it on, so that whatever happens is the doing of
 * what the test did.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await wallClock(page)) + 1000)
}

/** Sets the wall clock of the page to another time, as a payer or a time server does; the monotonic one goes on. */
export async function setWallClock(page: Page, byMs: number): Promise<void> {
  await page.clock.setSystemTime((await wallClock(page)) + byMs)
}

/** Winds a stopped clock on until the next poll is sent and its answer taken in. */
export async function nextPoll(page: Page, shop: Pick<Shop, 'requests'>): Promise<void> {
  const before = pollsOf(shop)
  const open = new Set<Request>()
  const isPoll = (request: Request) => new URL(request.url()).pathname.startsWith('/paywindow/checkouts/')
  const onSent = (request: Request) => {
    if (isPoll(request)) open.add(request)
  }
  const onDone = (request: Request) => {
    open.delete(request)
  }
  page.on('request', onSent).on('requestfinished', onDone).on('requestfailed', onDone)
  await expect(async () => {
    // The clock stands while a poll is under way, or a second one would be.
    if (open.size === 0 && pollsOf(shop) === before) await page.clock.fastForward(3000)
    await expect.poll(() => pollsOf(shop) > before && open.size === 0, { timeout: 500, intervals: [20] }).toBe(true)
  }).toPass({ intervals: [0] })
  page.off('request', onSent).off('requestfinished', onDone).off('requestfailed', onDone)
  await page.clock.runFor(100)
}

/** How often the shop was asked for the status of a checkout. */
export function pollsOf({ requests }: Pick<Shop, 'requests'>): number {
  return requests.filter((request) => request.startsWith('GET /paywindow/checkouts/')).length
}

/** Takes out what the browser says of every request that failed as it should. */
export function forget(complaints: string[], text: string): void {
  complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !complaint.includes(text)))
}

function wallClock(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}
