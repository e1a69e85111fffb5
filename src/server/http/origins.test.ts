import { createServer, request, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'
import { openPort, toNodeListener } from './listen.ts'

describe('the origin of a page', () => {
  it('may be the same or an allowed one, whose preflight is answered', async () => {
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

  it.each([
    'capacitor://localhost',
    'ionic://localhost',
    'tauri://localhost',
    'https://localhost',
    'http://tauri.localhost',
  ])('may be that of an app, %s', async (origin) => {
    const shop = createTestShop({ allowedOrigins: [origin] })
    const headers = { origin, 'sec-fetch-site': 'cross-site' }
    const answer = await shop.send('POST', '/checkouts', { body: { reference: 'a' }, headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it.each(['shop.example:443', 'SHOP.example', 'shop.example'])('is its own at the host %s', async (host) => {
    const headers = { origin: 'https://shop.example', host }
    const answer = await createTestShop().send('POST', '/checkouts', { body: { reference: 'a' }, headers })
    expect(answer.status).toBe(200)
  })

  it.each([{ origin: '' }, { 'sec-fetch-site': '' }, { origin: '', 'sec-fetch-site': '' }])(
    'counts as not sent where a proxy has emptied the header: %j',
    async (headers) => {
      const shop = createTestShop()
      expect(await shop.send('POST', '/checkouts', { body: { reference: 'a' }, headers })).toMatchObject({
        status: 200,
      })
      const foreign = { 'sec-fetch-site': 'cross-site', ...headers, origin: 'https://evil.example' }
      const answer = await shop.send('POST', '/checkouts', { body: { reference: 'a' }, headers: foreign })
      expect(answer.status).toBe(403)
    },
  )

  it.each(['shop.example:444', 'shop.example.evil', ''])('is not its own at the host "%s"', async (host) => {
    const headers = { origin: 'https://shop.example', host }
    const answer = await createTestShop().send('POST', '/checkouts', { body: { reference: 'a' }, headers })
    expect(answer.status).toBe(403)
  })
})

describe('a page of another site', () => {
  const requests = [
    ['GET', '/offer?reference=cart-42'],
    ['HEAD', '/offer?reference=cart-42'],
    ['GET', '/checkouts/none'],
    ['POST', '/checkouts'],
    ['POST', '/checkouts/none/renew'],
    ['POST', '/checkouts/none/handover'],
  ] as const
  /** The answers for a visitor who may pay the cart, and for a visitor who may not. */
  const answersTo = async (method: string, path: string, headers: Record<string, string>) => {
    const answers = []
    for (const offer of [createTestShop().offer, null]) {
      const shop = createTestShop({ allowedOrigins: ['https://store.example'] })
      shop.offer = offer
      const { status, json } = await shop.send(method, path, { headers })
      answers.push([status, { ...Object(json.error), incident: '' }])
    }
    return answers
  }

  it.each(['cross-site', 'same-site'].flatMap((site) => requests.map((request) => [site, ...request] as const)))(
    'that is %s gets the same refusal by %s %s, whoever the visitor is',
    async (site, method, path) => {
      const refusal = [403, expect.objectContaining({ code: 'forbidden_origin' })]
      expect(await answersTo(method, path, { 'sec-fetch-site': site })).toEqual([refusal, refusal])
      const origin = { 'sec-fetch-site': site, origin: 'https://evil.example' }
      expect(await answersTo(method, path, origin)).toEqual([refusal, refusal])
    },
  )

  it('is no page of an allowed origin, nor a person who opens the address', async () => {
    const allowed = { 'sec-fetch-site': 'cross-site', origin: 'https://store.example' }
    for (const headers of [allowed, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }, {}])
      expect((await answersTo('GET', '/offer?reference=cart-42', headers))[0]?.[0]).toBe(200)
  })

  it('is a page of this server under another name than publicOrigin', async () => {
    const shop = createTestShop({ publicOrigin: 'https://shop.example' })
    const post = async (origin: string, site?: string) =>
      (
        await shop.send('POST', '/checkouts', {
          body: { reference: 'a' },
          headers: { origin, host: 'evil.example', ...(site !== undefined && { 'sec-fetch-site': site }) },
        })
      ).status
    expect(await post('https://evil.example', 'same-origin')).toBe(403)
    expect(await post('https://evil.example')).toBe(403)
    expect(await post('https://shop.example', 'same-origin')).toBe(200)
    expect(await post('https://shop.example')).toBe(200)
  })
})

describe('a name that another site lets lead to this machine', () => {
  let server: Server
  let port = 0
  const shops = {
    test: createTestShop().paywindow,
    real: createTestShop({ test: false }).paywindow,
  }
  let shop: keyof typeof shops = 'test'
  beforeAll(async () => {
    server = createServer((req, res) => toNodeListener(shops[shop])(req, res))
    port = await openPort(server, { port: 0, host: '127.0.0.1' })
  })
  afterAll(() => server.close())

  /** The status for a visitor who asks for an offer by this name. */
  const ask = (host: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      request({ port, host: '127.0.0.1', path: '/paywindow/offer?reference=cart-42', headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end(),
    )

  it.each(['evil.example', '127.0.0.1.nip.example', 'localhost.evil.example'])('is refused: %s', async (name) => {
    shop = 'test'
    expect(await ask(`${name}:${port}`)).toBe(403)
  })

  it.each(['localhost', '127.0.0.1', '[::1]', '192.168.1.7', 'shop.localhost', 'shop.test', 'my-laptop'])(
    'is none of those that nobody can register: %s',
    async (name) => {
      shop = 'test'
      expect(await ask(`${name}:${port}`)).toBe(200)
    },
  )

  it('is none that a proxy before this port passes on, nor any in production', async () => {
    shop = 'test'
    expect([await ask('staging.example'), await ask('staging.example:8080')]).toEqual([200, 200])
    shop = 'real'
    expect(await ask(`shop.example:${port}`)).toBe(200)
  })
})
