/** Pages whose navigation swaps the body and shows kept copies of it again, as Turbo does. */
import type { Page } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { payElement, servePage } from './merchant-page.ts'
import { expect, stopClock, test } from './test.ts'
import { widgetOn } from './widget.ts'

declare global {
  interface Window {
    /** Goes on to another page of the shop. */
    visit?: (path: string) => Promise<void>
    /** Goes back to a page that was left. */
    restore?: (path: string) => void
    /** The copies that are kept, by path. */
    copies?: Map<string, HTMLElement>
    /** Requests that have no answer yet, and how often a status was asked for. */
    asked?: { open: number; polls: number }
  }
}

const ways = [
  {
    way: 'the element, with the script in the head',
    head: '<script src="/paywindow.js" defer></script>',
    body: payElement,
  },
  {
    way: 'the script where the widget stands',
    head: '',
    body: '<script src="/paywindow.js" data-endpoint="/paywindow" data-reference="order-1042" data-asset="BTC" data-network="bitcoin"></script>',
  },
]

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await page.addInitScript(countPolls)
  await page.addInitScript(swapPages)
})

for (const { way, head, body } of ways) {
  test.describe(`${way}:`, () => {
    test.beforeEach(async ({ page }) => {
      // Such navigation parses HTML, which the shop's own policy forbids.
      const policy = { 'require-trusted-types-for': null, 'trusted-types': null }
      await servePage(page, '/cart', { head, body: `<main><h1>Cart</h1>${body}</main>`, policy })
      await servePage(page, '/terms', { head, body: '<main><h1>Terms</h1></main>', policy })
      await page.goto('/cart')
      await widgetOn(page).asksForMoney()
    })

    test('away it asks for nothing, and back it shows the same order and asks once', async ({ page, shop }) => {
      const address = await widgetOn(page).read(en.address)
      await visit(page, '/terms')
      await expect(page.locator('pay-window')).toHaveCount(0)
      expect(await pollsIn(page, '02:00')).toBe(0)
      await restore(page, '/cart')
      await widgetOn(page).asksForMoney()
      expect(await widgetOn(page).read(en.address)).toBe(address)
      await asksOnce(page)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('the copy holds no address, and shows none when the quote has ended meanwhile', async ({ page, shop }) => {
      const address = await widgetOn(page).read(en.address)
      await visit(page, '/terms')
      const copy = await page.evaluate(() => {
        const element = window.copies?.get('/cart')?.querySelector('pay-window')
        return `${element?.outerHTML}${element?.shadowRoot?.innerHTML ?? ''}`
      })
      expect(copy).toBe(payElement)
      await shop.advance(21 * 60_000)
      await page.clock.fastForward('21:00')
      await page.evaluate(noteTexts)
      await restore(page, '/cart')
      await widgetOn(page).shows(en.expiredTitle)
      expect(await page.evaluate(() => document.documentElement.dataset.seen)).not.toContain(address)
      expect(await widgetOn(page).countPanel()).toBe(0)
    })

    test('a preview gives way to the page itself: one widget, one order, one who asks', async ({ page, shop }) => {
      const address = await widgetOn(page).read(en.address)
      await visit(page, '/terms')
      await visit(page, '/cart')
      await widgetOn(page).asksForMoney()
      expect(await widgetOn(page).read(en.address)).toBe(address)
      await asksOnce(page)
      expect(await shop.orders()).toHaveLength(1)
    })

    test('back and forth many times it leaves one widget, which asks once', async ({ page, shop }) => {
      for (let time = 0; time < 10; time += 1) {
        await visit(page, '/terms')
        await restore(page, '/cart')
      }
      await widgetOn(page).asksForMoney()
      await asksOnce(page)
      await visit(page, '/terms')
      expect(await pollsIn(page, '10:00')).toBe(0)
      expect(await shop.orders()).toHaveLength(1)
    })
  })
}

function visit(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => window.visit?.(to), path)
}

function restore(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => window.restore?.(to), path)
}

/** There is one widget, and a minute makes it ask once. */
async function asksOnce(page: Page): Promise<void> {
  await expect(page.locator('pay-window')).toHaveCount(1)
  await stopClock(page)
  expect(await pollsIn(page, '01:00')).toBe(1)
}

/** Number of polls while time is moved forward. Each timer that is due fires once. */
async function pollsIn(page: Page, time: string): Promise<number> {
  const asked = () => page.evaluate(() => ({ ...window.asked }))
  await expect.poll(asked).toMatchObject({ open: 0 })
  const { polls = 0 } = await asked()
  await page.clock.fastForward(time)
  return ((await asked()).polls ?? 0) - polls
}

/** Runs in the page: notes every text that a widget shows from now on. */
function noteTexts(): void {
  const { dataset } = document.documentElement
  dataset.seen = ''
  const look = () => {
    for (const { shadowRoot } of document.querySelectorAll('pay-window')) dataset.seen += shadowRoot?.textContent ?? ''
  }
  new MutationObserver(() => {
    look()
    for (const { shadowRoot } of document.querySelectorAll('pay-window'))
      if (shadowRoot)
        new MutationObserver(look).observe(shadowRoot, { childList: true, subtree: true, characterData: true })
  }).observe(document.documentElement, { childList: true, subtree: true })
}

/**
 * Runs in the page before anything else. Does what Turbo does: swaps the body for a fetched one,
 * runs its scripts again, and keeps a copy of the body that is left. The copy is shown on the way
 * back, and as a preview until the fetched body is there.
 */
function swapPages(): void {
  const copies = new Map<string, HTMLElement>()
  const leave = async () => {
    const { pathname } = location
    // Turbo copies in a later task, when the page has had time to prepare itself.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    copies.set(pathname, copyOf(document.body))
  }
  const show = (body: HTMLElement) => {
    document.adoptNode(body)
    for (const script of body.querySelectorAll('script')) {
      const again = document.createElement('script')
      for (const { name, value } of script.attributes) again.setAttribute(name, value)
      again.async = false
      script.replaceWith(again)
    }
    document.body.replaceWith(body)
  }
  const copyOf = (body: HTMLElement) => body.cloneNode(true) as HTMLElement

  window.copies = copies
  window.visit = async (path) => {
    await leave()
    history.pushState({}, '', path)
    const preview = copies.get(path)
    if (preview) show(copyOf(preview))
    const answer = await fetch(path)
    show(new DOMParser().parseFromString(await answer.text(), 'text/html').body)
  }
  window.restore = (path) => {
    const copy = copies.get(path)
    if (!copy) throw new Error(`no copy of ${path}`)
    history.replaceState({}, '', path)
    show(copyOf(copy))
  }
}

/** Runs in the page before anything else: counts its requests. */
function countPolls(): void {
  const { fetch } = window
  const asked = { open: 0, polls: 0 }
  window.asked = asked
  window.fetch = async (input, init) => {
    asked.open += 1
    if (String(input).includes('/paywindow/checkouts/')) asked.polls += 1
    try {
      return await fetch(input, init)
    } finally {
      asked.open -= 1
    }
  }
}
