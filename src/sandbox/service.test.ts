import { describe, expect, it } from 'vitest'
import { quoteLifetimeMs } from '../contract/quote.ts'
import { defaultSubAccountId, type SandboxOptions } from './options.ts'
import { setUp, startMs, type Wanted, wallet } from './requests.testing.ts'

describe('headers', () => {
  it.each([
    ['no token', { authorization: null }, 401],
    ['another token', { authorization: 'Bearer other' }, 401],
    ['a token of another scheme', { authorization: 'Basic sandbox-token' }, 401],
    ['no accept', { accept: null }, 400],
    ['accept of anything', { accept: '*/*' }, 400],
    ['no sub-account', { 'x-sub-account-id': null }, 400],
    ['a strange sub-account', { 'x-sub-account-id': 'other' }, 403],
  ])('with %s are refused with a message', async (_, headers, status) => {
    const { ask } = setUp()
    const answer = await ask('/v1/orders/details/x', { headers })
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ message: expect.any(String) })
  })

  it('need no sub-account for the list: the default is the first', async () => {
    const { ask, create } = setUp()
    await create()
    const answer = await ask('/v1/order?page=1&size=10', { headers: { 'x-sub-account-id': null } })
    expect(answer.json.orders).toHaveLength(1)
    expect(answer.json.orders[0].sub_account_id).toBe(defaultSubAccountId)
  })

  it('of answers have the time of the sandbox', async () => {
    const { ask, sandbox } = setUp()
    sandbox.clock.advance(1000)
    expect((await ask('/v1/order')).headers.get('date')).toBe('Sat, 21 Nov 2026 10:00:01 GMT')
  })
})

