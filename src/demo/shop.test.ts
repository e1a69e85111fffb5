import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openShop } from './shop.ts'

let shop: ReturnType<typeof openShop>

beforeEach(() => {
  shop = openShop({ kind: 'sandbox' }, 'unused', () => undefined)
})

afterEach(() => shop.close())

/** A visitor with a session, as a browser would be one. */
async function visit() {
  const page = await shop.fetch(new Request('http://shop.example/'))
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ask = (path: string, init: RequestInit = {}) =>
    shop.fetch(new Request(`http://shop.example${path}`, { ...init, headers: { cookie, accept: 'application/json' } }))
  return { page, ask, order: async () => (await ask('/api/order')).json() }
}

const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })

describe('the shop', () => {
  it('gives every visitor an order of their own, in a cookie that scripts cannot read', async () => {
    const [one, other] = [await visit(), await visit()]
    expect(await one.order()).toMatchObject({ reference: 'order-1042', total: { asset: 'USD', amount: '49.90' } })
    expect(await other.order()).toMatchObject({ reference: 'order-1043' })
    expect(one.page.headers.get('set-cookie')).toMatch(/^lantern_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
  })

  it('offers an order to its own visitor, and to nobody else', async () => {
    const [one, other] = [await visit(), await visit()]
    const own = await one.ask('/paywindow/offer?reference=order-1042')
    expect(await own.json()).toMatchObject({ price: { asset: 'USD', amount: '49.9' }, test: true })
    expect((await other.ask('/paywindow/offer?reference=order-1042')).status).toBe(404)
    expect((await one.ask('/paywindow/offer?reference=order-01042')).status).toBe(404)
    expect((await shop.fetch(new Request('http://shop.example/paywindow/offer?reference=order-1042'))).status).toBe(404)
  })

  it.each([
    ['a price', { book: 'fog', quantity: '1', price: '0.01' }, '49.90'],
    ['a negative quantity', { book: 'fog', quantity: '-1' }, '49.90'],
    ['half a book', { book: 'fog', quantity: '0.5' }, '49.90'],
    ['too many', { book: 'fog', quantity: '10' }, '49.90'],
    ['an unknown book', { book: 'moon', quantity: '3' }, '49.90'],
    ['no quantity', { book: 'fog' }, '49.90'],
    ['two copies', { book: 'fog', quantity: '2' }, '69.90'],
    ['one book less', { book: 'almanac', quantity: '0' }, '20.00'],
  ])('has its own idea of what the cart costs when a browser sends %s', async (_, fields, amount) => {
    const { ask, order } = await visit()
    await ask('/cart', form(fields))
    expect(await order()).toMatchObject({ total: { amount } })
  })

  it('keeps the last book in the cart', async () => {
    const { ask, order } = await visit()
    await ask('/cart', form({ book: 'almanac', quantity: '0' }))
    await ask('/cart', form({ book: 'fog', quantity: '0' }))
    expect(await order()).toMatchObject({ total: { amount: '20.00' } })
  })

  it('starts a new order', async () => {
    const { ask, order } = await visit()
    await ask('/order/new', form({}))
    expect(await order()).toMatchObject({ number: 1043, state: 'open' })
  })

  it('serves its files, and nothing beside them', async () => {
    const { ask } = await visit()
    expect((await ask('/shop.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/.biome.json', '/covers', '/nothing.css']) {
      expect((await ask(path)).status, path).toBe(404)
    }
  })

  it('simulates nothing before there is a quote', async () => {
    const { ask } = await visit()
    const answer = await ask('/simulate/exact', { method: 'POST' })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('choose what to pay with first')
    expect((await ask('/simulate/everything', { method: 'POST' })).status).toBe(404)
  })
})
