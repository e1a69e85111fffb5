import { describe, expect, it } from 'vitest'
import { PaywindowError } from '../contract/errors.ts'
import { answer, failure, type Handler, order, setUp } from './client.testing.ts'
import { createObservedClient } from './client.ts'
import * as fixtures from './fixtures.testing.ts'
import type { ServiceOptions } from './options.ts'
import type { RequestReport, ServiceClient } from './types.ts'
import { createVirtualClock } from './virtual-clock.testing.ts'

describe('what is sent', () => {
  it('creates an order as the reference says, with amounts as text', async () => {
    const { client, requests } = setUp(answer(fixtures.instructionsAnswer))
    await client.createOrder(order)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', url: 'https://service.example/v1/order/exchange' })
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'x-sub-account-id': 'sub-1',
      accept: 'application/json',
      'content-type': 'application/json',
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      source_asset: 'ETH',
      target_asset: 'USD',
      network: 'erc-20',
      target_amount: '49.9',
    })
  })

  it('sends pool_balance only when it is set', async () => {
    const { client, requests } = setUp(answer(fixtures.instructionsAnswer))
    await client.createOrder({ ...order, poolBalance: false })
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ pool_balance: false })
  })

  it('lists with every documented parameter, the sub-account and no body', async () => {
    const { client, requests } = setUp(answer(fixtures.listAnswer))
    await client.listOrders({ status: 'open', search: 'a b&c', orderBy: 'created_at', page: 0, size: 50 })
    const url = new URL(requests[0]?.url ?? '')
    expect(url.pathname).toBe('/v1/order')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      status: 'open',
      search: 'a b&c',
      order_by: 'created_at',
      page: '0',
      size: '50',
    })
    expect(requests[0]?.headers['x-sub-account-id']).toBe('sub-1')
    expect(requests[0]?.headers['content-type']).toBeUndefined()
  })

  it('keeps a path prefix of the base URL and encodes ids', async () => {
    const { client, requests } = setUp(answer('{"id":"a/b?c","status":"open"}'), { baseUrl: 'http://h.example/api/' })
    await client.orderDetails('a/b?c')
    expect(requests[0]?.url).toBe('http://h.example/api/v1/orders/details/a%2Fb%3Fc')
  })

  it('registers and deletes wallets on the documented paths', async () => {
    const { client, requests } = setUp((request) =>
      request.method === 'POST' ? new Response(fixtures.walletExampleAnswer) : new Response(fixtures.messageAnswer),
    )
    await client.registerWallet({ asset: 'USDC', name: 'Treasury', address: '0x1', network: 'erc-20' })
    expect(await client.deleteWallet('w 1')).toBe('Wallet address deleted')
    expect(requests.map((request) => `${request.method} ${request.url}`)).toEqual([
      'POST https://service.example/v1/subaccount/wallet-address/external',
      'DELETE https://service.example/v1/subaccount/wallet-address/id/w%201',
    ])
  })

  it.each([
    ['an empty id', (c: ServiceClient) => c.orderDetails('')],
    ['a dot', (c: ServiceClient) => c.orderDetails('.')],
    ['two dots', (c: ServiceClient) => c.deleteWallet('..')],
    ['no amount', (c: ServiceClient) => c.createOrder({ sourceAsset: 'BTC', targetAsset: 'USD' })],
    ['an amount of zero', (c: ServiceClient) => c.createOrder({ ...order, targetAmount: '0.00' })],
    ['a negative amount', (c: ServiceClient) => c.createOrder({ ...order, targetAmount: '-1' })],
    ['no asset', (c: ServiceClient) => c.createOrder({ ...order, sourceAsset: '' })],
    ['half a page', (c: ServiceClient) => c.listOrders({ page: 0.5, size: 10 })],
    ['a size of zero', (c: ServiceClient) => c.listOrders({ page: 0, size: 0 })],
  ])('refuses %s before anything is sent', async (_, work) => {
    const { client, requests } = setUp(answer('{}'))
    expect(await failure(work(client))).toMatchObject({ code: 'invalid_request', outcome: 'not_done' })
    expect(requests).toHaveLength(0)
  })
})

