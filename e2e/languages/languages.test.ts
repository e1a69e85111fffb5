/**
 * examples/languages in PHP, Python, Ruby and Go: each file makes the links of the vectors and
 * verifies their events, and each shop sends a payer to a real server and takes an event.
 */
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { signWebhook } from '../../src/serve/standard-webhook.ts'
import { createPaywindow, type Listening, listen, type PaywindowServer } from '../../src/server/node.ts'
import {
  findWrongInGo,
  languages,
  prepareGo,
  type Result,
  removeCompiled,
  type Shop,
  signed,
  startShop,
} from './programs.ts'

interface Vectors {
  readonly now: number
  readonly page: string
  readonly linkSecret: string
  readonly signatures: readonly { readonly secret: string; readonly payload: string; readonly signature: string }[]
  readonly links: readonly { readonly name: string; readonly claims: object }[]
  readonly refusedLinks: readonly {
    readonly error: string
    readonly page?: string
    readonly secret?: string | null
    readonly claims?: object & { readonly amount?: unknown }
  }[]
  readonly events: readonly {
    readonly name: string
    readonly secrets: readonly string[]
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly error?: string
  }[]
}

const path = new URL('../../examples/languages/vectors.json', import.meta.url)
const vectors: Vectors = JSON.parse(readFileSync(path, 'utf8'))
const { now, page, linkSecret: secret } = vectors
const leastClaims = { order: 'order-7', exp: now + 60 }

/** What a shop has been told of an order, in this order, and what it makes of it. */
const orders: readonly {
  readonly name: string
  readonly events: readonly (readonly [type: string, data?: object])[]
  readonly status: string
  readonly payments: readonly string[]
}[] = [
  { name: 'does nothing twice', events: [['paid'], ['paid']], status: 'paid', payments: ['paid'] },
  { name: 'does nothing backwards', events: [['paid'], ['seen', at(-1)]], status: 'paid', payments: ['paid'] },
  {
    name: 'takes no other price for paid',
    events: [
      ['paid', { price: { asset: 'EUR', amount: '49.9' } }],
      ['paid_twice', { checkout: 'b', price: { asset: 'USD', amount: '49.90' } }],
    ],
    status: 'held',
    payments: ['wrong_price', 'wrong_price'],
  },
  {
    name: 'sends nothing, and cancels nothing, for a test payment of a live shop',
    events: [
      ['paid', { test: true }],
      ['lapsed', { ...at(1), checkout: 'b', test: true }],
    ],
    status: 'open',
    payments: ['test', 'test'],
  },
  {
    name: 'takes a payment beside the test payment of a live shop',
    events: [
      ['paid_twice', { checkout: 'b', test: true }],
      ['paid', { test: false }],
    ],
    status: 'paid',
    payments: ['paid', 'test'],
  },
  {
    name: 'asks a person where the service has another amount',
    events: [['paid'], ['short', { ...at(1), phase: 'paid_less' }]],
    status: 'held',
    payments: ['short'],
  },
  {
    name: 'cancels nothing after a payment was taken back',
    events: [['paid'], ['taken_back', at(1)], ['ended', at(2)], ['lapsed', at(3)], ['returned', at(4)]],
    status: 'stopped',
    payments: ['taken_back'],
  },
  {
    name: 'sends what was taken back and paid again',
    events: [['taken_back'], ['seen', at(1)], ['paid', at(2)]],
    status: 'paid',
    payments: ['paid'],
  },
  {
    name: 'cancels nothing while another payment goes on',
    events: [['seen'], ['ended', { ...at(1), checkout: 'b' }], ['lapsed', { ...at(2), checkout: 'c' }]],
    status: 'held',
    payments: ['ended', 'lapsed', 'seen'],
  },
  {
    name: 'takes no payment for older than a lapse that a clock ahead has told',
    events: [['ended'], ['lapsed', at(60)], ['paid', at(1)]],
    status: 'paid',
    payments: ['paid'],
  },
  {
    name: 'stays cancelled when what was told before comes again',
    events: [['ended'], ['lapsed', at(60)], ['ended']],
    status: 'cancelled',
    payments: ['lapsed'],
  },
  {
    name: 'does nothing that it does not know',
    events: [['paid'], ['new_in_another_version', at(1)]],
    status: 'paid',
    payments: ['paid'],
  },
]

function at(second: number): { readonly at: string } {
  return { at: new Date(Date.UTC(2026, 10, 21, 9, 43, second)).toISOString() }
}

function eventOf(type: string, data: object = {}): string {
  const price = { asset: 'EUR', amount: '49.90' }
  const all = { order: 'order-7', number: 'Bücher 7', price, checkout: 'a', ...at(0), ...data }
  return JSON.stringify({ type: `payment.${type}`, data: all })
}

