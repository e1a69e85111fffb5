import { beforeAll, describe, expect, it } from 'vitest'
import { parseKeyedCheckout } from '../../contract/parsers.ts'
import { healthHandler } from '../health/health.ts'
import { bitcoin, createTestShop, type TestShop, xrp } from '../shop.testing.ts'

const json = { 'content-type': 'application/json' }

/** Whether an answer carries anything that must stay on the server. */
function secretsIn(shop: TestShop, text: string): string[] {
  const { accessToken, subAccountId } = shop.sandbox.access
  return [accessToken, subAccountId, ...shop.sandbox.orders().map(({ id }) => id)].filter((secret) =>
    text.includes(secret),
  )
}

describe('requests of a browser', () => {
  it.each<[how: string, read: (request: Request) => unknown]>([
    ['read', (request) => request.json()],
    ['cloned and read', (request) => request.clone().json()],
    ['begun to read', (request) => request.body?.getReader()],
  ])('whose body was %s before are answered, or the answer says why not', async (how, read) => {
    const shop = createTestShop()
    const request = new Request('https://shop.example/paywindow/checkouts', {
      method: 'POST',
      headers: json,
      body: '{"reference":"cart-42"}',
    })
    await read(request)
    const answer = await shop.run(shop.paywindow.fetch(request))
    if (how === 'cloned and read') expect(answer.status).toBe(200)
    else
      expect((await answer.json()).error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/was read before .* mount Paywindow before/),
      })
  })

  it.each<[string, string, string, Parameters<TestShop['send']>[2], number, string]>([
    ['a body that is no JSON', 'POST', '/checkouts', { body: '{"reference":', headers: json }, 400, 'invalid_request'],
    ['an empty body', 'POST', '/checkouts', { body: '', headers: json }, 400, 'invalid_request'],
    ['JSON that is no object', 'POST', '/checkouts', { body: [1] }, 400, 'invalid_request'],
    ['no reference', 'POST', '/checkouts', { body: {} }, 400, 'invalid_request'],
    [
      'a reference that is no text',
      'POST',
      '/checkouts',
      { body: { reference: { $ne: null } } },
      400,
      'invalid_request',
    ],
    [
      'an asset without a network',
      'POST',
      '/checkouts',
      { body: { reference: 'a', asset: 'BTC' } },
      400,
      'invalid_request',
    ],
    [
      'a form',
      'POST',
      '/checkouts',
      { body: 'reference=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'text',
      'POST',
      '/checkouts',
      { body: '{"reference":"a"}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['a huge body', 'POST', '/checkouts', { body: { reference: 'a'.repeat(10_000) } }, 413, 'request_too_large'],
    [
      'a method that is not on offer',
      'POST',
      '/checkouts',
      { body: { reference: 'a', asset: 'DOGE', network: 'dogecoin' } },
      422,
      'method_not_offered',
    ],
    ['a wrong verb', 'PUT', '/checkouts', {}, 405, 'method_not_allowed'],
    ['a GET where a POST belongs', 'GET', '/checkouts', {}, 405, 'method_not_allowed'],
    ['a path that is nothing', 'GET', '/admin', {}, 404, 'not_found'],
    ['an unknown checkout', 'GET', '/checkouts/none', { key: 'k' }, 404, 'not_found'],
    ['no key', 'GET', '/checkouts/none', {}, 400, 'invalid_request'],
    ['an offer without a reference', 'POST', '/offer', { body: {} }, 400, 'invalid_request'],
    ['an offer without a reference in its address', 'GET', '/offer', {}, 400, 'invalid_request'],
    ['a wrong verb for an offer', 'PUT', '/offer', {}, 405, 'method_not_allowed'],
    [
      'an offer for a page of another site',
      'POST',
      '/offer',
      { body: { reference: 'a' }, headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
      403,
      'forbidden_origin',
    ],
    [
      'a page that is only prerendered',
      'POST',
      '/checkouts',
      { body: { reference: 'a' }, headers: { 'sec-purpose': 'prefetch;prerender' } },
      400,
      'invalid_request',
    ],
    [
      'a page of another site',
      'POST',
      '/checkouts',
      { body: { reference: 'a' }, headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
      403,
      'forbidden_origin',
    ],
    [
      'a sister site',
      'POST',
      '/checkouts',
      { body: { reference: 'a' }, headers: { origin: 'https://blog.shop.example', 'sec-fetch-site': 'same-site' } },
      403,
      'forbidden_origin',
    ],
    [
      'another origin, from an old browser',
      'POST',
      '/checkouts',
      { body: { reference: 'a' }, headers: { origin: 'https://evil.example' } },
      403,
      'forbidden_origin',
    ],
    [
      'a page without an origin',
      'POST',
      '/checkouts',
      { body: { reference: 'a' }, headers: { origin: 'null' } },
      403,
      'forbidden_origin',
    ],
  ])('refuses %s', async (_, method, path, options, status, code) => {
    const shop = createTestShop()
    const answer = await shop.send(method, path, options)
    expect(answer).toMatchObject({ status, json: { v: 1, error: { code } } })
    expect(shop.creations()).toBe(0)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('tells the merchant where something in front removes the key, and not that the checkout is unknown', async () => {
    const shop = createTestShop()
    const { id } = await shop.open()
    const answer = await shop.send('GET', `/checkouts/${id}`)
    expect(answer.json).toMatchObject({
      error: { code: 'invalid_request', incident: expect.stringMatching(/^\w{6}$/) },
    })
    expect(shop.errors).toMatchObject([
      { code: 'invalid_request', message: expect.stringContaining('without the header paywindow-key') },
    ])
  })

  it("reveals nothing of another visitor's reference", async () => {
    const shop = createTestShop()
    const mine = await shop.open()
    shop.offer = null
    for (const answer of [
      await shop.send('GET', '/offer?reference=cart-42'),
      await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: { error: { code: 'not_offered' } } })
      expect(JSON.stringify(answer.json)).not.toContain(mine.address)
    }
    expect(await shop.send('GET', `/checkouts/${mine.id}`, { key: mine.key.replace(/^./, '~') })).toMatchObject({
      status: 404,
    })
  })

  it('reports an offer that cannot be charged, and hides the reason from the browser', async () => {
    const shop = createTestShop()
    for (const amount of ['0', '-1', '49,90', 'free']) {
      shop.offer = { price: { asset: 'USD', amount }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
      expect(await shop.send('POST', '/checkouts', { body: { reference: 'a' } })).toMatchObject({
        status: 500,
        json: { error: { code: 'offer_invalid', message: "The server's onError was told what is wrong" } },
      })
    }
    expect(shop.errors.map(({ code }) => code)).toEqual(Array(4).fill('offer_invalid'))
  })
})

describe('what a browser receives', () => {
  it("never has the token, the sub-account or an order's id", async () => {
    const shop = createTestShop({ sandbox: { creationId: true } })
    shop.offer = {
      price: { asset: 'USD', amount: '49.90' },
      methods: [bitcoin, xrp],
      merchant: { name: 'Lantern Books' },
    }
    const texts: string[] = []
    const keep = async (...args: Parameters<TestShop['send']>) => {
      const answer = await shop.send(...args)
      texts.push(JSON.stringify(answer.json) + JSON.stringify([...answer.headers]))
      return answer
    }
    const { json: checkout } = await keep('POST', '/checkouts', {
      body: { reference: 'a', asset: 'XRP', network: 'ripple' },
    })
    const [id, key] = [String(checkout.id), String(checkout.key)]
    await shop.settle()
    const order = shop.sandbox.orders()[0]
    shop.sandbox.payer.deposit({
      address: String(checkout.address),
      tag: String(checkout.tag),
      amount: String(checkout.amount),
    })
    shop.sandbox.payer.confirm(order?.id ?? '')
    await shop.pass(5_000)
    await keep('GET', `/checkouts/${id}`, { key })
    await keep('GET', '/offer?reference=a')
    await keep('POST', `/checkouts/${id}/renew`, { body: {}, key })
    await keep('POST', `/checkouts/${id}/handover`, { body: {}, key })
    expect((await shop.paywindow.checkouts.get(id))?.order).toMatchObject({ evidence: 'response_id' })
    expect(secretsIn(shop, texts.join())).toEqual([])
    expect(texts.join()).not.toContain('confirmed in')
  })

  it('is the icon, as the service serves it, and nothing else from its URL', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    const get = async (path: string) =>
      shop.run(shop.paywindow.fetch(new Request(`https://shop.example/paywindow/${path}`)))
    const icon = await get(`icons/${checkout.id}`)
    expect(icon.headers.get('content-type')).toBe('image/png')
    expect(icon.headers.get('content-security-policy')).toContain('sandbox')
    expect((await get('icons/none')).status).toBe(404)
  })

  it('names the icons of an offer so that only this server knows their URLs', async () => {
    const asked: string[] = []
    const shop = createTestShop({
      iconFetch: async (url) => {
        asked.push(url)
        return new Response(new Uint8Array([1, 2, 3]), { headers: { 'content-type': 'image/webp' } })
      },
    })
    const inside = { ...xrp, icon: 'https://10.0.0.7/admin.png' }
    const methods = [{ ...bitcoin, icon: 'https://cdn.shop.example/btc.webp' }, inside]
    shop.offer = { price: { asset: 'USD', amount: '49.90' }, methods, merchant: { name: 'Lantern Books' } }
    const offer = await shop.readOffer()
    expect(JSON.stringify(offer)).not.toContain('cdn.shop.example')
    const get = async (path = '') =>
      shop.run(shop.paywindow.fetch(new Request(`https://shop.example/paywindow/${path}`)))
    expect((await get(offer.methods[0]?.icon)).headers.get('content-type')).toBe('image/webp')
    expect((await get(offer.methods[1]?.icon)).status).toBe(404)
    expect(asked).toEqual(['https://cdn.shop.example/btc.webp'])
  })
})

describe('a method that a path does not take', () => {
  const shop = createTestShop({ webhookSecret: '0123456789abcdef' })
  const main = (request: Request) => shop.paywindow.fetch(request)
  const webhook = (request: Request) => shop.paywindow.webhook(request)
  const health = (request: Request) => healthHandler(shop.paywindow)(request)
  // Loaded here, because no timer of the shop brings it.
  beforeAll(() => import('#page'))

  it.each<[string, (request: Request) => Promise<Response>, string]>([
    ['/offer', main, 'GET, HEAD, POST, OPTIONS'],
    ['/checkouts', main, 'POST, OPTIONS'],
    ['/checkouts/none', main, 'GET, HEAD, OPTIONS'],
    ['/checkouts/none/renew', main, 'POST, OPTIONS'],
    ['/checkouts/none/handover', main, 'POST, OPTIONS'],
    ['/icons/none', main, 'GET, HEAD, OPTIONS'],
    ['/pay', main, 'GET, HEAD, POST, OPTIONS'],
    ['/webhook/0123456789abcdef', webhook, 'POST'],
    ['/health/live', health, 'GET, HEAD'],
    ['/health/ready', health, 'GET, HEAD'],
  ])('of %s is refused with the list of those that it takes', async (path, handle, taken) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT']) {
      const { status, headers } = await shop.run(
        handle(new Request(`https://shop.example/paywindow${path}`, { method })),
      )
      const isTaken = taken.split(', ').includes(method)
      expect([method, status === 405, headers.get('allow')]).toEqual([method, !isTaken, isTaken ? null : taken])
    }
  })
})

describe('a host that puts a slash behind every path', () => {
  it('is answered as others are', async () => {
    const shop = createTestShop()
    const opened = await shop.send('POST', '/checkouts/', { body: { reference: 'cart-42' } })
    expect(opened.status).toBe(200)
    const { id, key } = parseKeyedCheckout(opened.json)
    const statuses = [
      await shop.send('GET', '/offer/?reference=cart-42'),
      await shop.send('GET', `/checkouts/${id}/`, { key }),
      await shop.send('POST', `/checkouts/${id}/handover/`, { key, body: {} }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200])
  })
})
