import { describe, expect, it } from 'vitest'
import { listen } from '../server/http/listen.ts'
import type { PaywindowOptions } from '../server/options.ts'
import { createPaywindow } from '../server/paywindow.ts'
import { cartOffer } from '../server/shop.testing.ts'
import { freePort } from '../server/store/losing-replies.testing.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import { setUp } from './world.testing.ts'

const endpoint = 'https://shop.example/paywindow'

function createServer(options: Partial<PaywindowOptions> = {}) {
  const { sandbox, command } = setUp()
  const paywindow = createPaywindow({
    service: sandbox.access,
    store: createMemoryStore(),
    test: true,
    onError: () => {},
    offer: ({ reference }) => (reference === 'cart-42' ? cartOffer : null),
    ...options,
  })
  /** Answers as the server does under its own address. */
  const answer: typeof fetch = async (input, init) => paywindow.fetch(new Request(input, init))
  const check = (between: (next: typeof fetch) => typeof fetch = (next) => next, ...more: readonly string[]) =>
    command(['check', endpoint, '--reference', 'cart-42', ...more], {}, between(answer))
  return { sandbox, paywindow, command, check }
}

/** Answers the requests for which `of` returns a response. */
const instead =
  (of: (request: Request) => Response | undefined) =>
  (next: typeof fetch): typeof fetch => {
    return async (input, init) => of(new Request(input, init)) ?? next(input, init)
  }
const html = (status: number) => new Response('<!doctype html>', { status, headers: { 'content-type': 'text/html' } })