describe('options', () => {
  it.each<[string, Partial<ServiceOptions>]>([
    ['a relative URL', { baseUrl: '/api' }],
    ['a URL of another kind', { baseUrl: 'ftp://host' }],
    ['a password in the URL', { baseUrl: 'https://user:pass@host' }],
    ['an empty token', { accessToken: '' }],
    ['a token with a line break', { accessToken: 'a\r\nx-evil: 1' }],
    ['a sub-account with a line break', { subAccountId: 'a\n' }],
    ['a timeout of zero', { timeoutMs: 0 }],
    ['a timeout no timer can hold', { timeoutMs: 2 ** 31 }],
    ['half a retry', { retries: 0.5 }],
  ])('refuses %s without showing its value', (_, options) => {
    const create = () => setUp(answer('{}'), options)
    expect(create).toThrow(PaywindowError)
    expect(create).toThrow(/^(?!.*(evil|pass@))/s)
  })

  it('names all that is missing, as when no variable of the environment is set', () => {
    expect(() => setUp(answer('{}'), { baseUrl: undefined, accessToken: undefined } as object)).toThrow(
      'baseUrl, accessToken of the service: missing. If they come from the environment, are its variables set?',
    )
  })
})

describe('what is told of requests', () => {
  const told = async (handler: Handler, work: (client: ServiceClient) => Promise<unknown>, token?: () => string) => {
    const reports: RequestReport[] = []
    const clock = createVirtualClock()
    const client = createObservedClient(
      {
        baseUrl: 'https://service.example/prefix',
        accessToken: token ?? 'secret-token',
        subAccountId: 'sub-1',
        clock,
        retries: 0,
        fetch: async (input, init) => {
          await clock.sleep(120)
          return handler(new Request(input, init), init?.signal ?? null)
        },
      },
      (report) => reports.push(report),
    )
    await clock.run(work(client).catch(() => undefined))
    return reports
  }
  const details = (client: ServiceClient) => client.orderDetails('order/1')

  it('is the route, the address without the query, the result and the time', async () => {
    const reports = await told(answer(fixtures.listAnswer), (client) =>
      client.listOrders({ search: 'payer@mail.example', page: 1, size: 10 }),
    )
    expect(reports).toEqual([
      {
        method: 'GET',
        route: '/v1/order',
        url: 'https://service.example/prefix/v1/order',
        status: 200,
        errorCode: null,
        sentAtMs: expect.any(Number),
        tookMs: 120,
      },
    ])
  })

  it.each<[string, Handler, Partial<RequestReport>]>([
    ['a refusal', answer('{}', { status: 429 }), { status: 429, errorCode: 'rate_limited' }],
    ['an answer that is too long', answer('x'.repeat(2_000_000)), { status: 200, errorCode: 'invalid_answer' }],
    ['a broken connection', () => Promise.reject(new Error('reset')), { status: null, errorCode: 'unreachable' }],
    ['no answer', () => new Promise(() => undefined), { status: null, errorCode: 'timeout', tookMs: 15_000 }],
  ])('says how it ended: %s', async (_, handler, result) => {
    const route = '/v1/orders/details/{id}'
    const url = 'https://service.example/prefix/v1/orders/details/order%2F1'
    expect(await told(handler, details)).toEqual([expect.objectContaining({ route, url, ...result })])
  })

  it('is both requests where the first was refused for its token, and none where there was no token', async () => {
    const tokens = ['old', 'new']
    const handler: Handler = (request) =>
      new Response('{}', { status: request.headers.get('authorization') === 'Bearer old' ? 401 : 404 })
    const reports = await told(handler, details, () => tokens.shift() ?? '')
    expect(reports.map(({ status }) => status)).toEqual([401, 404])
    const refused = () => {
      throw new Error('no token')
    }
    expect(await told(handler, details, refused)).toEqual([])
  })

  it('is both requests, however short the time of one is', async () => {
    const tokens = ['old', 'new']
    const { client, clock } = setUp(
      (request) =>
        request.headers.get('authorization') === 'Bearer old'
          ? new Response('{}', { status: 401 })
          : new Response(fixtures.instructionsAnswer),
      { accessToken: () => tokens.shift() ?? '', timeoutMs: 1_000 },
    )
    await expect(clock.run(client.createOrder(order))).resolves.toBeDefined()
  })

  it('is one request where no time is left for a second', async () => {
    const { client, clock, requests } = setUp(
      async () => {
        await clock.sleep(14_000)
        return new Response('{}', { status: 401 })
      },
      { accessToken: () => `token-${clock.now()}` },
    )
    expect(await clock.run(failure(client.createOrder(order)))).toMatchObject({ code: 'unauthorized' })
    expect(requests).toHaveLength(1)
  })

  it('is that the second ended when the time of one request was over: others go by that', async () => {
    const tokens = ['old', 'new']
    const { client, clock } = setUp(
      async (request) => {
        if (request.headers.get('authorization') !== 'Bearer old') return new Promise<never>(() => {})
        await clock.sleep(13_000)
        return new Response('{}', { status: 401 })
      },
      { accessToken: () => tokens.shift() ?? '' },
    )
    const startedAtMs = clock.now()
    expect((await clock.run(failure(client.createOrder(order)))).code).toBe('timeout')
    expect(clock.now() - startedAtMs).toBe(15_000)
  })
})
