/**
 * What payers do on the page of the merchant server without scripts, in whatever browser:
 * `pay-page.spec.ts` has Chromium, `without-scripts.spec.ts` Firefox and WebKitGTK.
 */
import { expect, type Page } from '@playwright/test'
import { ar } from '../src/locales/ar.ts'
import { de } from '../src/locales/de.ts'
import { en } from '../src/locales/en.ts'
import { readPicture } from './qr.ts'
import { core, type Shop } from './test.ts'

/** A browser without scripts, with a page. */
export interface Visitor {
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  forward(): Promise<void>
  /** Presses the first button or link with this text in it. */
  press(name: string): Promise<void>
  /** Types an amount, and sends it. */
  type(amount: string): Promise<void>
  /** What the widget shows. */
  text(): Promise<string>
  /** Amount, address and tag, as far as there are any. */
  values(): Promise<readonly string[]>
  hasCode(): Promise<boolean>
  /** A picture of the page, as PNG. */
  picture(): Promise<Buffer>
  /** Whether the page plays, or has played. Null where the browser has no codecs. */
  readonly isHeard: (() => Promise<boolean>) | null
  direction(): Promise<string>
  /** As a header. */
  cookies(): Promise<string>
}

interface Flow {
  readonly title: string
  /** Of the visitor. */
  readonly locale?: 'de-DE' | 'ar-EG'
  readonly tag?: typeof core.tag
  readonly go: (visitor: Visitor, shop: Shop) => Promise<void>
}

/**
 * A page of Playwright. @param click - With `force`, a press does not wait for animation frames,
 * which are scripts.
 */
