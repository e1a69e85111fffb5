/**
 * What a page, a library, an extension or an old browser can do to the widget's surroundings:
 * elements, styles, links, the clipboard, the fragment.
 */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { inspectCode, readCode } from './qr.ts'
import { builds, core, dress, expect, forget, openBody, openPage, readClipboard, test, withClipboard } from './test.ts'
import { widgetOn } from './widget.ts'

const script = '<script src="/paywindow.js"></script>'
const main = (element: string) => `<main><h1>Pay</h1>${element}</main>`

test(
  'a modal is seen and pressed on a page that hides what is empty, and above a drawer that turns the page off',
  core,
  async ({ page }) => {
    await openBody(page, `<main><h1>Cart</h1><div class="drawer">The drawer</div></main>${script}`)
    await dress(
      page,
      'div:empty { display: none !important } body { pointer-events: none; visibility: hidden; cursor: none } body > div { opacity: 0; transform: scale(0) }',
    )
    const seen = await page.evaluateHandle(() => {
      const outside: string[] = []
      // As drawers do, which take the modal for a part of the page outside.
      for (const name of ['wheel', 'pointerdown', 'focusin'])
        document.addEventListener(
          name,
          (event) => {
            outside.push(name)
            event.preventDefault()
          },
          { passive: false },
        )
      window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', asset: 'XRP', network: 'ripple' })
      return outside
    })
    const widget = widgetOn(page)
    await widget.asksForMoney()
    await page.setViewportSize({ width: 500, height: 400 })
    await widget.copyButton(en.address).click()
    const top = () => page.locator('.pw-dialog').evaluate((dialog) => dialog.scrollTop)
    const before = await top()
    await page.mouse.wheel(0, -200)
    await expect.poll(top).toBeLessThan(before)
    expect(await seen.jsonValue()).toEqual([])
    await page.getByRole('button', { name: en.close }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

test('an empty element is seen where the page hides what is empty', async ({ page }) => {
  await openBody(page, main('') + script)
  await dress(page, 'main > :empty { display: none }')
  await page.evaluate(() => {
    const element = document.createElement('pay-window')
    Object.assign(element, { endpoint: '/paywindow', reference: 'order-1042', asset: 'BTC', network: 'bitcoin' })
    document.querySelector('main')?.append(element)
  })
  await widgetOn(page).asksForMoney()
})

for (const { build, path } of builds) {
  test(`${build}: the code is black on white under what darkens pages`, core, async ({ page }) => {
    const widget = await openPage(page, path)
    await widget.choose('Bitcoin')
    // A browser does it by itself, an extension by styles in every tree.
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setAutoDarkModeOverride', { enabled: true })
    expect((await inspectCode(widget.code)).misdrawn).toEqual([])
    await widget.root.evaluate((root) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        '.pw-card .pw-qr-code { background-color: #181a1b !important } [fill="#fff"] { fill: #181a1b !important } [fill="#000"] { fill: #e8e6e3 !important }',
      )
      const tree = root.getRootNode() as Document | ShadowRoot
      tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet]
    })
    expect((await inspectCode(widget.code)).misdrawn).toEqual([])
  })
}

for (const target of ['_blank', '_top'])
  test(`a wallet is opened from the page itself, with <base target="${target}">`, async ({ page, context }) => {
    await openBody(page, main(payElement) + script, `<base target="${target}">`)
    const asked: string[] = []
    const browser = await context.newCDPSession(page)
    await browser.send('Page.enable')
    browser.on('Page.frameRequestedNavigation', ({ disposition, url }) =>
      asked.push(`${disposition} ${url.slice(0, 8)}`),
    )
    await widgetOn(page).pick(en.whereHere)
    await page.getByRole('link', { name: en.openWallet }).click()
    await expect.poll(() => asked).toEqual(['currentTab bitcoin:'])
    expect(context.pages()).toHaveLength(1)
    await widgetOn(page).asksForMoney()
  })

test.describe('what is copied by hand', () => {
  test.use(withClipboard)

  const pages = {
    'adds its address to what is copied': (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', `${getSelection()} Read more: https://shop.example`)
      event.preventDefault()
    },
    'forbids copying': (event: ClipboardEvent) => event.preventDefault(),
  }
  for (const { build, path } of builds)
    for (const [what, change] of Object.entries(pages))
      test(`${build}: is the value, on a page that ${what}`, async ({ page }) => {
        await openPage(page, path)
        await page.evaluate(
          `for (const isEarly of [true, false]) document.addEventListener('copy', ${change}, isEarly)`,
        )
        await dress(page, 'body { -webkit-user-select: none; user-select: none }')
        const widget = widgetOn(page)
        await widget.choose('XRP')
        for (const name of [en.address, en.destinationTag, en.amount]) {
          const value = await widget.read(name)
          await widget.field(name).click({ clickCount: 2 })
          await page.keyboard.press('ControlOrMeta+c')
          await expect.poll(() => readClipboard(page)).toBe(value)
        }
      })
})

