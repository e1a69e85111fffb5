/** Chromium and Firefox, by Playwright. */
import { type Browser, chromium, firefox, type LaunchOptions } from '@playwright/test'
import { widgetOn } from '../../widget.ts'
import { type Payer, shownWithinMs, type Visit } from './payer.ts'

/** Chromium at this path. */
export async function startChromium(executablePath: string): Promise<Payer> {
  return payerIn(await chromium.launch({ executablePath }), 'Chromium')
}

/** The Firefox that people have, over WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Payer> {
  const options: LaunchOptions = { executablePath, channel: 'moz-firefox' }
  return payerIn(await firefox.launch(options), 'Firefox')
}

function payerIn(browser: Browser, name: string): Payer {
  return {
    engine: `${name} ${browser.version()}`,
    open: (url) => open(browser, url),
    close: () => browser.close(),
  }
}

async function open(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.goto(url)
  let widget = widgetOn(page)
  return {
    follow: (link) => page.getByRole('link', { name: link, exact: true }).click(),
    enterFrame: async () => {
      widget = widgetOn(page.frameLocator('iframe'))
    },
    press: (button) => page.getByRole('button', { name: button, exact: true }).click(),
    type: (text) => page.keyboard.type(text),
    choose: (method) => widget.choose(method),
    read: (name) => widget.read(name),
    shows: (title) => widget.title(title).waitFor({ timeout: shownWithinMs }),
    countFields: () => widget.root.locator('.pw-field').count(),
    run: (script) => page.evaluate(script),
    goTo: async (next) => {
      complaints.length = 0
      await page.goto(next)
    },
    complaints: async () => [...complaints, ...(await page.evaluate<readonly string[]>('window.complaints ?? []'))],
    close: () => context.close(),
  }
}
