import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ar } from '../locales/ar.ts'
import { en } from '../locales/en.ts'
import type { AskedAmount } from '../server/http/asked-amount.ts'
import type { TestShop } from '../server/shop.testing.ts'
import { createPageShop, linked, own, pageOf } from './shop.testing.ts'
import { wordsFor } from './words.ts'

const asks: AskedAmount = {
  by: 'payer',
  title: 'Lanterns for all',
  asset: 'USD',
  min: '1',
  max: '500',
  suggested: ['5', '20'],
}
const words = wordsFor('en')

let shop: TestShop
let asked: (string | undefined)[]

// Loaded here, because no timer of the shop brings it.
beforeAll(() => import('./index.ts'))
beforeEach(() => {
  asked = []
  shop = createPageShop({
    ...linked,
    admits: ({ link }) => {
      asked.push(link?.from)
      if (!link?.price) return false
      shop.sells({ price: link.price })
      return true
    },
  })
})

const make = async (more: Partial<AskedAmount> = {}, reference = 'gifts') =>
  (await shop.paywindow.link({ reference, validForMs: 7 * 86_400_000, asks: { ...asks, ...more } })).url

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await shop.run(shop.paywindow.fetch(new Request(url, { headers })))
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** Sends the form, and says where its browser goes then, with the cookies that it got. */
async function type(url: string, typed: string, headers: Record<string, string> = own) {
  const body = new URLSearchParams({ typed })
  const request = new Request(url, { method: 'POST', body, headers, redirect: 'manual' })
  const answer = await shop.run(shop.paywindow.fetch(request))
  const location = answer.headers.get('location')
  return {
    status: answer.status,
    url: location === null ? '' : new URL(location, url).href,
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  }
}

/** Chooses a coin on the page of a link, and gives what its page shows then. */
async function choose(url: string, cookie: string) {
  const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
  const request = new Request(url, { method: 'POST', body, headers: { ...own, cookie }, redirect: 'manual' })
  await shop.run(shop.paywindow.fetch(request))
  const { text } = await get(url, { cookie })
  return { text, ...pageOf(text) }
}