describe('creating an order', () => {
  it.each([
    ['text', { target_amount: '49.90' }],
    ['a number', { target_amount: 49.9 }],
    ['a number, and 0 for the other as in the example', { target_amount: 49.9, source_amount: 0 }],
    ['text, and "0" for the other', { target_amount: '49.90', source_amount: '0' }],
  ])('takes amounts as %s', async (_, amounts) => {
    const { create, sandbox } = setUp()
    const { status, text } = await create(amounts)
    expect(status).toBe(200)
    expect(text).toContain('"amount":0.01595544,')
    expect(sandbox.orders()).toMatchObject([{ targetAmount: '49.9', sourceAmount: '0.01595544' }])
  })

  it.each([
    ['no source', { source_asset: undefined }],
    ['an unknown source', { source_asset: 'SCAM' }],
    ['an unknown target', { target_asset: 'SCAM' }],
    ['a network the asset is not on', { network: 'bitcoin' }],
    ['the same asset twice', { target_asset: 'ETH' }],
    ['no amount', { target_amount: undefined }],
    ['two amounts', { source_amount: '1' }],
    ['a negative amount', { target_amount: '-1' }],
    ['more decimals than the target has', { target_amount: '49.901' }],
    ['a number whose digits are not safe', { target_amount: 1234567890123456.8 }],
    ['words for an amount', { target_amount: 'much' }],
    ['pool_balance as text', { pool_balance: 'true' }],
    ['too little', { source_asset: 'USDT', target_asset: 'BTC', target_amount: undefined, source_amount: '0.000001' }],
  ])('is refused with %s', async (_, body) => {
    const { create, sandbox } = setUp()
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ message: expect.any(String) })
    expect(sandbox.orders()).toHaveLength(0)
  })

  it.each(['', '{', '[]', 'null', '"x"'])('is refused with the body %j', async (body) => {
    const { ask } = setUp()
    expect((await ask('/v1/order/exchange', { method: 'POST', body })).status).toBe(400)
  })

  it('freezes the quote for 20 minutes, whatever the rate does', async () => {
    const rates = { ETH: '3000' }
    const { create, sandbox } = setUp({ rates: (symbol) => (symbol === 'ETH' ? rates.ETH : undefined) })
    await create()
    rates.ETH = '1500'
    await create()
    const [first, second] = sandbox.orders()
    expect(first).toMatchObject({ sourceAmount: '0.01663334', expiresAtMs: startMs + quoteLifetimeMs })
    expect(second).toMatchObject({ sourceAmount: '0.03326667' })
  })

  it('has no address for a fiat source, and no type', async () => {
    const { create } = setUp()
    const { json } = await create({
      source_asset: 'EUR',
      target_asset: 'BTC',
      target_amount: undefined,
      source_amount: '50',
    })
    expect(json).toMatchObject({ amount: 50, wallet_address: '', tag: '', network: '', asset: { type: '' } })
  })

  const expiresSeconds = Math.floor((startMs + quoteLifetimeMs) / 1000)
  it.each<[string, SandboxOptions, string]>([
    ['seconds', { expTime: 'seconds' }, '"exp_time":1200,'],
    ['milliseconds', { expTime: 'milliseconds' }, '"exp_time":1200000,'],
    ['minutes', { expTime: 'minutes' }, '"exp_time":20,'],
    ['epoch seconds', { expTime: 'epoch-seconds' }, `"exp_time":${expiresSeconds},`],
    ['epoch milliseconds', { expTime: 'epoch-milliseconds' }, `"exp_time":${startMs + quoteLifetimeMs},`],
    ['nonsense', { expTime: { json: '-1e99' } }, '"exp_time":-1e99,'],
    ['a creation time', { dateTime: 'created' }, '"date_time":"2026-11-21T10:00:00.250'],
    ['an end', { dateTime: 'valid-until' }, '"date_time":"2026-11-21T10:20:00.250'],
    ['a time without fractions', { dateTime: 'created-seconds' }, '"date_time":"2026-11-21T10:00:00Z"'],
    ['an epoch', { dateTime: 'created-epoch' }, `"date_time":"${startMs}"`],
    ['a strange time', { dateTime: { text: 'soon' } }, '"date_time":"soon"'],
    ['an id', { creationId: true }, '{"id":"'],
    ['a deposit flag of false', { depositFlag: false }, '"deposit":false'],
    ['18 decimals', { quoteDecimals: { ETH: 18 } }, '"amount":0.015955439877728253,'],
  ])('can answer with %s', async (_, options, expected) => {
    expect((await setUp(options).create()).text).toContain(expected)
  })

  it('can leave out exp_time and date_time', async () => {
    const { json } = await setUp({ expTime: null, dateTime: null }).create()
    expect(Object.keys(json)).not.toEqual(expect.arrayContaining(['exp_time']))
    expect(Object.keys(json)).not.toEqual(expect.arrayContaining(['date_time']))
  })

  it('can answer with a tag as a number', async () => {
    const { json, text } = await setUp({ tagForm: 'number' }).create({ source_asset: 'XRP' })
    expect(json.tag).toEqual(expect.any(Number))
    expect(text).toMatch(/"tag":\d+,/)
  })
})

