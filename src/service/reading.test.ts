import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal } from '../contract/decimal.ts'
import { answer, failure, order, query, setUp } from './client.testing.ts'
import * as fixtures from './fixtures.testing.ts'

describe('what is read', () => {
  it('reads deposit instructions to the last digit', async () => {
    const { client, clock } = setUp(
      answer(fixtures.instructionsAnswer, { headers: { date: 'Sat, 21 Nov 2026 10:00:01 GMT' } }),
    )
    expect(await client.createOrder(order)).toEqual({
      orderId: null,
      amount: '0.123456789012345678',
      asset: {
        symbol: 'ETH',
        name: 'Ethereum',
        type: 'crypto',
        smallImageUrl: 'https://files.example/eth-20.png',
        mediumImageUrl: 'https://files.example/eth-35.png',
        largeImageUrl: 'https://files.example/eth-69.png',
      },
      dateTime: '2026-11-21T10:00:00.123456Z',
      deposit: true,
      expTime: '1200',
      message: null,
      network: 'erc-20',
      tag: null,
      walletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
      timing: { sentAtMs: clock.now(), answeredAtMs: clock.now(), serviceDateMs: clock.now() + 1000 },
    })
  })

  it.each([86_400_000, -86_400_000])(
    'measures how long the answer took, although the clock is set by %i ms meanwhile',
    async (byMs) => {
      let [nowMs, steadyMs] = [1_000_000_000, 5]
      const clock = { now: () => nowMs, monotonic: () => steadyMs, sleep: () => new Promise<void>(() => undefined) }
      const slow = () => {
        nowMs += 250 + byMs
        steadyMs += 250
        return new Response(fixtures.instructionsAnswer)
      }
      const { timing } = await setUp(slow, { clock }).client.createOrder(order)
      expect(timing).toMatchObject({ sentAtMs: 1_000_000_000, answeredAtMs: 1_000_000_250 })
    },
  )

  it.each([213, 256])('reads an address and a memo of %i characters, as Zcash and EOS have them', async (length) => {
    const place = { wallet_address: `u1${'q'.repeat(length - 2)}`, tag: 'm'.repeat(length) }
    const made = setUp(answer(JSON.stringify({ ...JSON.parse(fixtures.instructionsAnswer), ...place })))
    expect(await made.client.createOrder(order)).toMatchObject({ walletAddress: place.wallet_address, tag: place.tag })
    const listed = setUp(answer(JSON.stringify({ orders: [{ id: 'order-1', status: 'open', ...place }] })))
    const { orders, unreadable } = await listed.client.listOrders(query)
    expect([orders[0]?.walletAddress, orders[0]?.tag, unreadable]).toEqual([place.wallet_address, place.tag, 0])
  })

  it('keeps the digits of any JSON number, whatever its form', async () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?[0-9])?$/)
    await fc.assert(
      fc.asyncProperty(digits, async (number) => {
        const { client } = setUp(answer(`{"amount":${number},"tag":${number},"wallet_address":"x"}`))
        const instructions = await client.createOrder(order)
        expect(instructions.amount).toBe(number)
        expect(instructions.tag).toBe(number)
        expect(canonicalDecimal(instructions.amount ?? '')).toBe(canonicalDecimal(number))
      }),
    )
  })

  it.each([
    ['a numeric tag of zero', '{"wallet_address":"r1","amount":1,"tag":0}', { tag: '0' }],
    ['a text amount', '{"wallet_address":"r1","amount":"0.10"}', { amount: '0.10' }],
    ['no fields but an address', '{"wallet_address":"r1"}', { amount: null, tag: null, asset: null }],
    ['the key Network', '{"wallet_address":"r1","Network":"ripple"}', { network: 'ripple' }],
    ['an id', '{"wallet_address":"r1","order_id":"o-1"}', { orderId: 'o-1' }],
    ['a wrapper', '{"data":{"order":{"wallet_address":"r1","amount":2}}}', { walletAddress: 'r1', amount: '2' }],
    [
      'an asset as text',
      '{"wallet_address":"r1","asset":"XRP"}',
      { asset: expect.objectContaining({ symbol: 'XRP' }) },
    ],
    ['a deposit flag as text', '{"wallet_address":"r1","deposit":"false"}', { deposit: false }],
    ['a strange expiry', '{"wallet_address":"r1","exp_time":{},"date_time":[]}', { expTime: null, dateTime: null }],
  ])('reads instructions with %s', async (_, body, expected) => {
    const { client } = setUp(answer(body))
    expect(await client.createOrder(order)).toMatchObject(expected)
  })

  it.each([
    ['an address that is no text', '{"wallet_address":{},"amount":1}'],
    ['a tag that is no text', '{"wallet_address":"r1","amount":1,"tag":{"value":1}}'],
    ['an amount that is a list', '{"wallet_address":"r1","amount":[1]}'],
    ['nothing of instructions', '{"message":"Something else"}'],
    ['a list', '[]'],
    ['a prototype in disguise', '{"__proto__":{"wallet_address":"r1","amount":1}}'],
    ['null', 'null'],
    ['half of it', '{"wallet_address":"r1"'],
    ['it twice', '{"wallet_address":"r1"}{"wallet_address":"r1"}'],
    ['HTML', '<!doctype html><h1>secret-token</h1>'],
    ['nothing', ''],
    ['a hundred thousand brackets', '['.repeat(100_000)],
  ])('refuses instructions with %s, not knowing whether the order exists', async (_, body) => {
    const { client } = setUp(answer(body))
    const error = await failure(client.createOrder(order))
    expect(error).toMatchObject({ code: 'invalid_answer', outcome: 'unknown', status: 200 })
    expect(error.message).toContain('POST /v1/order/exchange')
    expect(JSON.stringify([error.message, error.serviceMessage, String(error.cause)])).not.toContain('secret-token')
  })

  const item = fixtures.orderItem
  it.each([
    ['as documented', fixtures.listAnswer],
    ['below data', `{"data":[${item}]}`],
    ['below data and orders', `{"data":{"orders":[${item}]}}`],
    ['as a bare list', `[${item}]`],
    ['with wrapped items', `{"orders":[{"order":${item}}]}`],
  ])('reads the order list %s', async (_, body) => {
    const { client } = setUp(answer(body))
    const page = await client.listOrders(query)
    expect(page.unreadable).toBe(0)
    expect(page.orders).toEqual([
      {
        from: 'list',
        id: '0f5bd1fc-4a2b-4d2a-9d0f-5a0a1f0f7c11',
        status: 'open',
        statusText: 'open',
        subAccountId: 'a52c1a2e-9f7d-4d67-8f3c-27f0b8f6f0aa',
        recipientEmail: null,
        description: null,
        sourceAsset: 'ETH',
        sourceAmount: '0.123456789012345678',
        targetAsset: 'USD',
        targetAmount: '49.90',
        network: null,
        walletAddress: null,
        tag: null,
        message: null,
        createdAt: '2026-11-21T10:00:00.123456Z',
        validUntil: '2026-11-21T10:20:00.123456Z',
        timing: page.timing,
      },
    ])
  })

  it('reads the page figures, and none where none are', async () => {
    const documented = await setUp(answer(fixtures.listAnswer)).client.listOrders(query)
    expect(documented).toMatchObject({ page: 1, size: 10, totalPages: 1 })
    const bare = await setUp(answer('[]')).client.listOrders(query)
    expect(bare).toMatchObject({ orders: [], page: null, size: null, totalPages: null })
  })

  it('takes orders of null, or a page without orders, for an empty list, and anything else for no list', async () => {
    const empty = ['{"orders":null}', '{"page":3}', '{"message":"","size":100}', '{"data":{"total_pages":0}}']
    for (const body of [...empty, '{"data":null,"page":1}', '{"page":2,"size":10,"total_pages":1}'])
      expect((await setUp(answer(body)).client.listOrders(query)).orders).toEqual([])
    const none = await setUp(() => new Response(null, { status: 204 })).client.listOrders(query)
    expect(none).toMatchObject({ orders: [], unreadable: 0, totalPages: null })
    const broken = ['{"message":"Something else"}', '{"orders":{},"page":1}', '{"data":{}}', '{"page":"first"}', '']
    for (const body of [...broken, '{}', '{"data":null}', '{"orders":{}}', '"x"']) {
      expect(await failure(setUp(answer(body)).client.listOrders(query))).toMatchObject({ code: 'invalid_answer' })
    }
  })

  it('counts items that it cannot read and keeps the others', async () => {
    const odd = ['{"status":"open"}', 'null', '7', '{"id":".."}', '{"id":"x","source_amount":{}}']
    const { client } = setUp(answer(`{"orders":[${[...odd, item].join()}]}`))
    const page = await client.listOrders(query)
    expect(page.orders).toHaveLength(1)
    expect(page.unreadable).toBe(odd.length)
  })

  it('keeps an order whose times it cannot read', async () => {
    const times = ['{"seconds":1795255200,"nanos":0}', '[2026,11,21,10,0,0]', 'true', 'null']
    const items = times.map(
      (time, at) => `{"id":"order-${at}","status":"open","created_at":${time},"valid_until":${time}}`,
    )
    const page = await setUp(answer(`{"orders":[${items.join()}]}`)).client.listOrders(query)
    expect(page.unreadable).toBe(0)
    expect(page.orders.map(({ createdAt, validUntil }) => createdAt ?? validUntil)).toEqual(times.map(() => null))
  })

  it.each([
    ['open', 'open'],
    ['CANCELLED', 'canceled'],
    ['canceled', 'canceled'],
    ['Confirmed', 'confirmed'],
    ['refunded', null],
    ['', null],
  ])('reads the status %s as %s', async (word, status) => {
    const { client } = setUp(answer(`{"id":"o-1","status":"${word}"}`))
    expect(await client.orderDetails('o-1')).toMatchObject({ status, statusText: word || null })
  })

  it.each([
    ['bare', '{"id":"o-1","status":"open","wallet_address":"r1","tag":7}'],
    ['below order', '{"order":{"id":"o-1","status":"open","wallet_address":"r1","tag":"7"}}'],
    ['below data', '{"status":"success","data":{"order_id":"o-1","status":"open","wallet_address":"r1","tag":7}}'],
    ['without an id', '{"status":"open","wallet_address":"r1","tag":7}'],
  ])('reads details %s', async (_, body) => {
    const { client } = setUp(answer(body))
    expect(await client.orderDetails('o-1')).toMatchObject({ id: 'o-1', status: 'open', walletAddress: 'r1', tag: '7' })
  })

  it.each([
    [' 49.90 ', '49.90'],
    ['+49.90', '49.90'],
    ['49,90', '49.90'],
    ['0,125', '0.125'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1 234.50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ["1'234.50", '1234.50'],
    ['1,234,567', '1234567'],
    // These may mean two amounts, or none.
    ['1,234', '1,234'],
    ['12,34.50', '12,34.50'],
    ['1,2345.6', '1,2345.6'],
    ['49.90 USD', '49.90 USD'],
    ['-5', '-5'],
  ])('reads the amount %j of an order as %j', async (written, amount) => {
    const text = JSON.stringify(written)
    const { client } = setUp(answer(`{"id":"o-1","status":"open","source_amount":${text},"target_amount":${text}}`))
    expect(await client.orderDetails('o-1')).toMatchObject({ sourceAmount: amount, targetAmount: amount })
    // A payer sends the amount of instructions, so that is not interpreted.
    const created = setUp(answer(`{"wallet_address":"r1","amount":${text}}`))
    expect(await created.client.createOrder(order)).toMatchObject({ amount: written })
  })

  it('reads details that have a status and nothing else', async () => {
    const { client } = setUp(answer('{"status":"confirmed"}'))
    expect(await client.orderDetails('o-1')).toMatchObject({ id: 'o-1', status: 'confirmed' })
  })

  it.each([
    ['of another order', '{"id":"o-2","status":"confirmed"}'],
    ['of no order', '{"message":"not here"}'],
    ['of an error with a status', '{"status":"error","message":"too many requests"}'],
    ['of an error with a status of orders', '{"status":"pending","message":"the request is queued"}'],
    ['of an error with a number', '{"status":429,"message":"too many requests"}'],
  ])('refuses details %s', async (_, body) => {
    expect(await failure(setUp(answer(body)).client.orderDetails('o-1'))).toMatchObject({ code: 'invalid_answer' })
  })

  it.each([
    ['the schema', fixtures.walletSchemaAnswer],
    ['the example', fixtures.walletExampleAnswer],
  ])('reads a wallet with the keys of %s', async (_, body) => {
    const { client } = setUp(answer(body))
    expect(await client.registerWallet({ asset: 'USDC', name: 'T', address: '0x1', network: 'erc-20' })).toEqual({
      id: '9c1f7a44-0d3e-4a7b-8a54-5f1d2b9c7e10',
      name: 'Treasury',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      asset: 'USDC',
      network: 'erc-20',
      walletType: 'external',
      message: null,
      createdAt: '2023-08-05T13:59:01.603085797Z',
      updatedAt: '2023-08-05T13:59:01.603085797Z',
      deletedAt: null,
    })
  })

  it('takes a deletion that is answered without a body for done', async () => {
    expect(await setUp(() => new Response(null, { status: 204 })).client.deleteWallet('w-1')).toBeNull()
  })
})
