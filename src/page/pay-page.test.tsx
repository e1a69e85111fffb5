import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { en } from '../locales/en.ts'
import type { PageOptions } from '../server/options.ts'
import { createTestShop, type TestShop, type TestShopOptions } from '../server/shop.testing.ts'
import { browserAt, createPageShop, linked, own, pageOf } from './shop.testing.ts'

const address = 'https://shop.example/paywindow/pay?reference=cart-42'

/** A link on a page of another site. */
const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

let shop: TestShop

function openShop(options: TestShopOptions = { page: {} }): void {
  shop = createPageShop(options)
}
// Loaded here, because no timer of the shop brings it.
beforeAll(() => import('./index.ts'))
beforeEach(() => openShop())

async function get(url = address, headers: Record<string, string> = {}) {
  const answer = await shop.run(shop.paywindow.fetch(new Request(url, { headers })))
  const text = await answer.text()
  return { answer, text, page: pageOf(text) }
}

function press(act: string, fields: Record<string, string> = {}, headers: Record<string, string> = own) {
  const body = new URLSearchParams({ act, ...fields })
  const request = new Request(address, { method: 'POST', body, headers, redirect: 'manual' })
  return shop.run(shop.paywindow.fetch(request))
}

describe('without scripts', () => {
  it('a payer chooses a coin, and sees what to send', async () => {
    const { page } = await get()
    expect(page.heading).toBe(en.chooseTitle)
    expect(page.buttons).toEqual(['choose BTC bitcoin', 'choose XRP ripple'])
    expect(page.refresh).toBe('')
    expect(shop.creations()).toBe(0)

    const answer = await press('choose BTC bitcoin')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '?reference=cart-42'])
    const { page: panel, answer: shown } = await get()
    expect(panel.address).toMatch(/^\S{20,}$/)
    expect(panel.refresh).toBe('15')
    // Its address opens nothing without a session, so nobody sends it.
    expect(panel.preview).toEqual([])
    expect(panel.title).toBe('Lantern Books · $49.90')
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
  })

  it('a browser that knows no templates of shadow roots shows it all the same, its logo included', async () => {
    openShop({ page: { logo: '/logo.svg' } })
    await press('choose BTC bitcoin')
    const { text } = await get()
    expect(text).not.toContain('<template')
    expect(text).not.toContain('<slot')
    expect(text).toMatch(/<header class="pw-head"[^>]*><img slot="logo" src="\/logo.svg"/)
    expect(text).toMatch(/<bdi class="pw-exact"/)
  })

  it('a form says that it is from here, also where a proxy sends no-referrer', async () => {
    expect((await get()).text).toMatch(/<head>.*<meta name="referrer" content="same-origin">/s)
  })

  it('no iPhone takes a tag for the number of a telephone', async () => {
    expect((await get()).text).toMatch(/<head>.*<meta name="format-detection" content="telephone=no">/s)
  })

  it('a form that is sent twice creates nothing twice', async () => {
    await press('choose BTC bitcoin')
    await press('choose BTC bitcoin')
    expect(shop.creations()).toBe(1)
  })

  it('a payer changes the coin', async () => {
    await press('choose BTC bitcoin')
    const answer = await press('change')
    expect(answer.headers.get('location')).toBe('?reference=cart-42&choose=')
    const { page } = await get(`${address}&choose=`)
    expect(page.heading).toBe(en.chooseTitle)
  })

  it('a quote ends, and its payer gets a new one, once', async () => {
    await press('choose BTC bitcoin')
    const { page: before } = await get()
    await shop.pass(21 * 60_000)
    const { page } = await get()
    expect(page.heading).toBe(en.expiredTitle)
    expect(page.buttons).toEqual(['look', 'renew'])
    for (const _ of [1, 2]) await press('renew', { id: page.id })
    expect(shop.creations()).toBe(2)
    const { page: after } = await get()
    expect(after.heading).toContain(en.sendExactly)
    expect(after.id).not.toBe(before.id)
  })

  it('a deposit is seen without a poll, and paid', async () => {
    await press('choose BTC bitcoin')
    const { page } = await get()
    shop.sandbox.payer.deposit({ address: page.address, amount: page.amount })
    for (const _ of [1, 2, 3]) {
      await shop.pass(15_000)
      await get()
    }
    const { page: seen, text } = await get()
    expect(seen.heading).toBe(en.seenTitle)
    // What opens without a script has something in it.
    expect(text).toContain(en.ifShort)
  })

  it('speaks the language of the payer, in its direction', async () => {
    const { page } = await get(address, { 'accept-language': 'ar' })
    expect(page.language).toBe('ar" dir="rtl"')
  })
})