describe('a donation', () => {
  it('has the amount that its payer types, in a cart of its own', async () => {
    const url = await make()
    const { text } = await get(url)
    expect(text).toContain('<h1 class="pw-title">Lanterns for all</h1>')
    expect(text).toContain('From $1.00 to $500.00')
    expect(text).toContain('<meta property="og:title" content="Lanterns for all">')
    expect(text).toContain('<meta property="og:description" content="From $1.00 to $500.00">')
    expect(asked).toEqual([])
    const [one, two] = [await type(url, '12,50'), await type(url, '12,50')]
    expect(one.status).toBe(303)
    const panel = await choose(one.url, one.cookie)
    expect(panel.address).toMatch(/^\S{20,}$/)
    expect((await choose(two.url, two.cookie)).address).not.toBe(panel.address)
    expect(new Set(asked)).toEqual(new Set(['gifts']))
    const checkouts = await shop.paywindow.checkouts.list()
    expect(checkouts.map(({ reference, price }) => [reference, price])).toEqual([
      [expect.stringMatching(/^gifts\.[\w-]{12}$/), { asset: 'USD', amount: '12.5' }],
      [expect.stringMatching(/^gifts\.[\w-]{12}$/), { asset: 'USD', amount: '12.5' }],
    ])
  })

  it('creates nothing until a coin is chosen', async () => {
    const url = await make()
    for (let at = 0; at < 20; at += 1) await get((await type(url, '20')).url)
    expect(shop.creations()).toBe(0)
  })

  it.each([
    ...['0', '0.99', '500.01', '-5', '5e1', '1,000', '1.000', '12.345', '12 50', '', 'ten', '1'.repeat(400)],
    ...['NaN', 'Infinity', '0x10', '+5', '−5', '1_0', '4⁹⁹', '5²', '①②', '½', '1,000', '１．０００'],
  ])('of %j is asked for again, and created is nothing', async (typed) => {
    const url = await make()
    const again = await type(url, typed)
    const { text } = await get(again.url)
    expect(text).toContain('role="alert"')
    expect(text).toContain('From $1.00 to $500.00')
    expect(again.cookie).toBe('')
  })

  it('is never another amount than the digits typed', async () => {
    const url = await make()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 50_000 }),
        fc.constantFrom('.', ',', '٫', '．', '，'),
        fc.constantFrom(0x30, 0x660, 0x6f0, 0xff10),
        async (cents, sign, zero) => {
          const plain = `${Math.floor(cents / 100)}${sign}${String(cents % 100).padStart(2, '0')}`
          const typed = plain.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))
          const { url: payUrl } = await type(url, typed)
          const token = new URL(payUrl).searchParams.get('link')?.split('.')[0] ?? ''
          const { amount } = JSON.parse(Buffer.from(token, 'base64url').toString())
          expect(Math.round(Number(amount) * 100)).toBe(cents)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('reflects what was typed as text', async () => {
    const { url } = await type(await make(), '"><script>')
    expect((await get(url)).text).not.toContain('<script>')
  })

  it('reflects no text of another site that is longer than what can be typed', async () => {
    const { text } = await get(`${await make()}&refused=Send+everything+to+bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq`)
    expect(text).toContain('value="Send everything to bc1qar0srrr"')
  })

  it('is asked for in the language of its payer', async () => {
    const { text } = await get(await make(), { 'accept-language': 'ar' })
    expect(text).toContain('dir="rtl"')
    expect(text).toContain(ar.amount)
    expect(text).toContain(wordsFor('ar').go)
  })

  it('leaves a browser that has given often the cookies that a server takes', async () => {
    const url = await make()
    const jar = new Map<string, string>()
    for (let at = 0; at < 30; at += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      expect(cookie.length).toBeLessThan(5_000)
      const { headers } = await get((await type(url, '5')).url, { cookie })
      for (const each of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
    }
    expect(jar.size).toBeGreaterThan(10)
  })

  it('is not taken from a form of another site', async () => {
    expect((await type(await make(), '5', { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('is not paid by the link that asks for it', async () => {
    const { searchParams } = new URL(await make())
    const headers = { cookie: `paywindow-link-abcdefghijkl=${searchParams.get('link')}` }
    const { status } = await shop.send('POST', '/checkouts', { body: { reference: 'gifts' }, headers })
    expect(status).toBe(404)
    expect(asked).toEqual([undefined])
  })

  it('asks no more once its link has ended or was revoked; what was typed goes on', async () => {
    const url = await make()
    const typed = await type(url, '5')
    await shop.run(shop.paywindow.revokeLinks('gifts'))
    expect((await get(url)).status).toBe(404)
    expect((await type(url, '5')).status).toBe(404)
    expect((await choose(typed.url, typed.cookie)).address).toMatch(/^\S{20,}$/)
  })
})

/** The page, loaded anew by itself for a minute. */
async function watch(url: string) {
  for (let at = 0; at < 20; at += 1) {
    await get(url)
    await shop.pass(3_000)
  }
  return get(url)
}

describe('a till', () => {
  it('shows its cashier a code, and that it is paid, with a sound', async () => {
    const till = await make({ by: 'cashier' }, 'till-1')
    expect((await get(till)).text).not.toContain('og:')
    const { url, cookie } = await type(till, '19.90')
    expect(cookie).toBe('')
    const waiting = await get(url)
    expect(waiting.text).toContain(words.scan)
    expect(waiting.text).toContain('$19.90')
    expect(waiting.text).toContain('http-equiv="refresh" content="3"')
    expect(waiting.text).not.toContain('<audio')

    const payUrl = new URL(url)
    payUrl.searchParams.delete('till')
    const phone = (await get(payUrl.href)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { address, amount } = await choose(payUrl.href, phone)
    expect((await get(url)).text).not.toContain(address)
    shop.sandbox.payer.deposit({ address, amount })
    const seen = await watch(url)
    expect(seen.text).toContain(`<title>${en.stepSeen} · $19.90</title>`)
    // The next payment is for later.
    expect(seen.text).toContain('data-look="quiet"')
    expect(seen.text).not.toContain('body{background:#15803d}')
    shop.sandbox.payer.confirm(shop.sandbox.orders()[0]?.id ?? '')
    const paid = await watch(url)
    expect(paid.text).toContain(`<title>${en.stepPaid} · $19.90</title>`)
    expect(paid.text).toContain('body{background:#15803d}')
    expect(paid.text).not.toContain('data-look="quiet"')
    expect(paid.text).toContain('<audio autoplay src="data:audio/wav;base64,')
    expect(paid.text).not.toContain('http-equiv="refresh"')
    expect(paid.headers.get('content-security-policy')).toContain('media-src data:')
    expect(paid.text).toContain(`href="${new URL(till).search}"`)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['has ended', () => shop.pass(60_000)],
    ['was revoked', () => shop.run(shop.paywindow.revokeLinks('till-1'))],
  ])('that %s shows what came of its last sale, and begins no other', async (_, end) => {
    const cashier = { ...asks, by: 'cashier' } as const
    const { url: till } = await shop.paywindow.link({ reference: 'till-1', validForMs: 60_000, asks: cashier })
    const { url } = await type(till, '19.90')
    const payUrl = new URL(url)
    payUrl.searchParams.delete('till')
    const phone = (await get(payUrl.href)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await choose(payUrl.href, phone)
    await end()
    const { status, text } = await get(url)
    expect([status, text.includes('$19.90')]).toEqual([200, true])
    expect((await type(till, '5')).status).toBe(404)
  })

  it('shows no payment of another till, and none to who has only the payer’s link', async () => {
    const [till, other] = [await make({ by: 'cashier' }, 'till-1'), await make({ by: 'cashier' }, 'till-2')]
    const sale = new URL((await type(till, '5')).url)
    sale.searchParams.set('till', new URL(other).searchParams.get('link') ?? '')
    expect((await get(sale.href)).status).toBe(404)
    sale.searchParams.set('till', sale.searchParams.get('link') ?? '')
    expect((await get(sale.href)).status).toBe(404)
    const gift = await make()
    const typed = new URL((await type(gift, '5')).url)
    typed.searchParams.set('till', new URL(gift).searchParams.get('link') ?? '')
    expect((await get(typed.href)).status).toBe(404)
  })
})

describe('paywindow.link refuses', () => {
  it.each<[string, Partial<AskedAmount> & Record<string, unknown>]>([
    ['nobody who types', { by: 'robot' as 'payer' }],
    ['a least amount above the most', { min: '501' }],
    ['an amount that is none', { max: 'much' }],
    ['an amount to press that is out of bounds', { suggested: ['1000'] }],
    ['digits that the currency does not have', { asset: 'JPY', min: '1.5' }],
    ['no title', { title: '' }],
  ])('%s', async (_, more) => {
    await expect(make(more)).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it.each([
    { price: { asset: 'USD', amount: '5' }, asks },
    { asks, reference: 'x'.repeat(190) },
    { price: { asset: 'USD', amount: '0' } },
    { asking: asks },
  ])('%j', async (given) => {
    await expect(shop.paywindow.link({ reference: 'gifts', validForMs: 3_600_000, ...given })).rejects.toMatchObject({
      code: 'invalid_options',
    })
  })
})
