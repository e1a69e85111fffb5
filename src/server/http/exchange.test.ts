/**
 * Requests by the listener of Node, which goes without `fetch`, beside the same requests by
 * `fetch`.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { keyHeader } from '../../contract/checkout.ts'
import { createTestShop } from '../shop.testing.ts'
import { type Listening, listen, toNodeListener } from './listen.ts'

let listening: Listening | undefined
afterEach(() => listening?.close())

const json = { 'content-type': 'application/json' }
const close = { connection: 'close' }

async function told(response: Response) {
  const {
    connection,
    'keep-alive': _,
    date,
    'transfer-encoding': __,
    ...headers
  } = Object.fromEntries(response.headers)
  return {
    status: response.status,
    headers: { ...headers, 'content-length': '' },
    text: (await response.text()).replace(/"incident":"\w+"/, ''),
  }
}

describe('a listener', () => {
  it('answers as fetch does', async () => {
    const shop = createTestShop({ allowedOrigins: ['https://shop.example'] })
    const checkout = await shop.open()
    await shop.settle()
    listening = await listen(shop.paywindow, { port: 0, host: '127.0.0.1' })
    const { port } = listening
    const path = `/checkouts/${checkout.id}`
    const key = { [keyHeader]: checkout.key }
    const url = `http://127.0.0.1:${port}/paywindow${path}`
    const etag = (await shop.paywindow.fetch(new Request(url, { headers: key }))).headers.get('etag') ?? ''
    const requests: readonly (readonly [string, RequestInit])[] = [
      [path, { headers: key }],
      [path, { headers: { ...key, 'if-none-match': etag } }],
      [path, { headers: { ...key, origin: 'https://shop.example' } }],
      [path, { headers: { [keyHeader]: 'wrong' } }],
      [path, { method: 'HEAD', headers: key }],
      [path, { method: 'PUT', headers: key }],
      [`${path}/handover`, { method: 'GET', headers: key }],
      ['/offer?reference=cart-42', {}],
      ['/offer', {}],
      ['/nowhere', {}],
      ['/checkouts', { method: 'OPTIONS', headers: { origin: 'https://shop.example' } }],
      ['/checkouts', { method: 'POST', headers: json, body: '{"reference":"cart-42"}' }],
      ['/checkouts', { method: 'POST', headers: json, body: '{' }],
      ['/checkouts', { method: 'POST', headers: { ...json, origin: 'https://other.example' }, body: '{}' }],
      ['/icons/btc', {}],
    ]
    for (const [to, init] of requests) {
      const address = `http://127.0.0.1:${port}/paywindow${to}`
      const direct = await told(await shop.paywindow.fetch(new Request(address, init)))
      const sent = await told(await fetch(address, { ...init, headers: { ...init.headers, ...close } }))
      // No client shows the body of an answer to HEAD.
      const text = init.method === 'HEAD' ? '' : direct.text
      expect.soft({ to, ...sent }).toEqual({ to, ...direct, text })
    }
  })

  it('asks the fetch that it was given where that is not the server’s own', async () => {
    const shop = createTestShop()
    const asked: string[] = []
    const wrapped = {
      fetch: async (request: Request) => {
        asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('a')}`)
        const response = await shop.paywindow.fetch(request)
        response.headers.set('b', 'set')
        return response
      },
    }
    listening = await listen(wrapped, { port: 0, host: '127.0.0.1' })
    const { port } = listening
    const response = await fetch(`http://127.0.0.1:${port}/x/nowhere`, { headers: { a: 'one', ...close } })
    expect([response.status, response.headers.get('b')]).toEqual([404, 'set'])
    expect(asked).toEqual(['GET /x/nowhere one'])
  })

  it('sends every cookie of a fetch that it was given', async () => {
    const shop = createTestShop()
    const cookies = ['session=abc; HttpOnly; Expires=Wed, 21 Oct 2037 07:28:00 GMT', 'group=2']
    const wrapped = {
      fetch: async (request: Request) => {
        const response = await shop.paywindow.fetch(request)
        for (const cookie of cookies) response.headers.append('set-cookie', cookie)
        return response
      },
    }
    listening = await listen(wrapped, { port: 0, host: '127.0.0.1' })
    const response = await fetch(`http://127.0.0.1:${listening.port}/nowhere`, { headers: close })
    expect(response.headers.getSetCookie()).toEqual(cookies)
  })

  it('knows its host where the server speaks HTTP/2', async () => {
    const asked: string[] = []
    const listener = toNodeListener({
      fetch: async ({ url, headers }) => {
        asked.push(url, `${headers.get('cookie')}`)
        return new Response('hello')
      },
    })
    const server = createServer((req, res) => listener(req as never, res as never))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const session = connect(`http://127.0.0.1:${port}`)
    const request = session.request({ ':path': '/paywindow/offer?a=1', ':authority': 'shop.example', cookie: 'a=1' })
    const [headers] = await once(request, 'response')
    session.close()
    server.close()
    expect(headers[':status']).toBe(200)
    expect(asked).toEqual(['http://shop.example/paywindow/offer?a=1', 'a=1'])
  })
})