describe('paywindow check', () => {
  it('finds nothing wrong with a server that works, over a real connection, and creates nothing', async () => {
    const { paywindow, command, sandbox } = createServer()
    const server = await listen(paywindow, { port: 0, host: '127.0.0.1' })
    const address = `http://127.0.0.1:${server.port}/paywindow/`
    const { code, stdout, stderr } = await command(['check', address, '--reference', 'cart-42'], {}, fetch)
    await server.close()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      '✓ Endpoint: Paywindow answers there.\n' +
        '✓ Offer: 49.9 USD, 1 way to pay, in test mode: payers are told not to send money.\n' +
        '✓ Paths below it: They arrive.\n' +
        '✓ Creation: A POST arrives. Nothing was created.\n' +
        '✓ Cache: Answers are not stored.\n' +
        '– Encryption: None, on this machine.\n',
    )
    expect(sandbox.orders()).toEqual([])
    expect(await paywindow.checkouts.list()).toEqual([])
  })

  it.each([
    [
      'the shop’s own page',
      instead(() => html(404)),
      '✗ Endpoint: It answers 404 with text/html, and not as Paywindow does',
    ],
    [
      'a redirect',
      instead(() => new Response(null, { status: 308, headers: { location: '/paywindow/' } })),
      '✗ Endpoint: It answers with a redirect to /paywindow/',
    ],
    [
      'somebody else’s JSON',
      instead(() => Response.json({ offer: [] })),
      '✗ Endpoint: It answers 200 with application/json, and not as Paywindow does',
    ],
    [
      'only the paths that it names',
      instead(({ url }) => (/checkouts\/./.test(url) ? html(404) : undefined)),
      '✗ Paths below it: /checkouts/{id} is answered with 404',
    ],
    [
      'no POST',
      instead(({ method }) => (method === 'POST' ? html(403) : undefined)),
      '✗ Creation: A POST is answered with 403, not by Paywindow',
    ],
    [
      'a POST whose body something has read',
      (next: typeof fetch): typeof fetch =>
        async (input, init) =>
          next(input, init?.method === 'POST' ? { ...init, body: '' } : init),
      '✗ Creation: A POST arrives without its body',
    ],
    [
      'from a cache',
      (next: typeof fetch): typeof fetch =>
        async (input, init) => {
          const answer = await next(input, init)
          answer.headers.set('cache-control', 'max-age=3600')
          return answer
        },
      '✗ Cache: Something in front removes cache-control',
    ],
    [
      'what a cache has kept in spite of its headers',
      (next: typeof fetch): typeof fetch => {
        const kept = new Map<string, Response>()
        return async (input, init) => {
          const request = new Request(input, init)
          if (request.method !== 'GET') return next(input, init)
          const known = kept.get(request.url)
          const answer = known ?? (await next(input, init))
          if (known) known.headers.set('age', '0')
          else kept.set(request.url, answer)
          return answer.clone()
        }
      },
      '✗ Cache: Something in front keeps answers, although they say no-store',
    ],
    [
      'without the header that opens a checkout',
      (next: typeof fetch): typeof fetch =>
        async (input, init) => {
          const request = new Request(input, init)
          request.headers.delete('paywindow-key')
          return next(request)
        },
      '✗ Paths below it: The header paywindow-key does not arrive',
    ],
    [
      'with a clock of its own',
      (next: typeof fetch): typeof fetch =>
        async (input, init) => {
          const answer = await next(input, init)
          answer.headers.set('date', new Date(Date.now() + 60_000).toUTCString())
          return answer
        },
      "– Clock: The server's clock and this one differ by",
    ],
  ])('says what is wrong where the answer is %s', async (_, between, line) => {
    const { stdout, code } = await createServer().check(between)
    expect(stdout).toContain(line)
    expect(code).toBe(line.startsWith('✗') ? 1 : 0)
  })

  it('says why nothing answers', async () => {
    const address = `http://127.0.0.1:${await freePort()}/paywindow`
    const { code, stdout } = await setUp().command(['check', address], {}, fetch)
    expect([code, stdout]).toEqual([1, '✗ Endpoint: Nothing answers there: ECONNREFUSED. Is the server running?\n'])
  })

  it('says that an answer did not come in time', async () => {
    const late = () => Promise.reject(new DOMException('', 'TimeoutError'))
    const { stdout } = await setUp().command(['check', 'http://127.0.0.1/paywindow'], {}, late)
    expect(stdout).toContain('Nothing answers there: TimeoutError.')
  })

  it('says how the offer fails: refused, thrown, unusable', async () => {
    const refused = await createServer({ offer: () => null }).check()
    expect([refused.code, refused.stdout]).toEqual([
      0,
      expect.stringContaining('– Offer: offer returns null for "cart-42"'),
    ])
    const thrown = await createServer({ offer: () => Promise.reject(new Error('secret')) }).check()
    expect(thrown.code).toBe(1)
    expect(thrown.stdout).toMatch(
      /✗ Offer: offer fails for "cart-42": internal\. onError has the reason, incident \w{6}\./,
    )
    expect(thrown.stdout).not.toContain('secret')
  })

  it('checks whether a page of another site may use it', async () => {
    const page = ['--page', 'https://other.example/pay']
    const refused = await createServer().check(undefined, ...page)
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('✗ Other site: Add https://other.example to allowedOrigins.'),
    ])
    const allowed = createServer({ allowedOrigins: ['https://other.example'] })
    const { code, stdout } = await allowed.check(undefined, ...page)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('✓ Other site: Pages of https://other.example may use it.'),
    ])
    const preflight = instead(({ method }) => (method === 'OPTIONS' ? html(405) : undefined))
    expect((await allowed.check(preflight, ...page)).stdout).toContain('✗ Other site: Browsers will not let pages')
  })

  it('notices a proxy that changes the host', async () => {
    const proxied = (next: typeof fetch): typeof fetch => {
      return async (input, init) => next(String(input).replace('https://shop.example', 'http://10.0.0.7:8080'), init)
    }
    expect((await createServer().check(proxied)).stdout).toContain('✗ Creation: The server sees another host')
    const told = createServer({ publicOrigin: 'https://shop.example' })
    expect((await told.check(proxied)).stdout).toContain('✓ Creation')
  })

  it('prints JSON, and refuses a text that is no address', async () => {
    const { stdout } = await createServer().check(undefined, '--json')
    expect(JSON.parse(stdout)[0]).toEqual({ check: 'Endpoint', result: 'ok', words: 'Paywindow answers there.' })
    const { code, stderr } = await setUp().command(['check', 'shop.example/paywindow'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('The address must be an http or https address')])
  })
})
