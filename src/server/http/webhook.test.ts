import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createTestShop } from '../shop.testing.ts'
import { createWebhook } from './webhook.ts'

const webhookSecret = 'a-secret_of.24~characters'
const url = `https://shop.example/hooks/${webhookSecret}`
/** As the service's documentation shows it. */
const event = {
  id: 'e1',
  event: 'order.confirmed',
  account_id: 'a1',
  data: { order_id: 'order-1', status: 'confirmed', target_amount: '49.90', target_asset: 'USD', message: '' },
}

function setUp() {
  const clock = createVirtualClock()
  const hints: string[] = []
  const webhook = createWebhook({ webhookSecret, clock, report: () => undefined }, (id) => hints.push(id))
  async function send(path: string, init: RequestInit & { duplex?: 'half' } = {}) {
    const response = await clock.run(
      webhook(new Request(path, { method: 'POST', body: JSON.stringify(event), ...init })),
    )
    return { status: response.status, text: await response.text(), allow: response.headers.get('allow') }
  }
  return { send, hints }
}

describe('the webhook', () => {
  it.each<[string, string, Record<string, string>]>([
    ['the path', url, {}],
    ['a path with a slash at its end', `${url}/?a=b`, {}],
    ['a header', 'https://shop.example/hooks', { authorization: `Bearer ${webhookSecret}` }],
    ['the path, with a token of a gateway', url, { authorization: 'Bearer eyJhbGciOi.gateway.jwt' }],
    ['the path, with a password of a proxy', url, { authorization: 'Basic c3RhZ2luZzpwdw==' }],
    [
      'a header that a gateway has moved',
      'https://shop.example/hooks',
      { authorization: 'Bearer x', 'x-forwarded-authorization': `bearer ${webhookSecret}` },
    ],
    ['a header with two', 'https://shop.example/hooks', { authorization: `Bearer x, Bearer ${webhookSecret}` }],
  ])('takes the secret in %s, and the order id as a hint', async (_, path, headers) => {
    const { send, hints } = setUp()
    expect(await send(path, { headers })).toMatchObject({ status: 204, text: '' })
    expect(hints).toEqual(['order-1'])
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['no secret', 'https://shop.example/hooks', {}, 404],
    ['another secret', 'https://shop.example/hooks/a-secret_of.24~characterz', {}, 404],
    ['the beginning of the secret', url.slice(0, -1), {}, 404],
    ['the secret and more', `${url}x`, {}, 404],
    ['the secret in the query', `https://shop.example/hooks?${webhookSecret}`, {}, 404],
    ['another secret in the header', 'https://shop.example/hooks', { authorization: 'Bearer x' }, 401],
    ['another secret in both', 'https://shop.example/hooks/x', { authorization: 'Bearer x' }, 401],
    [
      'the secret and more in the header',
      'https://shop.example/hooks',
      { authorization: `Bearer ${webhookSecret}x` },
      401,
    ],
    ['the secret as another scheme', 'https://shop.example/hooks', { authorization: `Basic ${webhookSecret}` }, 404],
  ])('refuses %s without words', async (_, path, headers, status) => {
    const { send, hints } = setUp()
    expect(await send(path, { headers })).toEqual({ status, text: '', allow: null })
    expect(hints).toEqual([])
  })

  it.each(['41001', '10000000000000001', '"10000000000000001"', '9007199254740993', '1.50'])(
    'takes the order id %s as it is written',
    async (text) => {
      const { send, hints } = setUp()
      expect(await send(url, { body: `{"data":{"order_id":${text}}}` })).toMatchObject({ status: 204 })
      expect(hints).toEqual([text.replaceAll('"', '')])
    },
  )

  it('says once that something has read the body before, or has lost digits of its id', async () => {
    const clock = createVirtualClock()
    const reported: string[] = []
    const report = ({ message }: Error) => void reported.push(message)
    const webhook = createWebhook({ webhookSecret, clock, report }, () => undefined)
    for (const read of ['text', 'body'] as const) {
      const request = new Request(url, { method: 'POST', body: JSON.stringify(event) })
      if (read === 'text') await request.text()
      else request.body?.getReader()
      expect((await clock.run(webhook(request))).status).toBe(400)
    }
    await clock.run(webhook(new Request(url, { method: 'POST', body: '{"data":{"order_id":null}}' })))
    expect(reported).toEqual([expect.stringContaining('mount the webhook before body parsers')])
  })

  it.each<[string, RequestInit & { duplex?: 'half' }, number]>([
    ['another method', { method: 'PUT' }, 405],
    ['more than 64 KiB', { body: JSON.stringify({ ...event, more: 'x'.repeat(65_536) }) }, 413],
    ['no JSON', { body: '{' }, 400],
    ['a body that never ends', { body: new ReadableStream(), duplex: 'half' }, 400],
    ['an event without an order', { body: JSON.stringify({ ...event, data: {} }) }, 204],
    ['an event without data', { body: 'null' }, 204],
    ['an order id that is too long', { body: JSON.stringify({ data: { order_id: 'x'.repeat(101) } }) }, 204],
    ['an order id of two lines', { body: JSON.stringify({ data: { order_id: 'a\nb' } }) }, 204],
    ['an order id that is no text', { body: JSON.stringify({ data: { order_id: { $ne: null } } }) }, 204],
  ])('does nothing for %s', async (_, init, status) => {
    const { send, hints } = setUp()
    expect(await send(url, init)).toMatchObject({ status, text: '', allow: status === 405 ? 'POST' : null })
    expect(hints).toEqual([])
  })

  it('is not there without a secret, and says so once', async () => {
    const clock = createVirtualClock()
    const reported: string[] = []
    const webhook = createWebhook({ clock, report: ({ message }) => reported.push(message) }, () => undefined)
    const post = () => clock.run(webhook(new Request(`https://shop.example/hooks/`, { method: 'POST', body: '{}' })))
    expect([(await post()).status, (await post()).status]).toEqual([404, 404])
    expect(reported).toEqual([expect.stringContaining('webhookSecret is not set')])
  })
})

describe('webhookSecret', () => {
  it.each(['', 'only-15-letters', 'a secret with spaces', 'a/secret/with/slashes', 'x'.repeat(257)])(
    'is not %j',
    (secret) => expect(() => createTestShop({ webhookSecret: secret })).toThrow('webhookSecret must have 16 to 256'),
  )
})