describe('what is wrong is said on the page', () => {
  it.each([
    ['an order that the shop does not offer', address, () => null, 404, en.refusedTitle],
    ['no cart', 'https://shop.example/paywindow/pay', undefined, 400, en.refusedTitle],
  ])('%s', async (_, url, offer, status, title) => {
    if (offer) shop.offer = offer()
    const { answer, page } = await get(url)
    expect(answer.status).toBe(status)
    expect(page.heading).toBe(title)
    expect(page.buttons).toEqual(['look'])
  })

  it.each(['', 'choose', 'choose %', 'choose BTC', 'choose GOLD bitcoin', 'steal'])(
    'a form that asks %j',
    async (act) => {
      const answer = await press(act)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(shop.creations()).toBe(0)
    },
  )

  it('a checkout of another cart is not renewed', async () => {
    const { id } = await shop.open({ reference: 'cart-7', asset: 'BTC', network: 'bitcoin' })
    await shop.pass(21 * 60_000)
    const answer = await press('renew', { id })
    expect(answer.status).toBe(404)
    expect(shop.creations()).toBe(1)
  })
})

describe('pages of other sites', () => {
  it.each([
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'https://evil.example' }],
  ])('that send its form with %j are refused', async (headers) => {
    const answer = await press('choose BTC bitcoin', {}, headers as Record<string, string>)
    expect(answer.status).toBe(403)
    expect(shop.creations()).toBe(0)
  })

  it('may link to it, and cannot frame it', async () => {
    const { answer } = await get(address, followed)
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'none'")
  })

  it.each([
    [{ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [{ 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    [{ 'sec-fetch-dest': 'iframe' }],
    [{ 'sec-purpose': 'prefetch' }],
  ])('learn nothing by embedding it with %j', async (headers) => {
    const admits = vi.fn(() => true)
    openShop({ admits })
    const { answer } = await get(address, { ...followed, ...(headers as Record<string, string>) })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(admits).not.toHaveBeenCalled()
  })

  it('a body that is no form is refused', async () => {
    const request = new Request(address, {
      method: 'POST',
      body: '{}',
      headers: { ...own, 'content-type': 'application/json' },
    })
    expect((await shop.paywindow.fetch(request)).status).toBe(415)
  })
})

describe('a payment link', () => {
  const make = (reference = 'cart-42') => shop.paywindow.link({ reference, validForMs: 3_600_000 })

  beforeEach(() => openShop(linked))

  it('is paid by who has it, without a session, in as many visits as it takes', async () => {
    const { url, code } = await make()
    expect(code).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /)
    const visit = browserAt(shop, url)
    expect((await visit()).page.heading).toBe(en.chooseTitle)
    expect((await visit('choose BTC bitcoin')).answer.headers.get('location')).toBe(new URL(url).search)
    const { page, cookie } = await visit()
    expect(page.address).toMatch(/^\S{20,}$/)
    // The widget on that page asks with the same cookie.
    const { json } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' }, headers: { cookie } })
    expect(json).toMatchObject({ address: page.address })
    expect(shop.creations()).toBe(1)
  })

  it('shows nothing that can be paid to who only looks, and creates nothing, however often', async () => {
    const { url } = await make()
    const payer = browserAt(shop, url)
    await payer()
    await payer('choose BTC bitcoin')
    const { page: panel } = await payer()
    for (let at = 0; at < 50; at += 1) {
      const { text, page, answer } = await get(url, followed)
      expect(page.title).toBe('Lantern Books · $49.90')
      expect(text).not.toContain(panel.address)
      expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    }
    expect(shop.creations()).toBe(1)
  })

  it('has the same preview for whoever opens it: who is paid how much, in their language', async () => {
    const preview = ['og:type=website', 'og:title=Lantern Books', 'og:description=$49.90']
    const { url } = await make()
    const visit = browserAt(shop, url)
    expect((await visit()).page.preview).toEqual(preview)
    await visit('choose BTC bitcoin')
    const { page, answer } = await visit()
    expect(page.address).toMatch(/^\S{20,}$/)
    expect(page.preview).toEqual(preview)
    expect((await get(url, { ...followed, 'user-agent': 'TelegramBot (like TwitterBot)' })).page.preview).toEqual(
      preview,
    )
    expect((await get(url, { ...followed, 'accept-language': 'de' })).page.preview).toContain(
      'og:description=49,90\u00a0$',
    )
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  })

  it('has a preview whose words are text', async () => {
    openShop(linked)
    shop.sells({ merchant: { name: '"><script>alert(1)</script>' } })
    const { text } = await get((await make()).url, followed)
    expect(text).toContain('<meta property="og:title" content="&quot;>&lt;script>alert(1)&lt;/script>">')
    expect(text).not.toContain('<script>alert')
  })

  it.each([').', '%29.', '%3E', '&gt;', '%0A%0AThanks', '#'])(
    'is opened by an address that ends with %s',
    async (glued) => {
      const { url } = await make()
      const broken = url.replace(/(?<=link=.{60})/, '=%0D%0A%3E%20') + glued
      const visit = browserAt(shop, broken)
      expect((await visit()).page.heading).toBe(en.chooseTitle)
      expect((await visit('choose BTC bitcoin')).answer.headers.get('location')).toBe(new URL(url).search)
      expect((await visit()).page.address).toMatch(/^\S{20,}$/)
    },
  )

  it.each<[string, () => Promise<unknown>]>([
    ['has ended', () => shop.pass(3_600_000)],
    ['was revoked', () => shop.run(shop.paywindow.revokeLinks('cart-42'))],
  ])('that %s says so, and does nothing', async (_, end) => {
    const { url } = await make()
    const visit = browserAt(shop, url)
    await visit()
    await end()
    const { answer, page } = await visit()
    expect([answer.status, page.heading]).toEqual([404, en.viewEndedTitle])
    expect([page.title, page.preview]).toEqual([en.widgetName, []])
    expect((await visit('choose BTC bitcoin')).answer.status).toBe(404)
    expect(shop.creations()).toBe(0)
  })

  it('opens no other cart', async () => {
    const visit = browserAt(shop, (await make('cart-7')).url)
    const { cookie } = await visit()
    const { status } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' }, headers: { cookie } })
    expect(status).toBe(404)
    expect((await get(address, { cookie })).answer.status).toBe(404)
  })

  it('does nothing where offer does not admit it', async () => {
    openShop({ ...linked, admits: () => false })
    const { page, answer } = await browserAt(shop, (await make()).url)()
    expect([answer.status, page.heading]).toEqual([404, en.refusedTitle])
  })
})

it.each<[PageOptions, string | undefined]>([
  [{ url: 'https://shop.example/paywindow/pay', script: '/paywindow.js' }, 'https://shop.example/paywindow/pay'],
  [{ url: 'https://shop.example/paywindow/pay' }, undefined],
  [{ script: '/paywindow.js' }, undefined],
])('with %j is the page for other devices of every widget: %s', async (page, url) => {
  openShop({ page })
  expect((await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })).handoverUrl).toBe(url)
})

it('has the script, the logo and the colour of the shop, and a policy for them', async () => {
  const page = { script: 'https://cdn.example/paywindow.js', logo: '/logo.svg', accent: '#0a7', theme: 'dark' } as const
  openShop({ page })
  const { answer, text } = await get()
  expect(text).toContain('<script src="https://cdn.example/paywindow.js" defer></script>')
  expect(text).toContain('<link rel="modulepreload" href="https://cdn.example/paywindow-later.js">')
  expect(text).toContain('<img slot="logo" src="/logo.svg"')
  expect(text).toContain('--pw-accent:#0a7')
  // Around the panel, too.
  expect(text).toContain('<meta name="color-scheme" content="dark">')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self' https://cdn.example;")
  expect(text).not.toContain('undefined')
})

it.each([
  [{ accent: 'red;}</style>' }],
  [{ script: 'http://[' }],
  [{ theme: 'pink' }],
  [{ frameAncestors: "'none'; script-src *" }],
  [{ colour: 'red' }],
])('refuses %j', (page) => {
  expect(() => createTestShop({ page: page as PageOptions })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})