test('a router that has its pages behind the fragment shows the page for other devices', async ({ page, context }) => {
  await servePage(page, '/shop', {
    body: `<div id="app"></div>${script}<script>
      const pages = { '#/cart': ${JSON.stringify(payElement.replace('>', ' handover-url="/shop#/pay">'))}, '#/pay': '<pay-window endpoint="/paywindow"></pay-window>' }
      const show = () => { app.innerHTML = pages[location.hash.split('?')[0]] ?? '<h1>Nothing here</h1>' }
      addEventListener('hashchange', show)
      show()
    </script>`,
    policy: { 'script-src': `'self' 'unsafe-inline'`, 'require-trusted-types-for': null },
  })
  await page.goto('/shop#/cart')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  await widget.root.getByText(en.continueElsewhere).click()
  const link = await widget.read(en.handoverLink)
  expect(new URL(link).hash).toMatch(/^#\/pay\?paywindow=/)
  await page.goto('about:blank')
  await page.goto(link)
  await widget.asksForMoney()
  await expect(widget.root).toContainText(en.viewOnly)
  expect(context.pages()).toHaveLength(1)
})

/** Removes from the browser everything that the oldest supported browsers lack. */
async function ageBrowser(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const older = [
      [URL, 'canParse', 'parse'],
      [Object, 'hasOwn', 'groupBy'],
      [Array.prototype, 'at', 'findLast', 'findLastIndex', 'toSorted', 'with'],
      [String.prototype, 'at'],
      [Promise, 'withResolvers'],
      [Element.prototype, 'ariaLabel', 'ariaBusy', 'moveBefore'],
      [HTMLDialogElement.prototype, 'showModal', 'show', 'close', 'open'],
      [ShadowRoot.prototype, 'adoptedStyleSheets'],
      [AbortSignal, 'timeout', 'any'],
      [AbortSignal.prototype, 'reason', 'throwIfAborted'],
      [window, 'reportError', 'structuredClone', 'requestIdleCallback', 'CSSStyleSheet'],
    ] as const
    for (const [owner, ...names] of older) for (const name of names) Reflect.deleteProperty(owner, name)
  })
}

test('at the floor the payment is shown, in the page and in a modal', core, async ({ page }) => {
  await ageBrowser(page)
  await servePage(page, '/shop', {
    body: main(payElement) + script,
    policy: { 'style-src': `'self' 'unsafe-inline'` },
  })
  await page.goto('/shop')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  expect(await widget.root.evaluate((root) => getComputedStyle(root).containerType)).toBe('inline-size')
  await page.evaluate(() => {
    document.querySelector('pay-window')?.remove()
    window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', asset: 'BTC', network: 'bitcoin' })
  })
  await widget.asksForMoney()
  await widget.copyButton(en.address).click()
  await page.getByRole('button', { name: en.close }).click()
  await expect(widget.root).toHaveCount(0)
})

test('below the floor the page’s own words stay, and no order is made', async ({ page, shop, complaints }) => {
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  const words = 'The payment has not loaded yet.'
  await openBody(page, main(payElement.replace('></', `>${words}</`)) + script)
  await expect(page.getByText(words)).toBeVisible()
  await expect.poll(() => complaints.join()).toContain('older than Safari 15.4')
  expect(await page.evaluate(() => customElements.get('pay-window'))).toBeUndefined()
  expect(await shop.orders()).toEqual([])
  forget(complaints, 'older than')
})

/**
 * What older libraries do to the browser, in their words, and what else a page has that is in the
 * way.
 */
const replacements = {
  'a library for dates': () => {
    Object.assign(Date, { parse: () => null })
    Date.prototype.toISOString = function () {
      return `"${this.getUTCFullYear()}-${this.getUTCMonth() + 1}-${this.getUTCDate()}"`
    }
  },
  'an object of its own named CSS': () => {
    Object.assign(window, { CSS: { escape: String } })
  },
  'texts of its own named Text': () => {
    Object.assign(window, { Text: { pay: 'Pay' } })
  },
  'shortcuts of old scripts in place of methods of elements': () => {
    Object.assign(Element.prototype, {
      remove(this: Element) {
        // They never look whether there is such a parent.
        const parent = this.parentElement as Element
        parent.removeChild(this)
      },
      append(this: Element, child: Node) {
        this.appendChild(child)
      },
    })
  },
  'a script before its fetch that asks for what is set': () => {
    const { fetch } = window
    window.fetch = (input, init) => {
      // biome-ignore lint/suspicious/noPrototypeBuiltins: as older scripts ask.
      if (init?.hasOwnProperty('headers')) console.debug(`${init}`)
      return fetch(input, init)
    }
  },
}

