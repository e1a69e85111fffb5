/**
 * `test` with its own shop for every test. In each test the console must have no error or warning,
 * no policy may be violated, and no answer to the browser may contain a secret.
 */
import { test as base, expect, type Page, type Request } from '@playwright/test'
import type { Simulation } from '../src/demo/payer-panel.ts'
import { whyNot } from './engines.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { type OpenShop, type ShopProcess, startShops } from './shop-process.ts'
import { type Widget, widgetOn } from './widget.ts'

export { expect }

/** The two builds of the widget, each with the path of its page. */
export const builds = [
  { build: 'script tag', path: '/' },
  { build: 'React', path: '/react' },
] as const

/** For tests that `npm test` runs: the main promises in both builds. `test:all` runs all. */
export const core = { tag: '@core' }

/** For `test.use`: the permissions that a page needs to use the clipboard. */
export const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Returns the text in the clipboard, which a payer would paste into a wallet. */
export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The shop of one test, behind a recorder. */
export interface Shop extends OpenShop {
  readonly url: string
  /** The browser's requests to the shop, such as `GET /`. */
  readonly requests: Recorder['requests']
}

interface Fixtures {
  shop: Shop
  /** Errors, warnings and policy violations. A test removes those that it expects. */
  complaints: string[]
  /** Presses a button of the simulated payer. Resolves when the sandbox has done it. */
  simulate: (simulation: Simulation) => Promise<void>
  /** Lets 15 seconds pass in the shop and the page, so that the widget polls. */
  poll: () => Promise<void>
}

/** `test` with a shop, whose answers and console are checked at the end. */
export const test = base.extend<Fixtures, { shops: ShopProcess }>({
  shops: [
    async ({}, use) => {
      const shops = startShops()
      await use(shops)
      await shops.stop()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ browserName, shops }, use, info) => {
      const reason = whyNot(browserName, info.title)
      base.skip(reason !== undefined, reason ?? '')
      const shop = await shops.open()
      const recorder = await startRecorder(shop.port)
      await use({ ...shop, url: recorder.url, requests: recorder.requests })
      const secrets = await shop.secrets()
      await recorder.stop()
      await shop.close()
      // A skipped test has asked for nothing.
      if (info.status === 'skipped') return
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
        // A loop of resize observers is an event, and nothing in the console. Shops' monitoring has
        // it.
        addEventListener('error', ({ message, error }) => {
          if (!error && message) console.error(message)
        })
        // Firefox says no more of an object than `Error`.
        const { error } = console
        console.error = (...parts) => error(...parts.map((part) => (part instanceof Error ? String(part) : part)))
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
      // Without a pointer: a press can miss while the widget scrolls a new screen into view.
      await page.locator(`[data-simulate=${simulation}]`).first().dispatchEvent('click')
      await expect(outcome).toHaveText(/^Done/)
    })
  },
  poll: async ({ page, shop }, use) => {
    const { open } = watchPolls(page)
    await use(async () => {
      // The shop limits how often it looks at an order, however often browsers ask.
      await shop.advance(15_000)
      // A jump of the clock ends a poll that is under way, and the next one is seconds away. While the
      // clock stands still, none begins.
      await stopClock(page)
      await expect.poll(() => open.size, { message: 'polls under way' }).toBe(0)
      await page.clock.fastForward(15_000)
      await page.clock.resume()
    })
  },
})

/** Opens a page of the shop, with a clock that the test can move forward. */
export async function openPage(page: Page, path: string): Promise<Widget> {
  await page.clock.install()
  await page.goto(path)
  return widgetOn(page)
}

/** Opens the shop's `/order` with another body and the same policy, for a visitor with an order. */
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

/** Adds styles to the page in a way that its content security policy does not restrict. */
export async function dress(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }, css)
}

/**
 * Does what a button of the simulated payer does, without the button: some pages have none, and a
 * press would move the focus.
 */
export async function simulateUnseen(page: Page, simulation: Simulation): Promise<void> {
  const answer = await page.request.post(`/simulate/${simulation}`)
  expect(await answer.text()).toMatch(/^Done/)
}

/** Stops the page's clock: timers fire only while the test moves the clock forward. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await wallClock(page)) + 1000)
}

/** Moves the page's wall clock by `byMs`, but not its monotonic clock. */
export async function setWallClock(page: Page, byMs: number): Promise<void> {
  await page.clock.setSystemTime((await wallClock(page)) + byMs)
}

/** Hides the page, as another tab in front of it does, or shows it again. Tells the page alone. */
export function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

function isPoll(request: Request): boolean {
  return new URL(request.url()).pathname.startsWith('/paywindow/checkouts/')
}

/** Keeps the polls of a page that have no answer yet, until `stop` is called. */
function watchPolls(page: Page): { open: ReadonlySet<Request>; stop: () => void } {
  const open = new Set<Request>()
  const onSent = (request: Request) => {
    if (isPoll(request)) open.add(request)
  }
  const onDone = (request: Request) => {
    open.delete(request)
  }
  page.on('request', onSent).on('requestfinished', onDone).on('requestfailed', onDone)
  return {
    open,
    stop: () => page.off('request', onSent).off('requestfinished', onDone).off('requestfailed', onDone),
  }
}

/** Resolves when the next poll has its answer. A clock that moves earlier would end the poll. */
export async function pollAnswered(page: Page): Promise<void> {
  await page.waitForEvent('requestfinished', isPoll)
}

/** Moves a stopped clock forward until the next poll has been sent and its answer processed. */
export async function nextPoll(page: Page, shop: Pick<Shop, 'requests'>): Promise<void> {
  const before = pollsOf(shop)
  const { open, stop } = watchPolls(page)
  await expect(async () => {
    // Moving the clock while a poll is under way would send a second one.
    if (open.size === 0 && pollsOf(shop) === before) await page.clock.fastForward(3000)
    await expect.poll(() => pollsOf(shop) > before && open.size === 0, { timeout: 500, intervals: [20] }).toBe(true)
  }).toPass({ intervals: [0] })
  stop()
  await page.clock.runFor(100)
}

/** Returns how often the browser asked the shop for the status of a checkout. */
export function pollsOf({ requests }: Pick<Shop, 'requests'>): number {
  return requests.filter((request) => request.startsWith('GET /paywindow/checkouts/')).length
}

/** Removes the complaints that contain `text`, and the widget's own about the same failures. */
export function forget(complaints: string[], text: string): void {
  const isMeant = (complaint: string) => complaint.includes(text) || complaint.includes('PaywindowError: ')
  complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !isMeant(complaint)))
}

function wallClock(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}
