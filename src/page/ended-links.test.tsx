/** What a payer sees whose link ends while the money is on its way. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PaywindowError } from '../contract/errors.ts'
import { en } from '../locales/en.ts'
import type { TestShop } from '../server/shop.testing.ts'
import { browserAt, createPageShop, linked } from './shop.testing.ts'

let shop: TestShop
let thrown: Error | undefined

// Loaded here, because no timer of the shop brings it.
beforeAll(() => import('./index.ts'))
beforeEach(() => {
  thrown = undefined
  shop = createPageShop({
    ...linked,
    admits: ({ link }) => {
      if (thrown) throw thrown
      return link !== undefined
    },
  })
})

describe.each<[string, () => Promise<unknown>]>([
  ['has ended', () => shop.pass(60_000)],
  ['was revoked', () => shop.run(shop.paywindow.revokeLinks('cart-42'))],
])('a link that %s while its payer pays', (_, end) => {
  const pay = async () => {
    const { url } = await shop.paywindow.link({ reference: 'cart-42', validForMs: 60_000 })
    const visit = browserAt(shop, url)
    await visit()
    await visit('choose BTC bitcoin')
    const { page, cookie } = await visit()
    expect(page.address).toMatch(/^\S{20,}$/)
    await end()
    return { url, visit, page, cookie }
  }

  it('goes on to show what to send, until when, and what has come', async () => {
    const { visit, page } = await pay()
    const { page: still, answer } = await visit()
    expect(still).toMatchObject({ address: page.address, amount: page.amount, refresh: '15' })
    // A browser keeps the cookie for longer than the quote.
    expect(answer.headers.getSetCookie()[0]).toContain('; Max-Age=604800;')
    shop.sandbox.payer.deposit({ address: page.address, amount: page.amount })
    for (const _ of [1, 2, 3]) {
      await shop.pass(15_000)
      await visit()
    }
    expect((await visit('look')).answer.status).toBe(303)
    expect((await visit()).page.heading).toBe(en.seenTitle)
  })

  it('says that the quote is over, and gives no other, nor another coin', async () => {
    const { visit, page } = await pay()
    expect((await visit('choose XRP ripple')).answer.status).toBe(422)
    await shop.pass(21 * 60_000)
    const { page: over } = await visit()
    expect([over.heading, over.id]).toEqual([en.expiredTitle, page.id])
    expect((await visit('renew', { id: page.id })).answer.status).toBe(404)
    expect(shop.creations()).toBe(1)
  })

  it('lets the widget of that page follow the quote, also when it is loaded anew', async () => {
    const { visit, page } = await pay()
    const { cookie } = await visit()
    const open = (more = {}) =>
      shop.send('POST', '/checkouts', { body: { reference: 'cart-42', ...more }, headers: { cookie } })
    const { json } = await open()
    expect(json).toMatchObject({ address: page.address })
    expect((await open({ asset: 'XRP', network: 'ripple' })).status).toBe(422)
    await shop.pass(21 * 60_000)
    const key = String(json.key)
    const renewed = await shop.send('POST', `/checkouts/${json.id}/renew`, { key, body: {}, headers: { cookie } })
    expect([renewed.status, renewed.json]).toMatchObject([404, { error: { code: 'not_offered' } }])
    expect((await open()).json).toMatchObject({ id: json.id, address: page.address })
    expect(shop.creations()).toBe(1)
  })

  it('shows nothing of a quote that a later link has brought', async () => {
    const { visit, cookie } = await pay()
    const next = browserAt(shop, (await shop.paywindow.link({ reference: 'cart-42', validForMs: 3_600_000 })).url)
    await next()
    await next('choose XRP ripple')
    const { page: later } = await next()
    expect(later.address).toMatch(/^\S{20,}$/)
    const { answer, text } = await visit()
    expect([answer.status, text.includes(later.address)]).toEqual([404, false])
    const { status } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' }, headers: { cookie } })
    expect(status).toBe(404)
  })

  it('shows nothing to who has no link, whatever the shop throws', async () => {
    const { page } = await pay()
    thrown = new PaywindowError('not_found', 'There is no such order')
    const { answer, text } = await browserAt(shop, 'https://shop.example/paywindow/pay?reference=cart-42')()
    expect(answer.status).toBe(404)
    expect(text).not.toContain(page.address)
  })

  it('shows nothing to who was not shown it before', async () => {
    const { url, page } = await pay()
    const { answer, text } = await browserAt(shop, url)()
    expect(answer.status).toBe(404)
    expect(text).not.toContain(page.address)
    expect(text).not.toContain('49.90')
  })
})
