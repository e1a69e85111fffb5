import { describe, expect, it } from 'vitest'
import { answer, failure, type Handler, order, query, setUp } from './client.testing.ts'
import { readRetryAfter } from './failures.ts'
import * as fixtures from './fixtures.testing.ts'

const wallet = { asset: 'USDC', name: 'T', address: '0x1', network: 'erc-20' }
const broken = (code: string) => () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}
const hanging: Handler = () => new Promise(() => undefined)

describe('retries', () => {
  const script = (...answers: Handler[]): Handler => {
    let next = 0
    return (request, signal) => {
      const handler = answers[Math.min(next, answers.length - 1)]
      next += 1
      if (!handler) throw new Error('An answer is needed')
      return handler(request, signal)
    }
  }
  const good = answer(fixtures.listAnswer)

  it.each([
    ['500', answer('', { status: 500 })],
    ['429', answer('', { status: 429 })],
    ['a reset', broken('ECONNRESET')],
    ['silence', hanging],
  ])('sends a GET again after %s, with backoff and jitter', async (_, bad) => {
    const { client, clock, requests } = setUp(script(bad, bad, good))
    expect((await clock.run(client.listOrders(query))).orders).toHaveLength(1)
    expect(requests).toHaveLength(3)
    expect(clock.sleeps.filter((ms) => ms !== 15_000)).toEqual([150, 300])
  })

  it('gives up after the retries it has', async () => {
    const { client, clock, requests } = setUp(answer('', { status: 500 }), { retries: 1 })
    expect(await failure(clock.run(client.orderDetails('o-1')))).toMatchObject({ code: 'unavailable' })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['400', answer('', { status: 400 })],
    ['404', answer('', { status: 404 })],
    ['HTML', answer('<html>')],
    ['a redirect', answer('', { status: 302 })],
  ])('does not send a GET again after %s', async (_, bad) => {
    const { client, requests } = setUp(bad)
    await failure(client.orderDetails('o-1'))
    expect(requests).toHaveLength(1)
  })

  it('never sends a POST or DELETE again', async () => {
    for (const bad of [answer('', { status: 503 }), answer('', { status: 429 }), broken('ECONNREFUSED'), hanging]) {
      const { client, clock, requests } = setUp(bad)
      await failure(clock.run(client.createOrder(order)))
      await failure(clock.run(client.registerWallet(wallet)))
      await failure(clock.run(client.deleteWallet('w-1')))
      expect(requests).toHaveLength(3)
    }
  })

  it.each([
    ['seconds', '7', 7000],
    ['a date', 'Sat, 21 Nov 2026 10:00:07 GMT', 7000],
    ['a date that has passed', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['nonsense', 'soon', 0],
  ])('waits as long as Retry-After says in %s', async (_, header, waitMs) => {
    const { client, clock } = setUp(script(answer('', { status: 503, headers: { 'retry-after': header } }), good))
    await clock.run(client.listOrders(query))
    expect(clock.sleeps).toContain(waitMs + 150)
  })

  it('reports a Retry-After that is too long instead of waiting for it', async () => {
    const { client, requests } = setUp(answer('', { status: 429, headers: { 'retry-after': '61' } }))
    expect(await failure(client.listOrders(query))).toMatchObject({ code: 'rate_limited', retryAfterMs: 61_000 })
    expect(requests).toHaveLength(1)
  })

  it.each([null, '', '-5', '1.5', '1e3', '99999999999'])('reads nothing from a Retry-After of %j', (header) => {
    expect(readRetryAfter(header, 0)).toBeUndefined()
  })
})

describe('the access token', () => {
  const only =
    (token: string, status = 401): Handler =>
    (request) =>
      request.headers.get('authorization') === `Bearer ${token}`
        ? new Response(fixtures.instructionsAnswer)
        : new Response('{"message":"expired"}', { status })

  it('is asked for once, and shared by requests that start together', async () => {
    let asked = 0
    const { client } = setUp(only('t1'), {
      accessToken: async () => {
        asked += 1
        return 't1'
      },
    })
    await Promise.all([client.createOrder(order), client.createOrder(order)])
    await client.createOrder(order)
    expect(asked).toBe(1)
  })

  it.each([401, 403])('is asked for again after a %i, and the call repeated once, a POST too', async (status) => {
    const tokens = ['t1', 't2']
    const { client, requests } = setUp(only('t2', status), { accessToken: () => tokens.shift() ?? 't3' })
    await Promise.all([client.createOrder(order), client.createOrder(order)])
    expect(requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer t1',
      'Bearer t1',
      'Bearer t2',
      'Bearer t2',
    ])
  })

  it('gives up when the second one is refused as well, and asks afresh for the next call', async () => {
    let asked = 0
    const { client, requests } = setUp(only('never'), {
      accessToken: () => {
        asked += 1
        return 'same'
      },
    })
    expect(await failure(client.createOrder(order))).toMatchObject({ code: 'unauthorized', serviceMessage: 'expired' })
    expect([requests.length, asked]).toEqual([2, 2])
    await failure(client.createOrder(order))
    expect(asked).toBeGreaterThan(2)
  })

  it('as text is not tried again', async () => {
    const { client, requests } = setUp(only('other'))
    expect(await failure(client.createOrder(order))).toMatchObject({ code: 'unauthorized', outcome: 'not_done' })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no vault'))],
    ['gives nothing', () => ''],
    ['gives a line break', () => 'a\nb'],
  ])('is a clear error when its function %s, and nothing is sent', async (_, accessToken) => {
    const { client, requests } = setUp(only('t'), { accessToken })
    const error = await failure(client.createOrder(order))
    expect(error).toMatchObject({ code: 'unauthorized', outcome: 'not_done', status: undefined })
    expect(error.message).toContain('accessToken function')
    expect(requests).toHaveLength(0)
  })

  it('that never comes ends in a timeout with nothing done', async () => {
    const { client, clock } = setUp(only('t'), { accessToken: () => new Promise<string>(() => undefined) })
    expect(await failure(clock.run(client.createOrder(order)))).toMatchObject({ code: 'timeout', outcome: 'not_done' })
  })

  it('is asked for anew where its function never came back', async () => {
    let asked = 0
    const accessToken = () => (++asked === 1 ? new Promise<string>(() => undefined) : 't')
    const { client, clock } = setUp(only('t'), { accessToken })
    expect(await failure(clock.run(client.createOrder(order)))).toMatchObject({ code: 'timeout', outcome: 'not_done' })
    expect((await clock.run(client.createOrder(order))).amount).not.toBeNull()
  })
})
