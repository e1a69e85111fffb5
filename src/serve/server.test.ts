/** The server as programs of other languages meet it: over HTTP, with two shops in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { pay } from '../server/shop.testing.ts'
import { secrets } from './config.testing.ts'
import { openApi } from './openapi.ts'
import { publicUrl, startServer, type TestServer } from './server.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'paywindow-files-'))
const script = 'console.log("paywindow")'.repeat(100)
const key = secrets.PAYWINDOW_BOOKS_API_SECRET
const payment = {
  order: 'order-42',
  amount: '49.90',
  asset: 'EUR',
  number: '2026/0042',
  returnUrl: 'https://shop.example/thanks',
}

let sandbox: TestServer['sandbox']
let stores: TestServer['stores']
let log: TestServer['log']
let port: number
let origin: string

beforeAll(() => {
  mkdirSync(join(folder, 'locales'))
  for (const [name, content] of Object.entries({
    'paywindow.js': script,
    'locales/de.json': '{}',
    'openapi.json': '{}',
    'cli.js': 'secret',
    'paywindow.js.map': 'secret',
  }))
    writeFileSync(join(folder, name), content)
})
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  const server = await startServer({ folder: `${pathToFileURL(folder)}/` })
  ;({ sandbox, stores, log, port, origin } = server)
})

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly path?: string
}
let asked = 0
const ask = ({ method = 'POST', body, headers = {}, path = '/books/v1/payments' }: Asked = {}) =>
  fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': `key-${asked++}` }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body ?? payment) }),
  })

describe('the API', () => {
  const document = JSON.parse(JSON.stringify(openApi('0.0.0')))
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': (value: string) => !Number.isNaN(Date.parse(value)) },
  })
  ajv.addSchema(document, 'openapi')
  /** Holds an answer to what the document says of it. */
  async function held(method: string, response: Response): Promise<Record<string, string>> {
    const { responses } = document.paths['/v1/payments'][method.toLowerCase()]
    const described = responses[response.status]
    expect(described, `${method} ${response.status}`).toBeDefined()
    const type = response.headers.get('content-type')
    if (described.content === undefined) {
      expect([type, await response.text()]).toEqual([null, ''])
      return {}
    }
    const json = (await response.json()) as Record<string, string>
    const pointer = `#/paths/~1v1~1payments/${method.toLowerCase()}/responses/${response.status}/content/${type?.replace('/', '~1')}/schema`
    const follows = ajv.compile({ $ref: `openapi${encodeURI(pointer)}` })
    expect([follows(json), follows.errors, json]).toEqual([true, null, json])
    return json
  }

  it('makes a link that its page takes, says what came of it, and ends it', async () => {
    const asked = await ask({ headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' } })
    expect(asked.headers.get('cache-control')).toBe('no-store')
    const { url, code, expiresAt } = await held('POST', asked)
    expect(url).toMatch(/^http:\/\/localhost:4000\/books\/pay\?link=/)
    // e2e/package/serve.test.ts looks at what is drawn with Preact, which is not here.
    expect(code).toBeTypeOf('string')
    expect(Math.abs(Date.parse(`${expiresAt}`) - Date.now() - 7 * 86_400_000)).toBeLessThan(5_000)
    const here = `${url}`.replace(publicUrl, origin)
    const first = await fetch(here)
    expect(await first.text()).toContain('<title>Lantern Books · €49.90</title>')
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const headers = {
      cookie,
      'x-forwarded-for': '198.51.100.9',
      origin: publicUrl,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const chosen = await fetch(here, { method: 'POST', body: 'act=choose+BTC+bitcoin', headers, redirect: 'manual' })
    expect(chosen.status).toBe(303)
    pay({ sandbox })
    // The page asks for the payment, as it does whenever it is loaded.
    await vi.waitFor(
      async () => {
        await fetch(here, { headers })
        const listed = await held('GET', await ask({ method: 'GET', path: '/books/v1/payments?order=order-42' }))
        const price = { asset: 'EUR', amount: '49.90' }
        expect(listed).toMatchObject({
          order: 'order-42',
          payments: [{ phase: 'paid', number: '2026/0042', price, test: true, asset: 'BTC' }],
        })
      },
      { timeout: 20_000 },
    )
    const opened = await fetch(`${origin}/books/checkouts`, {
      method: 'POST',
      body: JSON.stringify({ reference: 'order-42' }),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(await opened.json()).toMatchObject({
      orderNumber: '2026/0042',
      merchant: { name: 'Lantern Books', returnUrl: 'https://shop.example/thanks' },
    })
    await held('DELETE', await ask({ method: 'DELETE', path: '/books/v1/payments?order=order-42' }))
    expect((await fetch(here)).status).toBe(404)
    // Whoever has paid keeps the receipt.
    expect((await fetch(here, { headers: { cookie } })).status).toBe(200)
    expect(log).toEqual([])
  })

  it('answers the same to the same request with one key, also at once, and 409 to another', async () => {
    const headers = { 'idempotency-key': 'one' }
    const answers = await Promise.all(Array.from({ length: 5 }, async () => held('POST', await ask({ headers }))))
    const reordered = Object.fromEntries(Object.entries(payment).reverse())
    answers.push(await held('POST', await ask({ headers, body: reordered })))
    expect(new Set(answers.map(({ url, expiresAt }) => `${url} ${expiresAt}`)).size).toBe(1)
    const other = await held('POST', await ask({ headers, body: { ...payment, amount: '49.91' } }))
    expect(other).toMatchObject({ type: 'urn:paywindow:problem:idempotency_key_reused', status: 409 })
    const elsewhere = await ask({
      headers: { ...headers, authorization: `Bearer ${secrets.PAYWINDOW_TEA_HOUSE_API_SECRET}` },
      body: { ...payment, amount: '49.91' },
      path: '/tea-house/v1/payments',
    })
    expect(elsewhere.status).toBe(201)
  })

  it('forgets keys after a day', async () => {
    await ask({ headers: { 'idempotency-key': 'old' } })
    const store = stores.books
    const due = await store?.listDue('api', Date.now() + 86_400_000, 10)
    expect(due).toHaveLength(1)
    for (const { key, value, version } of due ?? [])
      await store?.replace({ key, value, labels: [], due: [{ queue: 'api', atMs: Date.now() - 1 }] }, version)
    await ask()
    expect(await store?.listDue('api', Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1)
  })

  it.each<[string, Asked, number, string]>([
    ['without a secret', { headers: { authorization: '' } }, 401, 'unauthorized'],
    ['with another secret', { headers: { authorization: `Bearer ${key}x` } }, 401, 'unauthorized'],
    ['with a shorter secret', { headers: { authorization: `Bearer ${key.slice(0, -1)}` } }, 401, 'unauthorized'],
    [
      'with the link secret',
      { headers: { authorization: `Bearer ${secrets.PAYWINDOW_BOOKS_LINK_SECRET}` } },
      401,
      'unauthorized',
    ],
    [
      "with another shop's secret",
      { headers: { authorization: `Bearer ${secrets.PAYWINDOW_TEA_HOUSE_API_SECRET}` } },
      401,
      'unauthorized',
    ],
    ['by Basic', { headers: { authorization: `Basic ${btoa(`books:${key}`)}` } }, 401, 'unauthorized'],
    ['without a key', { headers: { 'idempotency-key': '' } }, 400, 'idempotency_key_missing'],
    ['with two keys', { headers: { 'idempotency-key': 'one, two' } }, 400, 'idempotency_key_missing'],
    ['with a long key', { headers: { 'idempotency-key': 'x'.repeat(256) } }, 400, 'idempotency_key_missing'],
    ['as a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'unsupported_media_type'],
    ['as text', { headers: { 'content-type': 'text/plain; application/json' } }, 415, 'unsupported_media_type'],
    ['with a huge body', { body: { ...payment, number: 'x'.repeat(9_000) } }, 413, 'request_too_large'],
    ['with half a body', { body: '{"order":"order-42"' }, 400, 'invalid_request'],
    ['with a number as amount', { body: { ...payment, amount: 49.9 } }, 400, 'invalid_request'],
    ['with a comma in the amount', { body: { ...payment, amount: '49,90' } }, 400, 'invalid_request'],
    ['for nothing', { body: { ...payment, amount: '0.00' } }, 400, 'invalid_request'],
    ['for less', { body: { ...payment, amount: '-1' } }, 400, 'invalid_request'],
    ['for a part of a yen', { body: { ...payment, amount: '10.5', asset: 'JPY' } }, 400, 'invalid_request'],
    ['for no order', { body: { ...payment, order: '' } }, 400, 'invalid_request'],
    ['for an order that breaks lines', { body: { ...payment, order: 'a\nb' } }, 400, 'invalid_request'],
    ['for an order that turns text', { body: { ...payment, order: 'a\u202eb' } }, 400, 'invalid_request'],
    ['for a number that nobody sees', { body: { ...payment, number: '2026\u2060-7' } }, 400, 'invalid_request'],
    ['with a script to go back to', { body: { ...payment, returnUrl: 'javascript:alert(1)' } }, 400, 'invalid_request'],
    [
      'for a link too long for a code',
      { body: { ...payment, returnUrl: `https://shop.example/${'x'.repeat(1_900)}` } },
      400,
      'invalid_request',
    ],
    ['for a second', { body: { ...payment, validForMs: 1_000 } }, 400, 'invalid_request'],
    ['with a misspelt field', { body: { ...payment, validFor: 1 } }, 400, 'invalid_request'],
    [
      'with fields for all objects',
      { body: '{"__proto__":{"order":"a"},"amount":"1","asset":"EUR"}' },
      400,
      'invalid_request',
    ],
    ['with a list', { body: [payment] }, 400, 'invalid_request'],
    ['of no order', { method: 'GET' }, 400, 'invalid_request'],
    [
      'of an order with a character that databases refuse',
      { method: 'GET', path: '/books/v1/payments?order=a%00' },
      400,
      'invalid_request',
    ],
    ['of two orders', { method: 'GET', path: '/books/v1/payments?order=a&order=b' }, 400, 'invalid_request'],
    ['to end no order', { method: 'DELETE' }, 400, 'invalid_request'],
    [
      'to end one with a long id',
      { method: 'DELETE', path: `/books/v1/payments?order=${encodeURIComponent('\u{1f600}'.repeat(150))}` },
      400,
      'invalid_request',
    ],
  ])('refuses a request %s', async (_, request, status, name) => {
    const response = await ask(request)
    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      'application/problem+json',
      'no-store',
    ])
    const json = await held(request.method ?? 'POST', response)
    expect(json).toMatchObject({ type: `urn:paywindow:problem:${name}`, status })
    for (const secret of Object.values(secrets)) expect(JSON.stringify(json)).not.toContain(secret)
    expect([sandbox.orders(), await stores.books?.listDue('api', Number.MAX_SAFE_INTEGER, 1)]).toEqual([[], []])
  })

  it.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD'])('does not take %s', async (method) => {
    const { status, headers } = await ask({ method })
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET, DELETE'])
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('says that the server failed, and logs why', async () => {
    const store = stores.books
    if (store) store.read = async () => Promise.reject(new Error('the disk is full'))
    expect(await held('POST', await ask())).toMatchObject({ type: 'urn:paywindow:problem:internal', status: 500 })
    expect(log).toEqual([expect.stringMatching(/^books: the API failed: .*the disk is full/)])
  })
})

describe('an address', () => {
  /** As a client sends it that normalises nothing. */
  const raw = async (lines: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.end(lines.replaceAll('\n', '\r\n'))
    return text(socket)
  }
  const bearer = (secret: string) => `Host: localhost\nConnection: close\nAuthorization: Bearer ${secret}`

  it.each([
    ['/books/../tea-house/v1/payments?order=a', 400],
    ['/books/%2e%2e/tea-house/v1/payments?order=a', 400],
    // A proxy that keeps strangers from /health/ would let it pass.
    ['/books\\..\\health/ready', 400],
    ['/health\\ready', 400],
    ['/books/..%2ftea-house/v1/payments?order=a', 404],
    ['/books%2fv1/payments?order=a', 404],
    ['//books/v1/payments?order=a', 404],
    ['/BOOKS/v1/payments?order=a', 404],
    ['/__proto__/v1/payments?order=a', 404],
    ['/constructor/v1/payments?order=a', 404],
    ['/v1/payments?order=a', 404],
    ['/books/v1/payments/order-42', 404],
    ['/books/v1', 404],
    ['/books/v1/payments/../payments?order=a', 400],
    ['/books/v1/payments%00?order=a', 404],
    ['/books/v1/payments;a?order=a', 404],
    ['/books/v1/payments/?order=../a\\b', 200],
  ])('%s with the secret of books is %d', async (path, status) => {
    expect(await raw(`GET ${path} HTTP/1.1\n${bearer(key)}\n\n`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('counts the first of two secrets alone', async () => {
    const two = (first: string, second: string) =>
      raw(`GET /books/v1/payments?order=a HTTP/1.1\n${bearer(first)}\nAuthorization: Bearer ${second}\n\n`)
    expect(await two('wrong', key)).toMatch(/^HTTP\/1.1 401 /)
    expect(await two(key, 'wrong')).toMatch(/^HTTP\/1.1 200 /)
  })

  it('of two bodies at once is refused', async () => {
    const body = JSON.stringify(payment)
    const answer = await raw(
      `POST /books/v1/payments HTTP/1.1\n${bearer(key)}\nContent-Length: ${body.length}\nTransfer-Encoding: chunked\n\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })

  it.each([
    ['/paywindow.js', 'text/javascript; charset=utf-8'],
    ['/locales/de.json', 'application/json'],
    ['/openapi.json', 'application/json'],
  ])('%s is a file that browsers keep', async (path, type) => {
    const response = await fetch(`${origin}${path}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const etag = response.headers.get('etag') ?? ''
    expect((await fetch(`${origin}${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(`${origin}${path}`, { method: 'HEAD' })).status).toBe(200)
    const refused = await fetch(`${origin}${path}`, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('of a file sends it compressed to who reads that', async () => {
    const load = (encoding: string) =>
      new Promise<Buffer>((resolve) => {
        const headers = { 'accept-encoding': encoding }
        get(`${origin}/paywindow.js`, { headers }, (answer) => resolve(buffer(answer)))
      })
    for (const encoding of ['br, gzip', 'gzip;q=0.5', 'GZIP', 'br;q=0, gzip'])
      expect(gunzipSync(await load(encoding)).toString()).toBe(script)
    for (const encoding of ['br', 'gzip;q=0, br', 'identity, GZIP ; q=0.000'])
      expect((await load(encoding)).toString()).toBe(script)
  })

  it.each([
    '/cli.js',
    '/paywindow.js.map',
    '/locales/../cli.js',
    '/locales/%2e%2e%2fcli.js',
    '/locales/zz.json',
    '/',
    '/package.json',
  ])('%s is none', async (path) => expect((await fetch(`${origin}${path}`)).status).toBe(404))

  it('says how the server is', async () => {
    const [live, ready] = await Promise.all(['live', 'ready'].map((name) => fetch(`${origin}/health/${name}`)))
    expect([live?.status, ready?.status]).toEqual([200, 200])
    expect((await fetch(`${origin}/health/ready/`)).status).toBe(200)
    expect((await fetch(`${origin}/health/other`)).status).toBe(404)
  })

  it('says that the server is not ready where the store of one shop is gone', async () => {
    const store = stores['tea-house']
    if (store) store.listDue = async () => Promise.reject(new Error('gone'))
    for (const path of ['ready', 'ready/']) expect((await fetch(`${origin}/health/${path}`)).status).toBe(503)
    expect((await fetch(`${origin}/health/live`)).status).toBe(200)
  })

  it('of the webhook wants its secret', async () => {
    const status = async (path: string) =>
      (await fetch(`${origin}${path}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
        .status
    expect([
      await status(`/books/webhook/${secrets.PAYWINDOW_BOOKS_WEBHOOK_SECRET}`),
      await status('/books/webhook/wrong'),
      await status(`/tea-house/webhook/${secrets.PAYWINDOW_BOOKS_WEBHOOK_SECRET}`),
    ]).toEqual([204, 404, 404])
  })

  it('of a page opens only with a link of its shop', async () => {
    const url = String((await (await ask()).json()).url)
    const there = url.replace(publicUrl, origin)
    expect((await fetch(there)).status).toBe(200)
    expect((await fetch(there.replace('/books/', '/tea-house/'))).status).toBe(404)
    const named = await fetch(`${origin}/books/pay?reference=order-42`)
    expect([named.status, await named.text()]).toEqual([404, expect.not.stringContaining('49.90')])
  })
})
