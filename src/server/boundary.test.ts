import { describe, expect, it } from 'vitest'
import type { Fault } from '../sandbox/index.ts'
import { bitcoin, createTestShop, type TestShop, xrp } from './test-shop.ts'

const json = { 'content-type': 'application/json' }

/** Whether an answer carries anything that must stay on the server. */
function secretsIn(shop: TestShop, text: string): string[] {
  const { accessToken, subAccountId } = shop.sandbox.access
  return [accessToken, subAccountId, ...shop.sandbox.orders().map(({ id }) => id)].filter((secret) =>
    text.includes(secret),
  )
}

describe('what a browser may send', () => {
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
    ['no key', 'GET', '/checkouts/none', {}, 404, 'not_found'],
    ['an offer without a reference', 'GET', '/offer', {}, 400, 'invalid_request'],
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

  it('lets the own page and the allowed origins in, and answers their preflight', async () => {
    const shop = createTestShop({ allowedOrigins: ['https://store.example'] })
    const body = { reference: 'a' }
    expect(await shop.send('POST', '/checkouts', { body, headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject(
      { status: 200 },
    )
    expect(
      await shop.send('POST', '/checkouts', {
        body,
        headers: { origin: 'https://shop.example', host: 'shop.example' },
      }),
    ).toMatchObject({ status: 200 })
    const answer = await shop.send('POST', '/checkouts', {
      body,
      headers: { origin: 'https://store.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://store.example')
    const preflight = await shop.send('OPTIONS', '/checkouts', { headers: { origin: 'https://evil.example' } })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })

  it("tells nothing of another visitor's reference", async () => {
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

  it('reports an offer that cannot be charged, and tells the browser nothing of it', async () => {
    const shop = createTestShop()
    for (const amount of ['0', '-1', '49,90', 'free']) {
      shop.offer = { price: { asset: 'USD', amount }, methods: [bitcoin], merchant: { name: 'Lantern Books' } }
      expect(await shop.send('POST', '/checkouts', { body: { reference: 'a' } })).toMatchObject({
        status: 500,
        json: { error: { code: 'internal' } },
      })
    }
    expect(shop.errors.map(({ code }) => code)).toEqual(Array(4).fill('offer_invalid'))
  })
})

describe('a service that fails', () => {
  const faults: [string, Fault, number, string][] = [
    [
      '400 with a message',
      { kind: 'status', status: 400, message: 'Amount below minimum for account 77' },
      502,
      'service_refused',
    ],
    ['401', { kind: 'status', status: 401 }, 502, 'service_refused'],
    ['403', { kind: 'status', status: 403 }, 502, 'service_refused'],
    ['429', { kind: 'status', status: 429, retryAfter: '7' }, 503, 'service_unavailable'],
    ['500', { kind: 'status', status: 500 }, 503, 'service_unavailable'],
    ['HTML', { kind: 'html' }, 502, 'service_invalid'],
    ['half a body', { kind: 'truncated' }, 502, 'service_invalid'],
    ['two bodies', { kind: 'duplicated' }, 502, 'service_invalid'],
    ['nothing', { kind: 'empty' }, 502, 'service_invalid'],
    ['a connection that breaks', { kind: 'reset' }, 503, 'service_unavailable'],
    ['silence', { kind: 'hang' }, 503, 'service_unavailable'],
  ]

  it.each(faults)('with %s: says so, and shows the panel once it works again', async (_, fault, status, code) => {
    const shop = createTestShop()
    shop.sandbox.faults = (request) => (request.method === 'POST' ? fault : undefined)
    const answer = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect(answer).toMatchObject({ status, json: { error: { code } } })
    expect(JSON.stringify(answer.json)).not.toContain('minimum')
    expect(secretsIn(shop, JSON.stringify(answer.json))).toEqual([])
    expect(shop.errors.length).toBeGreaterThan(0)
    expect(JSON.stringify(shop.errors.map(({ message }) => message))).not.toContain(shop.sandbox.access.accessToken)
    shop.sandbox.faults = undefined
    await shop.pass(30_000)
    const checkout = await shop.open()
    expect(
      shop.sandbox
        .orders()
        .some(({ address, sourceAmount }) => address === checkout.address && sourceAmount === checkout.amount),
    ).toBe(true)
  })

  it('passes on how long to wait', async () => {
    const shop = createTestShop()
    shop.sandbox.faults = () => ({ kind: 'status', status: 429, retryAfter: '7' })
    expect((await shop.send('POST', '/checkouts', { body: { reference: 'a' } })).headers.get('retry-after')).toBe('7')
  })

  it('keeps the panel when the status cannot be read', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'status', status: 500 })
    await shop.pass(5_000)
    expect(await shop.poll(checkout)).toMatchObject({ id: checkout.id, address: checkout.address, phase: 'waiting' })
  })

  it('answers a poll with what is known when the service is silent', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'hang' })
    await shop.pass(5_000)
    const before = shop.clock.now()
    expect((await shop.poll(checkout)).phase).toBe('waiting')
    expect(shop.clock.now() - before).toBeLessThanOrEqual(4_000)
  })

  it('asks once about an order however many browsers ask', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    await shop.pass(5_000)
    let asked = 0
    shop.sandbox.faults = () => {
      asked++
      return undefined
    }
    const poll = () =>
      shop.paywindow.fetch(
        new Request(`https://shop.example/paywindow/checkouts/${checkout.id}`, {
          headers: { 'paywindow-key': checkout.key },
        }),
      )
    await shop.run(Promise.all(Array.from({ length: 50 }, poll)))
    expect(asked).toBe(1)
  })
})

describe('what a browser is told', () => {
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

  it('is the icon, as the service serves it, and nothing else from its address', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    const get = async (path: string) =>
      shop.run(shop.paywindow.fetch(new Request(`https://shop.example/paywindow/${path}`)))
    const icon = await get(checkout.asset.icon ?? '')
    expect(icon.headers.get('content-type')).toBe('image/png')
    expect(icon.headers.get('content-security-policy')).toContain('sandbox')
    expect((await get('icons/none')).status).toBe(404)
  })
})
