/**
 * The page of the merchant server without scripts in Firefox and WebKitGTK, where only the browser
 * itself turns scripts off.
 */
import { firefox } from '@playwright/test'
import { Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { findFirefox, findWebKit } from '../scripts/browsers.ts'
import { whyNot } from './engines.ts'
import { driveWebKit } from './hosts/engines/webkit.ts'
import { expect, test } from './test.ts'
import { flows, type Visitor, visitorOn } from './without-scripts.ts'

interface Visit {
  readonly visitor: Visitor
  close(): Promise<void>
}

/** Start a browser without scripts; undefined where it is missing. */
const engines: Readonly<Record<string, (locale: string) => Promise<Visit | undefined>>> = {
  Firefox: async (locale) => {
    const executablePath = findFirefox()
    if (executablePath === undefined) return undefined
    // Its driver leaves scripts on, whatever the context says.
    const firefoxUserPrefs = { 'javascript.enabled': false }
    const browser = await firefox.launch({ executablePath, channel: 'moz-firefox', firefoxUserPrefs })
    // It does not know the name that Chromium has for this zone.
    const context = await browser.newContext({ locale, timezoneId: 'UTC' })
    return { visitor: visitorOn(await context.newPage(), { force: true }), close: () => browser.close() }
  },
  WebKitGTK: async (locale) => {
    const paths = findWebKit()
    if (paths === undefined) return undefined
    const { web, close } = await driveWebKit(paths, ['--enable-javascript=false'], locale.replace('-', '_'))
    return { visitor: visitorIn(web), close }
  },
}

for (const [name, start] of Object.entries(engines))
  for (const { title, locale = 'en-US', go } of flows)
    test(`${name} without scripts: ${title}`, async ({ shop }) => {
      const reason = whyNot(name.toLowerCase(), title)
      test.skip(reason !== undefined, reason ?? '')
      const visit = await start(locale)
      test.skip(visit === undefined, `there is no ${name} on this machine`)
      if (visit === undefined) return
      try {
        await go(visit.visitor, shop)
        // With scripts the demo's own page would have the widget.
        await visit.visitor.open(`${shop.url}/`)
        expect(await visit.visitor.text()).toBe('')
      } finally {
        await visit.close()
      }
    })

/** The driver's own scripts run, and no scripts of pages. */
function visitorIn(web: WebDriver): Visitor {
  const run = <Value>(script: string): Promise<Value> =>
    web.executeScript(`const root = document.querySelector('pay-window')?.shadowRoot ?? document; ${script}`)
  return {
    open: (url) => web.get(url),
    reload: () => web.navigate().refresh(),
    back: () => web.navigate().back(),
    forward: () => web.navigate().forward(),
    press: async (name) => {
      const isIt = `innerText.includes(${JSON.stringify(name)})`
      const button = await run<WebElement>(
        `return [...root.querySelectorAll('button, .pw a')].find(({ innerText }) => ${isIt})`,
      )
      await button.click()
    },
    type: async (amount) => {
      const field = await run<WebElement>(`return root.querySelector('.pw-typed input')`)
      await field.clear()
      await field.sendKeys(amount, Key.ENTER)
    },
    picture: async () => Buffer.from(await web.takeScreenshot(), 'base64'),
    // Its codecs are packages of their own.
    isHeard: null,
    text: () => run(`return root.querySelector('.pw')?.innerText ?? ''`),
    values: () =>
      run(`return [...root.querySelectorAll('.pw-number, .pw-exact')].map(({ textContent }) => textContent)`),
    hasCode: () => run(`return root.querySelector('.pw-qr-code')?.getBoundingClientRect().width > 100`),
    direction: () => run('return document.documentElement.dir'),
    cookies: async () => (await web.manage().getCookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}