/** The React component's libraries need the arrays of the standard, and shops bundle it. */
const forElement = {
  'an address of its own named URL': () => {
    Object.assign(window, { URL: 'https://api.shop.example/' })
  },
  'Prototype 1.6 on all arrays': () => {
    Object.assign(Array.prototype, {
      reduce(this: unknown[]) {
        return this.length > 1 ? this : this[0]
      },
    })
  },
}

for (const { build, path } of builds)
  for (const [what, replace] of Object.entries(path === '/react' ? replacements : { ...replacements, ...forElement }))
    test(`${build}: the payment is shown on a page with ${what}`, async ({ page, shop }) => {
      await page.addInitScript(replace)
      const widget = await openPage(page, path)
      await widget.choose('Bitcoin')
      const time = await widget.timer.innerText()
      await expect(widget.timer).not.toHaveText(time)
      expect(await readCode(widget.code)).toContain(await widget.read(en.address))
      expect(await shop.orders()).toHaveLength(1)
    })

test('with such shortcuts the element pays for another cart, and a modal opens and closes', async ({ page }) => {
  await page.addInitScript(replacements['shortcuts of old scripts in place of methods of elements'])
  await openBody(page, main(payElement) + script)
  const widget = widgetOn(page)
  await widget.asksForMoney()
  const address = await widget.read(en.address)
  await page.evaluate(() => {
    const element = document.querySelector('pay-window')
    if (element) Object.assign(element, { asset: 'LTC', network: 'litecoin' })
  })
  await expect(widget.field(en.address)).not.toHaveText(address)
  await page.evaluate(() => {
    const main = document.querySelector('main')
    const element = document.querySelector('pay-window')
    if (element) main?.removeChild(element)
    window.Paywindow?.open({ endpoint: '/paywindow', reference: 'order-1042', asset: 'XRP', network: 'ripple' })
    if (element) setTimeout(() => main?.appendChild(element))
  })
  await expect(page.getByRole('dialog').locator('.pw-exact').first()).toBeVisible()
  await page.getByRole('button', { name: en.close }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await widget.asksForMoney()
})

test('a page whose keys spare buttons and fields does not take the press from a button in the element', async ({
  page,
}) => {
  await openBody(page, main(payElement) + script)
  await page.evaluate(() =>
    document.addEventListener('keydown', (event) => {
      if (!(event.target as Element).closest('button, input')) event.preventDefault()
    }),
  )
  const widget = widgetOn(page)
  await widget.asksForMoney()
  await widget.copyButton(en.address).press('Enter')
  await widget.copyButton(en.amount).press('Space')
  await expect(page.locator('.pw-copy[data-state="idle"]')).toHaveCount(0)
})

test('moved to another document the element gives way to the page’s own words, and back it pays for the same order', async ({
  page,
  shop,
}) => {
  const words = 'The payment has not loaded yet.'
  await openBody(page, main(`${payElement.replace('></', `>${words}</`)}<iframe title="Other"></iframe>`) + script)
  await widgetOn(page).asksForMoney()
  const move = (to: 'out' | 'back') =>
    page.evaluate((where) => {
      const inside = document.querySelector('iframe')?.contentDocument
      const [from, into] = where === 'out' ? [document, inside?.body] : [inside, document.querySelector('main')]
      const element = from?.querySelector('pay-window')
      if (element) into?.append(element)
    }, to)
  await move('out')
  await expect(page.frameLocator('iframe').getByText(words)).toBeVisible()
  await move('back')
  const widget = widgetOn(page)
  await widget.asksForMoney()
  await expect(widget.root).toHaveCSS('display', 'grid')
  expect(await shop.orders()).toHaveLength(1)
})

const open = `<script>Paywindow.open({ endpoint: '/paywindow', reference: 'order-1042', asset: 'XRP', network: 'ripple' })</script>`
const early = {
  'before there is a body': { head: script + open, body: '<h1>Cart</h1>' },
  'beside an element of its name': { body: `<div id="Paywindow"></div>${script}${open}` },
}
for (const [when, shown] of Object.entries(early))
  test(`a modal opens ${when}`, async ({ page }) => {
    await servePage(page, '/shop', {
      ...shown,
      policy: { 'script-src': `'self' 'unsafe-inline'`, 'require-trusted-types-for': null },
    })
    await page.goto('/shop')
    await widgetOn(page).asksForMoney()
    await page.getByRole('button', { name: en.close }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