beforeAll(prepareGo)
afterAll(removeCompiled)

it('Go finds nothing wrong', () => {
  expect(findWrongInGo()).toBe('')
})

it('Python reads a body in chunks, which has no length, from a server that knows its end', () => {
  const code = `
import io, shop
environ = {"wsgi.input": io.BytesIO(b"an event"), "wsgi.input_terminated": True}
print(shop.read_body(environ).decode(), shop.read_body({**environ, "wsgi.input": io.BytesIO(b"x" * 2_000_000)})[1_048_577:])`
  const cwd = fileURLToPath(new URL('../../examples/languages', import.meta.url))
  const env = { ...process.env, ORDER_SECRET: 'a secret', PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = spawnSync('python3', ['-c', code], { cwd, env, encoding: 'utf8' })
  expect(stdout).toBe("an event b''\n")
})

describe.each(Object.entries(languages))('%s', (name, language) => {
  const call = (calls: readonly object[]): readonly Result[] => JSON.parse(language.run(JSON.stringify({ now, calls })))

  it('signs as the vectors say', () => {
    const results = call(vectors.signatures.map(({ secret, payload }) => ({ does: 'sign', secret, payload })))
    expect(results).toEqual(vectors.signatures.map(({ signature }) => ({ value: signature })))
  })

  it('makes links with the claims of the vectors, which it signs', () => {
    const results = call(vectors.links.map(({ claims }) => ({ does: 'link', page, secret, claims })))
    const parts = results.map(({ value }) => /^(.*)\?link=([\w-]+)\.([\w-]+)$/.exec(`${value}`)?.slice(1) ?? [])
    const claimsOf = (payload = '') => JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(parts.map(([, payload]) => claimsOf(payload))).toEqual(vectors.links.map(({ claims }) => claims))
    expect(new Set(parts.map(([address]) => address))).toEqual(new Set([page]))
    expect(Math.max(...results.map(({ value }) => `${value}`.length))).toBeLessThan(4_000)
    const signed = call(parts.map(([, payload]) => ({ does: 'sign', secret, payload })))
    expect(signed.map(({ value }) => value)).toEqual(parts.map(([, , signature]) => signature))
  })

  it('refuses what no link can say, and says what to do', () => {
    const results = call(
      vectors.refusedLinks.map(({ error, claims, ...other }) => {
        return { does: 'link', page, secret, ...other, claims: { ...leastClaims, ...claims } }
      }),
    )
    // Where types say that an amount is text, a float is not even compiled.
    const compiled = vectors.refusedLinks.flatMap(({ error, claims: { amount = '' } = {} }, at) =>
      results[at]?.type !== undefined && typeof amount !== 'string' ? [] : [[error, results[at]?.error]],
    )
    expect(compiled.length).toBeGreaterThan(70)
    expect(compiled.map(([, given]) => given)).toEqual(compiled.map(([error]) => error))
  })

  it('takes the events of the vectors, and refuses each other one for its reason', () => {
    const results = call(
      vectors.events.map(({ secrets, headers, body }) => ({ does: 'event', secrets, headers, body })),
    )
    const given = results.map(({ value, invalid, error }, at) => [vectors.events[at]?.name, invalid ?? error ?? value])
    expect(given).toEqual(vectors.events.map(({ name, error, body }) => [name, error ?? JSON.parse(body)]))
    // A secret that is none is the shop's mistake, and no reason to refuse an event.
    const secrets = vectors.events.map(({ error }) => error?.startsWith('secrets must') ?? false)
    expect(results.map(({ error }) => error !== undefined)).toEqual(secrets)
  })

  it.each(['', ' '])(
    'its shop shows no order while its own secret is %j, by which everybody could sign',
    async (own) => {
      const shop = await startShop(language, { ORDER_SECRET: own }).catch(() => undefined)
      // In PHP it starts with each request.
      expect(shop === undefined).toBe(name !== 'PHP')
      if (!shop) return
      const guessed = `order-7.${createHmac('sha256', own).update('order-7').digest('base64url')}`
      expect((await fetch(`${shop.url}/orders/${guessed}`)).status).toBe(500)
      await shop.kill()
    },
  )

  describe('its shop', () => {
    const sandbox = createSandbox()
    const secrets = ['whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXch', 'whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQh']
    const folder = mkdtempSync(join(tmpdir(), 'paywindow-shop-'))
    const eventsFile = join(folder, 'events')
    let paywindow: PaywindowServer
    let server: Listening
    let shop: Shop

    beforeAll(async () => {
      paywindow = createPaywindow({
        service: sandbox.access,
        test: true,
        storePath: ':memory:',
        linkSecret: secret,
        offer: ({ link }) =>
          link?.price
            ? {
                price: link.price,
                methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
                merchant: { name: 'Lantern Books' },
              }
            : null,
      })
      server = await listen(paywindow, { port: 0, host: '127.0.0.1' })
      shop = await startShop(language, {
        PAYWINDOW_PAGE: `http://127.0.0.1:${server.port}/paywindow/pay`,
        PAYWINDOW_LINK_SECRET: secret,
        PAYWINDOW_EVENT_SECRETS: secrets.join(' '),
        EVENTS_FILE: eventsFile,
      })
    })
    afterAll(async () => {
      await shop?.kill()
      rmSync(folder, { recursive: true })
      await server.close()
      await paywindow.close()
    })

    const send = async (id: string, body: string, sent = body) => {
      const timestampS = Math.floor(Date.now() / 1_000)
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': `${timestampS}`,
        'webhook-signature': signWebhook(secrets.slice(1), id, timestampS, body),
      }
      const answer = await fetch(`${shop.url}/events`, { method: 'POST', headers, body: sent })
      return [answer.status, (await answer.text()).trim()]
    }

    const look = async () => (await fetch(`${shop.url}/orders/${signed('order-7')}`)).json()

    it('sends a payer to the page, which asks for the signed price', async () => {
      const { status, headers } = await fetch(`${shop.url}/orders/${signed('order-7')}/pay`, { redirect: 'manual' })
      expect(status).toBe(303)
      const link = headers.get('location') ?? ''
      const first = await fetch(link, { headers: { 'accept-language': 'en' } })
      expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('€49.90')])
      const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
      const own = { cookie, origin: new URL(link).origin }
      expect((await fetch(link, { method: 'POST', body, headers: own, redirect: 'manual' })).status).toBe(303)
      expect(sandbox.orders()).toMatchObject([{ targetAsset: 'EUR', targetAmount: '49.9' }])
    })

    it('knows no other order, and shows none to a visitor who has not its signed name', async () => {
      const own = signed('order-7')
      const changed = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`
      const guessed = ['order-7', 'order-7.', changed, `order-8${own.slice(7)}`, signed('order-8'), `${own}\u00e9`]
      const others = ['constructor', signed('constructor'), '', `${own}%0A`, '..', `${own}/paid`, `${own}/`]
      for (const path of [...guessed, ...others])
        for (const more of ['', '/pay'])
          expect((await fetch(`${shop.url}/orders/${path}${more}`, { redirect: 'manual' })).status, path).toBe(404)
      expect(await send('msg_0', eventOf('paid', { order: 'order-8' }))).toEqual([404, 'There is no such order.'])
    })

    it('takes an event that one of its two secrets has signed', async () => {
      expect(await look()).toEqual({ status: 'open', payments: [] })
      expect(await send('msg_1', eventOf('paid'))).toEqual([204, ''])
      expect(await look()).toEqual({ status: 'paid', payments: ['paid'] })
    })

    it.each(orders)('$name', async ({ events, status, payments }) => {
      rmSync(eventsFile)
      for (const [type, data] of events) expect((await send('msg_3', eventOf(type, data)))[0]).toBe(204)
      expect(await look()).toEqual({ status, payments })
    })

    it('reads on after half a line', async () => {
      writeFileSync(eventsFile, `\n${eventOf('paid').slice(0, 99)}`)
      expect(await look()).toEqual({ status: 'open', payments: [] })
      expect(await send('msg_4', eventOf('seen'))).toEqual([204, ''])
      expect(await look()).toEqual({ status: 'held', payments: ['seen'] })
    })

    it('does not say that it has an event that it cannot store', async () => {
      rmSync(eventsFile)
      mkdirSync(eventsFile)
      expect((await send('msg_5', eventOf('paid')))[0]).toBe(500)
      rmSync(eventsFile, { recursive: true })
      expect(await look()).toEqual({ status: 'open', payments: [] })
    })

    it('refuses another, and says why', async () => {
      const body = eventOf('paid')
      expect(await send('msg_2', body, body.replace('order-7', 'order-8'))).toEqual([
        400,
        'webhook-signature matches no secret: it is another, or the body was changed',
      ])
      expect(await send('msg_2', '[]')).toEqual([400, 'the body is no JSON object'])
      expect(await send('msg_2', `${body}${' '.repeat(1_048_577)}`)).toEqual([400, 'the body is larger than 1 MiB'])
      for (const unsigned of [{ body }, {}])
        expect([(await fetch(`${shop.url}/events`, { method: 'POST', ...unsigned })).status, name]).toEqual([400, name])
    })
  })
})
