/** Where the script does not arrive, or is blocked, the payer reads the text in the element. */
import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'
import { widgetOn } from './widget.ts'

const script = '/paywindow.js'

interface Cause {
  readonly arrange: (page: Page) => Promise<unknown>
  /** What the browser says in its console. */
  readonly complaint: RegExp
}

const causes: Readonly<Record<string, Cause>> = {
  'is blocked by a policy': {
    arrange: (page) => withPolicy(page, "script-src 'none'"),
    complaint: /Content Security Policy|against the policy/,
  },
  'is not where the page looks for it': {
    arrange: (page) => answerScript(page, { status: 404 }),
    complaint: /status of 404/,
  },
  'is not what it was': {
    arrange: (page) => answerScript(page, { body: '<!doctype html>' }),
    complaint: /SyntaxError/,
  },
  'meets no network': {
    arrange: (page) => page.route(script, (route) => route.abort()),
    complaint: /ERR_FAILED/,
  },
}

for (const path of ['/', '/pay'])
  for (const [cause, { arrange, complaint }] of Object.entries(causes))
    test(`${path} says so when the script ${cause}, and not before`, async ({ page, complaints }) => {
      await arrange(page)
      await page.goto(path)
      const place = page.locator('pay-window')
      await expect(place).toHaveText(/has not loaded yet/)
      await expect(place).toBeHidden()
      expect(await delayMs(page)).toBe(8_000)
      await endDelay(page)
      await expect(place).toBeVisible()
      expect(complaints.splice(0).filter((each) => !complaint.test(each))).toEqual([])
    })

test('a script that comes after all has the place for itself', async ({ page }) => {
  const arrival = Promise.withResolvers<void>()
  await page.route(script, async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForFunction(() => document.querySelector('pay-window')?.getAnimations().length)
  await endDelay(page)
  expect(await isTextDrawn(page)).toBe(true)
  arrival.resolve()
  await widgetOn(page).choose('Bitcoin')
  await widgetOn(page).asksForMoney()
  expect(await isTextDrawn(page)).toBe(false)
})

test('a script that comes soon is not held up by it', async ({ page }) => {
  await page.goto('/')
  await widgetOn(page).choose('Bitcoin')
  expect(await page.locator('pay-window').evaluate((element) => element.getAnimations().length)).toBe(0)
})

async function withPolicy(page: Page, policy: string): Promise<void> {
  await page.route(/\/(pay)?$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
  })
}

async function answerScript(page: Page, answer: { status?: number; body?: string }): Promise<void> {
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', ...answer }))
}

function delayMs(page: Page): Promise<number | undefined> {
  return page
    .locator('pay-window')
    .evaluate((element) => element.getAnimations().map(({ effect }) => effect?.getTiming().delay)[0])
}

async function endDelay(page: Page): Promise<void> {
  await page.locator('pay-window').evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish()
  })
}

function isTextDrawn(page: Page): Promise<boolean> {
  return page.locator('pay-window').evaluate((element) => {
    const text = [...element.childNodes].find((node) => node instanceof Text && node.data.trim() !== '')
    const range = document.createRange()
    if (text) range.selectNode(text)
    return range.getClientRects().length > 0
  })
}
