import { describe, expect, it, vi } from 'vitest'
import { checkoutFixture, offerFixture, xrpFixture } from '../checkout/fixture.ts'
import type { Checkout, Initial } from '../contract/checkout.ts'
import { languages } from '../locales/languages.ts'
import { textsOf } from '../locales/texts-of.ts'
import { createRealShop } from '../server/shop.testing.ts'
import { type Drawing, drawElement } from './element.tsx'
import { localeOf } from './language.ts'

function draw(shown: Pick<Initial, 'checkout' | 'offer'>, options: Partial<Drawing> = {}): string {
  const initial = { v: 1, writtenAtMs: 1_795_255_200_000, isHeld: false, ...shown } as const
  return drawElement({ endpoint: '/paywindow', reference: 'cart-42', languages: '', initial, ...options })
}

describe('on a server without a document', () => {
  it.each(languages)('draws the panel in %s', (locale) => {
    const html = draw({ checkout: checkoutFixture(xrpFixture) }, { locale })
    const { sendExactly, expiredTitle } = textsOf(locale)
    for (const part of [`locale="${locale}"`, sendExactly, expiredTitle, xrpFixture.tag, 'class="pw-qr-code"'])
      expect(html).toContain(part)
  })

  it.each<[string, Pick<Initial, 'checkout' | 'offer'>]>([
    ['a choice', { offer: offerFixture }],
    ['a quote that is over', { checkout: checkoutFixture({ expiresInMs: 0 }) }],
    ['a deposit', { checkout: checkoutFixture({ phase: 'seen', status: 'pending', cart: 'seen' }) }],
    ['a paid cart', { checkout: checkoutFixture({ phase: 'paid', status: 'confirmed', cart: 'paid' }) }],
    ['an end', { checkout: checkoutFixture({ phase: 'ended', status: 'canceled' }) }],
    ['a deposit elsewhere', { checkout: checkoutFixture({ cart: 'paid' }) }],
    ['a viewer', { checkout: checkoutFixture({ viewOnly: true }) }],
  ])('draws %s, with every option', (name, shown) => {
    const html = draw(shown, { handoverUrl: '/pay', supportUrl: '/help', notify: true, keepTitle: true, theme: 'dark' })
    expect(html).toMatch(/^<pay-window endpoint="\/paywindow" reference="cart-42" locale="en" theme="dark" /)
    expect(html).toContain('<h2 class="pw-title"')
    // At the end of a quote, the address goes; every other screen stays.
    expect(html.includes('animation:pw-hide')).toBe(name === 'a viewer')
    expect(html).not.toContain('undefined')
  })

  it.each([
    [1, false],
    [600, true],
  ])('counts by the clock of its answer, whatever the machine says: %d minutes after a deposit', (minutes, isLong) => {
    const seen = { status: 'pending', phase: 'seen', at: '2020-01-01T00:00:00.000Z' } as const
    const writtenAtMs = Date.parse(seen.at) + minutes * 60_000
    const expiresAt = new Date(writtenAtMs + checkoutFixture().expiresInMs).toISOString()
    const checkout = checkoutFixture({ ...seen, expiresAt, cart: 'seen', history: [seen] })
    const html = draw({}, { initial: { v: 1, writtenAtMs, isHeld: false, checkout } })
    expect(html).toContain('<bdi>0 sec. ago</bdi>')
    expect(html.includes('<details class="pw-details " open')).toBe(isLong)
  })

  it.each([false, true])('writes for paper when a quote ends, in UTC, and the code; held in the hand: %s', (isHeld) => {
    const writtenAtMs = 1_795_255_200_000
    const { expiresInMs } = checkoutFixture()
    const checkout = checkoutFixture({ expiresAt: new Date(writtenAtMs + expiresInMs).toISOString() })
    const html = drawElement({
      ...{ endpoint: '/paywindow', reference: 'cart-42', languages: '' },
      initial: { v: 1, writtenAtMs, isHeld, checkout },
    })
    const [, end] = /<div class="pw-print">.*<p>(.*?)<\/p><\/div>/s.exec(html) ?? []
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }).format(
      writtenAtMs + expiresInMs,
    )
    expect(end).toBe(`Must arrive before ${time}\nPayment: ${checkout.id}`)
    expect(html.match(/class="pw-qr-code"/g)).toHaveLength(1)
  })

  it.each<[string, Partial<Checkout>]>([
    ['paid', { phase: 'paid', status: 'confirmed', cart: 'paid' }],
    ['seen', { phase: 'seen', status: 'pending', cart: 'seen', arrival: { kind: 'short' } }],
  ])('writes the times of a payment that is %s in UTC, wherever the server is', (phase, changes) => {
    const history = [{ status: 'pending', phase, at: '2026-11-21T20:43:00.000Z' }] as Checkout['history']
    const formats = vi.spyOn(Intl, 'DateTimeFormat')
    const html = draw({ checkout: checkoutFixture({ ...changes, history }) })
    const zones = formats.mock.calls.map(([, options]) => options?.timeZone)
    formats.mockRestore()
    expect(html).toMatch(/8:43:00.PM UTC</)
    expect(zones).toContain('UTC')
    expect(new Set(zones).size).toBe(1)
  })

  it('has the words for the end of a quote shown by its own styles alone, which a script takes out', () => {
    const html = draw({ checkout: checkoutFixture() })
    expect(html).toContain('<p class="pw-over" hidden ')
    expect(html).toContain('.pw-over{display:block;visibility:hidden;')
    expect(draw({ checkout: checkoutFixture({ expiresInMs: 0 }) })).not.toContain('.pw-over{')
  })

  it('draws nothing of what it does not have', () => {
    expect(draw({}, { initial: undefined })).toBe(
      '<pay-window endpoint="/paywindow" reference="cart-42" locale="en"></pay-window>',
    )
  })

  it('escapes what the shop says, in text, attributes and data', () => {
    const hostile = '</script></template><img src=x onerror=alert(1)>"\''
    const html = draw(
      { checkout: checkoutFixture({ description: hostile, merchant: { name: hostile } }) },
      { supportUrl: hostile, nonce: hostile, locale: `en${hostile}` },
    )
    expect(html).not.toContain('<img src=x')
    expect(html.match(/<\/template>/g)).toHaveLength(1)
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(html).not.toContain('="</script>')
  })

  it('takes copied values out of a translation, and says nothing to React', () => {
    const html = draw({ checkout: checkoutFixture() })
    expect(html).toMatch(/class="pw-exact" translate="no"/)
    expect(html).not.toContain('suppressHydration')
  })

  it('gives each of its styles the nonce', () => {
    const html = draw({ checkout: checkoutFixture() }, { nonce: 'abc' })
    expect(html.match(/<style/g)).toHaveLength(2)
    expect(html.match(/<style nonce="abc">/g)).toHaveLength(2)
  })
})

it.each([
  ['', 'en'],
  ['de-CH, en;q=0.5', 'de-CH'],
  ['en;q=0.5, pt-BR;q=0.9', 'pt-BR'],
  ['sv, ar-EG;q=0.8', 'ar-EG'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['*, "><script>', 'en'],
])('a visitor who reads %s gets %s', (accepted, locale) => {
  expect(localeOf(accepted)).toBe(locale)
})

describe('html', () => {
  it('has the panel of the cart, in the language of the visitor, and no key', async () => {
    const shop = createRealShop()
    const { address, key } = await shop.open()
    const request = new Request('https://shop.example/checkout', { headers: { 'accept-language': 'de' } })
    const html = await shop.paywindow.html(request, { endpoint: '/paywindow', reference: 'cart-42' })
    expect(html).toContain(address)
    expect(html).toContain('Senden Sie genau')
    expect(html).not.toContain(key)
    expect(shop.creations()).toBe(1)
  })

  it('refuses an option that there is not', async () => {
    const options = { endpoint: '/paywindow', reference: 'cart-42', lang: 'de' }
    const request = new Request('https://shop.example/checkout')
    await expect(createRealShop().paywindow.html(request, options)).rejects.toMatchObject({ code: 'invalid_options' })
  })
})