describe('order details', () => {
  it.each<[string, SandboxOptions, (json: { order?: unknown; data?: unknown }) => unknown]>([
    ['bare', {}, (json) => json],
    ['below order', { details: 'wrapped' }, (json) => json.order],
    ['below data', { details: 'data' }, (json) => json.data],
  ])('are %s, with the message', async (_, options, pick) => {
    const { create, ask, sandbox } = setUp(options)
    await create()
    const order = sandbox.orders()[0]
    sandbox.payer.deposit({ address: order?.address ?? '', amount: '0.001' })
    const { json } = await ask(`/v1/orders/details/${order?.id}`)
    expect(pick(json)).toMatchObject({ id: order?.id, status: 'pending', message: expect.stringContaining('top-up') })
    expect(pick(json)).not.toHaveProperty('wallet_address')
  })

  it('can have the deposit instructions, nanoseconds and the other spelling', async () => {
    const { create, ask, sandbox } = setUp({
      detailsInstructions: true,
      timestamps: 'nanoseconds',
      canceledSpelling: 'cancelled',
    })
    const { json: created } = await create({ source_asset: 'XRP' })
    const order = sandbox.orders()[0]
    sandbox.payer.cancel(order?.id ?? '')
    const { json } = await ask(`/v1/orders/details/${order?.id}`)
    expect(json).toMatchObject({ wallet_address: created.wallet_address, tag: created.tag, status: 'cancelled' })
    expect(json.created_at).toMatch(/^2026-11-21T10:00:00\.250\d{6}Z$/)
    expect(created.date_time).toBe(json.created_at)
  })

  it('of nothing, and of an order of another sub-account, are not found', async () => {
    const { ask, sandbox } = setUp({ subAccountIds: ['one', 'two'] })
    const { id } = sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '1', subAccountId: 'two' })
    const two = { 'x-sub-account-id': 'two' }
    expect((await ask(`/v1/orders/details/${id}`, { headers: two })).status).toBe(200)
    expect((await ask(`/v1/orders/details/${id}`)).status).toBe(404)
    expect((await ask('/v1/orders/details/none')).json).toEqual({ message: 'Order not found' })
    expect((await ask('/v1/orders/details/%ff')).status).toBe(400)
  })

  it('can appear late, as in the list', async () => {
    const { ask, create, sandbox } = setUp({ appearAfterMs: () => 3000 })
    await create()
    const id = sandbox.orders()[0]?.id
    expect((await ask(`/v1/orders/details/${id}`)).status).toBe(404)
    expect((await ask('/v1/order?page=1&size=1')).json.orders).toEqual([])
    sandbox.clock.advance(3000)
    expect((await ask(`/v1/orders/details/${id}`)).status).toBe(200)
    expect((await ask('/v1/order?page=1&size=1')).json.orders).toHaveLength(1)
  })
})

describe('wallets', () => {
  const post = (body: unknown): Wanted => ({ method: 'POST', body })

  it.each(['/v1/subaccount/wallet-address/external', '/v1/subaccount/wallet-address'])(
    'register at %s',
    async (path) => {
      const { ask, sandbox } = setUp()
      const { status, json } = await ask(path, post(wallet))
      expect(status).toBe(200)
      expect(json).toMatchObject({ ...wallet, wallet_type: 'external', deleted_at: '', message: '' })
      expect(sandbox.wallets()).toMatchObject([{ id: json.id }])
    },
  )

  it('can have the keys of the schema', async () => {
    const { ask } = setUp({ walletKeys: 'schema', notDeleted: null })
    const { json } = await ask('/v1/subaccount/wallet-address/external', post(wallet))
    expect(json).toMatchObject({ Network: 'erc-20', type: 'external', deleted_at: null })
  })

  it.each([
    ['by path', (id: string) => `/v1/subaccount/wallet-address/id/${id}`, () => undefined],
    ['by body', () => '/v1/subaccount/wallet-address', (id: string) => ({ wallet_id: id })],
  ])('are deleted once, %s', async (_, path, body) => {
    const { ask, sandbox } = setUp()
    const { json } = await ask('/v1/subaccount/wallet-address/external', post(wallet))
    const remove = () => ask(path(json.id), { method: 'DELETE', body: body(json.id) })
    expect(await remove()).toMatchObject({ status: 200, json: { message: expect.any(String) } })
    expect(sandbox.wallets()).toEqual([])
    expect(await remove()).toMatchObject({ status: 400, json: { message: expect.any(String) } })
  })

  it.each([
    ['no name', { name: '' }],
    ['an unknown asset', { asset: 'SCAM' }],
    ['a network the asset is not on', { network: 'ripple' }],
    ['an address with spaces', { address: 'a b' }],
  ])('are refused with %s', async (_, change) => {
    const { ask } = setUp()
    expect((await ask('/v1/subaccount/wallet-address/external', post({ ...wallet, ...change }))).status).toBe(400)
  })

  it('are registered once', async () => {
    const { ask } = setUp()
    await ask('/v1/subaccount/wallet-address/external', post(wallet))
    expect((await ask('/v1/subaccount/wallet-address/external', post(wallet))).status).toBe(400)
  })
})

it.each([
  ['PUT', '/v1/order'],
  ['GET', '/v1/orders'],
  ['GET', '/v2/order'],
  ['GET', '/'],
])('%s %s is no operation', async (method, path) => {
  expect((await setUp().ask(path, { method })).status).toBe(404)
})
