import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../service/client.ts'
import * as fixtures from '../service/fixtures.testing.ts'
import { setUp, wallet } from './requests.testing.ts'

/** Replaces every value in JSON by the name of its type. */
function shapeOf(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(shapeOf)
  if (typeof json !== 'object' || json === null) return json === null ? 'null' : typeof json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shapeOf(value)]))
}

describe('the sandbox answers in the form of the reference', () => {
  it.each([
    ['a created order', { source_asset: 'ETH' }, fixtures.instructionsAnswer],
    [
      'an order with a fiat source',
      { source_asset: 'USD', target_asset: 'BTC', target_amount: undefined, source_amount: '50.00' },
      fixtures.fiatInstructionsAnswer,
    ],
  ])('for %s', async (_, body, fixture) => {
    const { create } = setUp()
    expect(shapeOf((await create(body)).json)).toEqual(shapeOf(JSON.parse(fixture)))
  })

  it('for the list, whose items keep the order of fields', async () => {
    const { create, ask } = setUp()
    await create()
    const { json } = await ask('/v1/order?page=1&size=10')
    expect(shapeOf(json)).toEqual(shapeOf(JSON.parse(fixtures.listAnswer)))
    expect(Object.keys(json.orders[0])).toEqual(Object.keys(JSON.parse(fixtures.orderItem)))
    expect(json.orders[0].created_at).toMatch(/^2026-11-21T10:00:00\.\d{6}Z$/)
  })

  it.each([
    ['schema', '', fixtures.walletSchemaAnswer],
    ['example', null, fixtures.walletExampleAnswer],
  ] as const)('for a wallet as in the %s', async (walletKeys, notDeleted, fixture) => {
    const { ask } = setUp({ walletKeys, notDeleted })
    const { json } = await ask('/v1/subaccount/wallet-address/external', { method: 'POST', body: wallet })
    expect(shapeOf(json)).toEqual(shapeOf(JSON.parse(fixture)))
    const gone = await ask(`/v1/subaccount/wallet-address/id/${json.id}`, { method: 'DELETE' })
    expect(shapeOf(gone.json)).toEqual(shapeOf(JSON.parse(fixtures.messageAnswer)))
  })

  it('for errors', async () => {
    const { create } = setUp()
    expect(shapeOf((await create({ source_asset: 'SCAM' })).json)).toEqual(shapeOf(JSON.parse(fixtures.messageAnswer)))
  })
})

describe('the client and the sandbox', () => {
  it('understand each other in all five operations, digit by digit', async () => {
    const { sandbox } = setUp({ quoteDecimals: { ETH: 18 }, detailsInstructions: true })
    const client = createServiceClient(sandbox.access)
    const order = { sourceAsset: 'ETH', targetAsset: 'USD', network: 'erc-20', targetAmount: '49.9' }
    const instructions = await client.createOrder(order)
    const made = sandbox.orders()[0]
    expect(instructions).toMatchObject({
      orderId: null,
      amount: made?.sourceAmount,
      walletAddress: made?.address,
      tag: null,
      network: 'erc-20',
      expTime: '1200',
      dateTime: made?.createdAt,
      timing: { serviceDateMs: Math.floor(sandbox.clock.now() / 1000) * 1000 },
    })
    expect(made?.sourceAmount).toHaveLength(20)

    const page = await client.listOrders({ page: 1, size: 10, status: 'open', orderBy: 'created_at' })
    expect(page).toMatchObject({ page: 1, size: 10, totalPages: 1, unreadable: 0 })
    expect(page.orders).toMatchObject([
      { id: made?.id, sourceAmount: made?.sourceAmount, targetAmount: '49.9', createdAt: made?.createdAt },
    ])

    sandbox.payer.deposit({ address: instructions.walletAddress ?? '', amount: '0.001' })
    expect(await client.orderDetails(made?.id ?? '')).toMatchObject({
      status: 'pending',
      walletAddress: made?.address,
      message: expect.stringContaining('top-up'),
    })

    const registered = await client.registerWallet(wallet)
    expect(registered).toMatchObject({ ...wallet, walletType: 'external', deletedAt: null })
    expect(await client.deleteWallet(registered.id)).toBe('Wallet address deleted')
    await expect(client.deleteWallet(registered.id)).rejects.toMatchObject({
      code: 'refused',
      status: 400,
      serviceMessage: 'Wallet address not found',
    })
  })

  it('understand each other about refusals', async () => {
    const { sandbox } = setUp()
    const { access } = sandbox
    const client = createServiceClient(access)
    await expect(client.orderDetails('none')).rejects.toMatchObject({ code: 'not_found', status: 404 })
    await expect(
      client.createOrder({ sourceAsset: 'SCAM', targetAsset: 'USD', targetAmount: '1' }),
    ).rejects.toMatchObject({ code: 'refused', outcome: 'not_done', serviceMessage: expect.stringContaining('SCAM') })
    const stranger = createServiceClient({ ...access, accessToken: 'wrong' })
    await expect(stranger.orderDetails('none')).rejects.toMatchObject({ code: 'unauthorized' })
    const neighbour = createServiceClient({ ...access, subAccountId: 'other' })
    await expect(neighbour.orderDetails('none')).rejects.toMatchObject({ code: 'forbidden' })
  })
})
