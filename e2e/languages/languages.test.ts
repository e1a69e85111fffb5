/**
 * examples/languages in PHP, Python, Ruby and Go: each file makes the links of the vectors and
 * verifies their events, and each shop sends a payer to a real server and takes an event.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { signWebhook } from '../../src/serve/standard-webhook.ts'
import { createPaywindow, type Listening, listen, type PaywindowServer } from '../../src/server/node.ts'
import { findWrongInGo, languages, prepareGo, type Result, removeCompiled, type Shop, startShop } from './programs.ts'

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

beforeAll(prepareGo)
afterAll(removeCompiled)

it('Go finds nothing wrong', () => {
  expect(findWrongInGo()).toBe('')
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

  describe('its shop', () => {
    const sandbox = createSandbox()
    const secrets = ['whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXch', 'whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQh']
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
      })
      await vi.waitFor(() => fetch(shop.url), { timeout: 20_000, interval: 20 })
    })
    afterAll(async () => {
      shop?.close()
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

    it('sends a payer to the page, which asks for the signed price', async () => {
      const { status, headers } = await fetch(`${shop.url}/orders/order-7/pay`, { redirect: 'manual' })
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

    it('knows no other order', async () => {
      for (const id of ['order-8', 'constructor', '', 'order-7%0A', '..'])
        expect((await fetch(`${shop.url}/orders/${id}/pay`, { redirect: 'manual' })).status, id).toBe(404)
    })

    it('takes an event that one of its two secrets has signed', async () => {
      const body = JSON.stringify({ type: 'paid', data: { order: 'Bücher-7' } })
      expect(await send('msg_1', body)).toEqual([204, ''])
      expect(await shop.nextLine()).toBe('msg_1 paid Bücher-7')
    })

    it('refuses another, and says why', async () => {
      const body = JSON.stringify({ type: 'paid', data: { order: 'order-7' } })
      expect(await send('msg_2', body, body.replace('7', '8'))).toEqual([
        400,
        'webhook-signature matches no secret: it is another, or the body was changed',
      ])
      expect(await send('msg_2', '[]')).toEqual([400, 'the body is no JSON object'])
      expect(await send('msg_2', `${body}${' '.repeat(1_048_577)}`)).toEqual([400, 'the body is larger than 1 MiB'])
      expect([(await fetch(`${shop.url}/events`, { method: 'POST', body })).status, name]).toEqual([400, name])
    })
  })
})
