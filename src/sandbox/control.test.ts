import { describe, expect, it } from 'vitest'
import { setUp, startMs } from './requests.testing.ts'

const anonymous = { authorization: null, 'x-sub-account-id': null, accept: null }

async function withOrder(source = 'XRP') {
  const { sandbox, ask, create } = setUp()
  const { json } = await create({ source_asset: source })
  const post = (path: string, body: unknown = {}) => ask(path, { method: 'POST', body, headers: anonymous })
  const id = sandbox.orders()[0]?.id ?? ''
  return { sandbox, ask, post, id, deposit: { address: json.wallet_address, tag: json.tag, amount: '22.840665' } }
}

describe('the controls', () => {
  it('list orders with fields that the interface hides', async () => {
    const { ask, deposit, id } = await withOrder()
    const { json } = await ask('/sandbox/orders', { headers: anonymous })
    expect(json).toMatchObject([
      { id, status: 'open', workflow: 'awaiting', wallet_address: deposit.address, tag: deposit.tag, received: 0 },
    ])
  })

  it('pay and confirm', async () => {
    const { post, deposit, id } = await withOrder()
    expect(await post('/sandbox/deposits', deposit)).toMatchObject({ status: 200, json: { workflow: 'detected' } })
    expect(await post(`/sandbox/orders/${id}/confirm`)).toMatchObject({ status: 200, json: { status: 'confirmed' } })
  })

  it('take amounts and tags as numbers', async () => {
    const { post, deposit } = await withOrder()
    const body = { ...deposit, tag: Number(deposit.tag), amount: 22.840665 }
    expect((await post('/sandbox/deposits', body)).json).toMatchObject({ workflow: 'detected' })
  })

  it('refund, accept late and cancel', async () => {
    const { post, deposit, id } = await withOrder()
    await post('/sandbox/deposits', { ...deposit, asset: 'BTC' })
    expect((await post(`/sandbox/orders/${id}/refund`)).json).toMatchObject({ status: 'canceled' })
    await post('/sandbox/deposits', deposit)
    expect((await post(`/sandbox/orders/${id}/accept-late`)).json).toMatchObject({ status: 'confirmed' })
    expect((await post(`/sandbox/orders/${id}/cancel`)).json).toMatchObject({ status: 'canceled' })
  })

  it('move the clock', async () => {
    const { post, sandbox } = await withOrder()
    const { json } = await post('/sandbox/clock', { advanceMs: 1_200_000 })
    expect(json).toEqual({ now: '2026-11-21T10:20:00.250Z' })
    expect(sandbox.clock.now()).toBe(startMs + 1_200_000)
  })

  it('list receivers of webhooks, without secrets', async () => {
    const { ask } = await withOrder()
    const [url, secret] = ['http://127.0.0.1:4242/hooks/', 'a-secret_of.24~characters']
    const receivers = async (method: string, body?: unknown) =>
      (await ask('/sandbox/webhooks', { method, body, headers: anonymous })).json
    expect(await receivers('PUT', { url, secret })).toEqual({ url })
    expect(await receivers('PUT', { url, secret })).toEqual({ url })
    expect(await receivers('GET')).toEqual([{ url }])
    expect(await receivers('DELETE', { url })).toEqual({ url })
    expect(await receivers('DELETE', { url })).toEqual({ message: 'Nobody is registered there' })
    expect(await receivers('GET')).toEqual([])
  })

  it('let the next creation fail, and the next webhook', async () => {
    const { ask, sandbox } = await withOrder()
    const put = (path: string, body: unknown) => ask(path, { method: 'PUT', body, headers: anonymous })
    const create = () =>
      ask('/v1/order/exchange', {
        method: 'POST',
        body: { source_asset: 'ETH', target_asset: 'USD', target_amount: '5' },
      })
    await put('/sandbox/fault', { kind: 'reset', workDone: true })
    expect((await ask('/v1/order?page=1&size=5')).status).toBe(200)
    await expect(create()).rejects.toThrow('fetch failed')
    expect((await create()).status).toBe(200)
    expect(sandbox.orders()).toHaveLength(3)
    await put('/sandbox/fault', { kind: 'status', status: 429, message: 'Later', retryAfter: '5' })
    expect(await create()).toMatchObject({ status: 429, json: { message: 'Later' } })

    const got: string[] = []
    sandbox.webhooks.faults = (event) => void got.push(event)
    await put('/sandbox/webhooks/fault', { kind: 'forged', event: 'order.confirmed' })
    await create()
    await create()
    expect(got).toEqual(['order.created'])
  })

  it.each([
    ['PUT', '/sandbox/fault', { kind: 'magic' }],
    ['PUT', '/sandbox/fault', { kind: 'status', status: 200 }],
    ['PUT', '/sandbox/fault', { kind: 'latency', afterMs: -1 }],
    ['PUT', '/sandbox/webhooks/fault', { kind: 'magic' }],
    ['PUT', '/sandbox/webhooks/fault', { kind: 'forged', event: 'order.paid' }],
    ['PUT', '/sandbox/webhooks/fault', { kind: 'late', byMs: '1' }],
    ['PUT', '/sandbox/webhooks', { url: 'shop.example' }],
    ['PUT', '/sandbox/webhooks', {}],
    ['PUT', '/sandbox/webhooks', { url: 'http://127.0.0.1/', secret: 1 }],
  ])('refuse %s %s with %j', async (method, path, body) => {
    const { ask } = await withOrder()
    const { status, json } = await ask(path, { method, body, headers: anonymous })
    expect([status, json]).toEqual([400, { message: expect.any(String) }])
  })

  it.each([
    ['a deposit without a tag', '/sandbox/deposits', { tag: undefined }, 404],
    ['a deposit of nothing', '/sandbox/deposits', { amount: '0' }, 400],
    ['a deposit of words', '/sandbox/deposits', { amount: 'all' }, 400],
    ['a deposit to nobody', '/sandbox/deposits', { address: '' }, 400],
    ['an order that is not there', '/sandbox/orders/none/confirm', {}, 400],
    ['a badly written id', '/sandbox/orders/%ff/confirm', {}, 400],
    ['an unknown action', '/sandbox/orders/none/explode', {}, 404],
    ['a clock without a number', '/sandbox/clock', { advanceMs: 'far' }, 400],
    ['a clock at the end of time', '/sandbox/clock', { advanceMs: 8.64e15 }, 400],
    ['a clock beyond it', '/sandbox/clock', { advanceMs: 1e300 }, 400],
    ['a clock before all time', '/sandbox/clock', { advanceMs: -1e300 }, 400],
  ])('refuse %s with a message', async (_, path, change, status) => {
    const { post, deposit } = await withOrder()
    const answer = await post(path, { ...deposit, ...change })
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ message: expect.any(String) })
  })
})

