/** WebKitGTK, by WebDriver on a screen of its own. Its driver passes on nothing of the console. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver'
import type { WebKitPaths } from '../../../scripts/browsers.ts'
import { en } from '../../../src/locales/en.ts'
import { fill } from '../../../src/locales/format.ts'
import { freePort } from '../../../src/server/store/losing-replies.testing.ts'
import { type Payer, shownWithinMs, type Visit } from './payer.ts'

const answersWithinMs = 10_000

/** A browser under its driver, with a visit of its own. */
interface Driven {
  readonly web: WebDriver
  close(): Promise<void>
}

/** Starts the browser. */
export async function startWebKit(paths: WebKitPaths): Promise<Payer> {
  const { web, close } = await driveWebKit(paths)
  const version = (await web.getCapabilities()).getBrowserVersion()
  return { engine: `WebKitGTK ${version}`, open: (page) => open(web, page), close }
}

/**
 * Starts a screen, the driver and the browser. @param settings - Of the browser. @param locale - As
 * the C library names it.
 */
export async function driveWebKit(
  { driver, browser, screen }: WebKitPaths,
  settings: readonly string[] = [],
  locale = 'en_US',
): Promise<Driven> {
  const display = spawn(screen, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'])
  const [number] = await once(display.stdout, 'data')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-locale-'))
  // The browser reads the language of a locale that there is, whatever is in it.
  cpSync('/usr/lib/locale/C.utf8', join(folder, `${locale}.utf8`), { recursive: true })
  const env = {
    ...process.env,
    DISPLAY: `:${String(number).trim()}`,
    NO_AT_BRIDGE: '1',
    GDK_BACKEND: 'x11',
    LANG: `${locale}.UTF-8`,
    LOCPATH: folder,
  }
  const service = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await untilAnswered(`${url}/status`)
  const capabilities = new Capabilities()
  capabilities.set('browserName', 'MiniBrowser')
  capabilities.set('webkitgtk:browserOptions', { binary: browser, args: ['--automation', ...settings] })
  const web = await new Builder().usingServer(url).withCapabilities(capabilities).build()
  return {
    web,
    close: async () => {
      await web.quit()
      await Promise.all([service, display].map(ended))
      rmSync(folder, { recursive: true })
    },
  }
}

async function open(web: WebDriver, url: string): Promise<Visit> {
  await web.get(url)
  let isInFrame = false
  return {
    follow: async (link) => {
      const all = "[...document.querySelectorAll('a')]"
      const anchor = await found(web, `${all}.find((each) => each.textContent === ${JSON.stringify(link)})`)
      await anchor.click()
    },
    enterFrame: async () => {
      await web.switchTo().frame(0)
      isInFrame = true
    },
    press: async (name) => {
      if (isInFrame) await web.switchTo().defaultContent()
      const isIt = `!each.disabled && (each.ariaLabel ?? each.textContent.trim()) === ${JSON.stringify(name)}`
      const button = await found(web, `[...document.querySelectorAll('button')].find((each) => ${isIt})`)
      await button.click()
      if (isInFrame) await web.switchTo().frame(0)
    },
    type: (text) => web.switchTo().activeElement().sendKeys(text),
    choose: async (method) => {
      const button = await found(
        web,
        `[...root.querySelectorAll('.pw-method')].find((each) => each.textContent.includes('${method}'))`,
      )
      // The driver scrolls a frame, but not the page around it.
      await web.executeScript(`arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })`, button)
      await web.actions().move({ origin: button }).click().perform()
      await found(web, `root.querySelector('.pw-exact')`)
    },
    read: async (name) => {
      const button = `[aria-label="${fill(en.copyName, { name })}"]`
      const field = await found(
        web,
        `root.querySelector('${button}')?.closest('.pw-field, .pw-sum').querySelector('.pw-exact, .pw-number')`,
      )
      return web.executeScript<string>('return arguments[0].textContent', field)
    },
    shows: async (title) => {
      await found(
        web,
        `[...root.querySelectorAll('h2')].find((each) => each.textContent === ${JSON.stringify(title)})`,
        shownWithinMs,
      )
    },
    countFields: () => web.executeScript<number>(`${rootScript}; return root.querySelectorAll('.pw-field').length`),
    run: (script) => web.executeScript(`return ${script}`),
    goTo: async (next) => {
      await web.get(next)
      // Sometimes it is still leaving its first page. A page may write its own query.
      const address = JSON.stringify(next.replace(/\?.*/, ''))
      const isThere = `return location.origin + location.pathname === ${address} && document.readyState === 'complete'`
      await web.wait(() => web.executeScript<boolean>(isThere), answersWithinMs, `${next} is not opened`, 20)
    },
    complaints: () => web.executeScript('return window.complaints ?? []'),
    close: () => web.get('about:blank'),
  }
}

const rootScript = `const root = document.querySelector('pay-window')?.shadowRoot ?? document`

/** Waits for an element in or out of a shadow root. @throws Error if it does not come in time. */
async function found(web: WebDriver, expression: string, withinMs = answersWithinMs): Promise<WebElement> {
  const script = `${rootScript}; return ${expression}`
  const element = await web.wait(
    () => web.executeScript<WebElement | null>(script),
    withinMs,
    `There is no ${expression}`,
    100,
  )
  if (!element) throw new Error(`There is no ${expression}`)
  return element
}

async function untilAnswered(url: string): Promise<void> {
  const untilMs = performance.now() + answersWithinMs
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (performance.now() > untilMs) throw new Error(`${url} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  if (child.kill()) await exit
}