export function visitorOn(page: Page, click: { readonly force?: boolean } = {}): Visitor {
  return {
    open: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    forward: async () => void (await page.goForward()),
    press: (name) => page.locator('.pw').locator('button, a').filter({ hasText: name }).first().click(click),
    type: async (amount) => {
      // Unlike `fill`, this waits for no animation frame.
      await page.locator('[name=typed]').last().focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(amount)
      await page.keyboard.press('Enter')
    },
    text: async () => (await page.locator('.pw').allInnerTexts()).join(),
    values: () => page.locator('.pw-number, .pw-exact').allTextContents(),
    hasCode: () => page.locator('.pw-qr-code').isVisible(),
    picture: () => page.screenshot(),
    isHeard: () => page.locator('audio').evaluate(isHeard),
    direction: async () => (await page.locator('html').getAttribute('dir')) ?? '',
    cookies: async () => (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}

/** Runs in the page. */
function isHeard(audio: SVGElement | HTMLElement): boolean {
  return audio instanceof HTMLAudioElement && audio.played.length > 0
}

/** Every one begins with another shop. */
export const flows: readonly Flow[] = [
  {
    title: 'a payer chooses, changes, sees what to send, is seen and paid',
    ...core,
    go: async (visitor, shop) => {
      await openPay(visitor, shop)
      await choose(visitor, 'XRP')
      const [, , tag] = await expectValues(visitor, 3)
      expect(tag).toMatch(/^\d+$/)
      expect(await visitor.hasCode()).toBe(true)
      await visitor.press(en.change)
      await choose(visitor, 'Bitcoin')
      const values = await expectValues(visitor, 2)
      await visitor.reload()
      expect(await expectValues(visitor, 2)).toEqual(values)
      expect(await shop.orders()).toHaveLength(2)
      await simulateAndSee(visitor, shop, 'exact')
      await expectText(visitor, en.seenTitle)
      await simulateAndSee(visitor, shop, 'confirm')
      await expectText(visitor, en.paidTitle)
      expect(await shop.orders()).toHaveLength(2)
    },
  },
  {
    title: 'the back button leads back, and creates nothing',
    go: async (visitor, shop) => {
      await openPay(visitor, shop)
      await choose(visitor, 'Bitcoin')
      const values = await expectValues(visitor, 2)
      await visitor.back()
      await visitor.forward()
      await visitor.reload()
      expect(await expectValues(visitor, 2)).toEqual(values)
      expect(await shop.orders()).toHaveLength(1)
    },
  },
  {
    title: 'a form that is sent twice creates nothing twice',
    go: async (visitor, shop) => {
      await openPay(visitor, shop)
      await choose(visitor, 'Bitcoin')
      const values = await expectValues(visitor, 2)
      await visitor.press(en.change)
      await choose(visitor, 'Bitcoin')
      expect(await expectValues(visitor, 2)).toEqual(values)
      expect(await shop.orders()).toHaveLength(1)
    },
  },
  {
    title: 'a quote ends, and its payer gets a new one',
    go: async (visitor, shop) => {
      await openPay(visitor, shop)
      await choose(visitor, 'Bitcoin')
      const before = await expectValues(visitor, 2)
      await shop.advance(21 * 60_000)
      await visitor.reload()
      await expectText(visitor, en.expiredTitle)
      expect(await visitor.values()).toEqual([])
      await visitor.press(en.newQuote)
      expect(await expectValues(visitor, 2)).not.toEqual(before)
      expect(await shop.orders()).toHaveLength(2)
    },
  },
  {
    title: 'too little is said in numbers',
    go: async (visitor, shop) => {
      await openPay(visitor, shop)
      await choose(visitor, 'Bitcoin')
      await expectValues(visitor, 2)
      await simulateAndSee(visitor, shop, 'less')
      await expectText(visitor, en.shortTitle)
      await expectText(visitor, en.missing)
    },
  },
  {
    title: 'whoever is not the visitor of the order sees nothing of it',
    go: async (visitor, shop) => {
      const owner = await newOrder(shop, true)
      await visitor.open(owner.page)
      await expectText(visitor, en.refusedTitle)
      expect(await visitor.values()).toEqual([])
    },
  },
  {
    title: 'a link is paid without a session, opens no other cart, and ends',
    go: async (visitor, shop) => {
      const [other, owner] = [await newOrder(shop, true), await newOrder(shop, false)]
      const link = await linkTo(owner, shop)
      await visitor.open(link)
      await choose(visitor, 'Bitcoin')
      const values = await expectValues(visitor, 2)
      await visitor.open(other.page)
      await expectText(visitor, en.refusedTitle)
      await visitor.open(link)
      expect(await expectValues(visitor, 2)).toEqual(values)
      expect(await shop.orders()).toHaveLength(2)
      await shop.advance(8 * 24 * 3_600_000)
      await visitor.reload()
      await expectText(visitor, en.expiredTitle)
      expect(await visitor.values()).toEqual([])
      await visitor.press(en.newQuote)
      await expectText(visitor, en.refusedTitle)
      expect(await shop.orders()).toHaveLength(2)
    },
  },
  {
    title: 'a till shows a code, and says when it is paid, with a sound',
    ...core,
    go: async (visitor, shop) => {
      await visitor.open(`${shop.url}/order`)
      const headers = { cookie: await visitor.cookies(), origin: shop.url }
      const opened = await fetch(`${shop.url}/till`, { method: 'POST', headers, redirect: 'manual' })
      await visitor.open(opened.headers.get('location') ?? '')
      await visitor.type('1,000')
      await expectText(visitor, 'From €0.50 to €500.00')
      await visitor.type('19,90')
      await expectText(visitor, '€19.90')
      await chooseOnPhone(await untilPasses(async () => readPicture(await visitor.picture())), shop)
      await expectText(visitor, en.footWaiting)
      await simulate(visitor, shop, 'exact')
      await shop.advance(15_000)
      await expectText(visitor, en.stepSeen)
      await simulate(visitor, shop, 'confirm')
      await shop.advance(15_000)
      await expectText(visitor, en.stepPaid)
      expect(await visitor.hasCode()).toBe(false)
      if (visitor.isHeard) await expect.poll(visitor.isHeard).toBe(true)
      await visitor.press('Next payment')
      await expectText(visitor, en.amount)
    },
  },
  ...(
    [
      ['de-DE', de, 'ltr'],
      ['ar-EG', ar, 'rtl'],
    ] as const
  ).map(
    ([locale, texts, direction]): Flow => ({
      title: `the page speaks ${locale}`,
      locale,
      go: async (visitor, shop) => {
        await openPay(visitor, shop)
        await expectText(visitor, texts.chooseTitle)
        expect(await visitor.direction()).toBe(direction)
        await visitor.press('Bitcoin')
        await expectText(visitor, texts.sendExactly)
        await expectValues(visitor, 2)
      },
    }),
  ),
]

/** Opens the page for the order of a new visit. */
export async function openPay(visitor: Visitor, shop: Shop): Promise<void> {
  await visitor.open(`${shop.url}/order`)
  await visitor.open(await payPageOf(await visitor.cookies(), shop))
}

/** Presses a coin. */
async function choose(visitor: Visitor, method: string): Promise<void> {
  await expectText(visitor, en.chooseTitle)
  await visitor.press(method)
}

async function expectValues(visitor: Visitor, count: number): Promise<readonly string[]> {
  await expect.poll(() => visitor.values()).toHaveLength(count)
  return visitor.values()
}

/** Waits for a text. */
async function expectText(visitor: Visitor, text: string): Promise<void> {
  await untilPasses(async () => expect(await visitor.text()).toContain(text))
}

/**
 * A page that is loaded anew by itself may go while it is looked at. It is after fifteen seconds, and
 * the list may show a deposit before the details say that it is too small.
 */
async function untilPasses<Value>(look: () => Promise<Value>): Promise<Value> {
  let seen: Value | undefined
  await expect(async () => {
    seen = await look()
  }).toPass({ timeout: 25_000 })
  return seen as Value
}

/** Lets the sandbox do what its payer does. */
export async function simulate(visitor: Visitor, shop: Shop, what: string): Promise<void> {
  const headers = { origin: shop.url, cookie: await visitor.cookies() }
  const answer = await fetch(`${shop.url}/simulate/${what}`, { method: 'POST', headers })
  expect(answer.status, await answer.text()).toBe(200)
}

/** The same, with the page that follows. */
export async function simulateAndSee(visitor: Visitor, shop: Shop, what: string): Promise<void> {
  await simulate(visitor, shop, what)
  await shop.advance(15_000)
  await visitor.reload()
}

/** An order of somebody who visits the shop elsewhere. */
interface Order {
  readonly cookie: string
  /** Address of the page to pay it. */
  readonly page: string
}

/** @param isChosen - Whether its coin is chosen, too. */
async function newOrder(shop: Shop, isChosen: boolean): Promise<Order> {
  const cookie = (await fetch(`${shop.url}/order`)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const page = await payPageOf(cookie, shop)
  if (isChosen) {
    const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
    await fetch(page, { method: 'POST', body, headers: { cookie, origin: shop.url } })
    expect(await shop.orders()).toHaveLength(1)
  }
  return { cookie, page }
}

/** Of the order of a visit, which the shop's own page names. */
async function payPageOf(cookie: string, shop: Shop): Promise<string> {
  const [, reference = ''] =
    /reference="([^"]+)"/.exec(await (await fetch(shop.url, { headers: { cookie } })).text()) ?? []
  expect(reference).not.toBe('')
  return `${shop.url}/paywindow/pay?reference=${encodeURIComponent(reference)}`
}

/** Opens a link as a payer's phone does, and chooses Bitcoin. */
async function chooseOnPhone(link: string, shop: Shop): Promise<void> {
  // The shop does not know the port of this test.
  const { pathname, search } = new URL(link)
  const url = `${shop.url}${pathname}${search}`
  const cookie = (await fetch(url)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
  await fetch(url, { method: 'POST', body, headers: { cookie, origin: shop.url } })
  expect(await shop.orders()).toHaveLength(1)
}

async function linkTo({ cookie }: Order, shop: Shop): Promise<string> {
  const headers = { cookie, origin: shop.url }
  const sent = await (await fetch(`${shop.url}/link`, { method: 'POST', headers })).text()
  const [, path] = /<a href="([^"]+\?link=[^"]+)"/.exec(sent) ?? []
  expect(path).toBeDefined()
  return new URL(path ?? '', shop.url).href
}