describe('a page of another site', () => {
  const controls = [
    ['GET', '/sandbox/orders'],
    ['POST', '/sandbox/clock'],
    ['POST', '/sandbox/deposits'],
    ['POST', '/sandbox/orders/any/confirm'],
    ['PUT', '/sandbox/fault'],
    ['PUT', '/sandbox/webhooks'],
    ['PUT', '/sandbox/webhooks/fault'],
    ['DELETE', '/sandbox/webhooks'],
    ['OPTIONS', '/sandbox/webhooks'],
  ] as const
  it.each(controls)('controls nothing by %s %s', async (method, path) => {
    const { ask } = await withOrder()
    for (const page of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5173' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const body = method === 'GET' ? {} : { body: {} }
      const answer = await ask(path, { method, ...body, headers: { ...anonymous, ...page } })
      expect([answer.status, answer.headers.get('access-control-allow-origin')], JSON.stringify(page)).toEqual([
        403,
        null,
      ])
    }
  })

  it('is not a person who opens the address', async () => {
    const { ask } = await withOrder()
    expect((await ask('/sandbox/orders', { headers: { ...anonymous, 'sec-fetch-site': 'none' } })).status).toBe(200)
  })
})

describe('icons', () => {
  it('are at the address that the asset names, until it expires', async () => {
    const { sandbox, create } = setUp({ iconLifetimeMs: 60_000 })
    const { json } = await create()
    const url: string = json.asset.small_image_url
    expect(url).toMatch(/^https:\/\/service\.example\/icons\/eth-small\.png\?expires=/)
    const image = await sandbox.fetch(url)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    sandbox.clock.advance(60_000)
    expect((await sandbox.fetch(url)).status).toBe(403)
    expect((await sandbox.fetch('https://service.example/icons/nope-small.png')).status).toBe(404)
  })
})

describe('a seeded sandbox', () => {
  it('gives the same ids, addresses and times again', async () => {
    const [one, two] = [await withOrder(), await withOrder()]
    expect(one.sandbox.orders()).toEqual(two.sandbox.orders())
  })
})
